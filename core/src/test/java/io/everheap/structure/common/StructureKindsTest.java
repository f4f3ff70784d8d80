package io.everheap.structure.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.engine.alloc.BlockType;
import io.everheap.structure.Structures;
import io.everheap.structure.map.HashKind;
import io.everheap.structure.object.ObjectKind;
import io.everheap.structure.queue.WorkQueueKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class StructureKindsTest {
  @Test
  void theOthersAreNotLoadedToFindAFirstOne() {
    var kinds =
        new StructureKinds(
            List.of(HashKind.MAP, HashKind.SET),
            () -> {
              throw new IllegalStateException("loaded");
            },
            ObjectKind.INSTANCE);

    assertThat(kinds.named("set")).isSameAs(HashKind.SET);
    assertThat(kinds.isHeader(BlockType.MAP_HEADER)).isTrue();
    assertThat(kinds.isHeader(BlockType.RAW)).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> kinds.named("list"));
  }

  @Test
  void theOthersAreFoundByNameAndType() {
    assertThat(Structures.KINDS.named("map")).isSameAs(HashKind.MAP);
    assertThat(Structures.KINDS.named("work queue")).isSameAs(WorkQueueKind.INSTANCE);
    assertThat(Structures.KINDS.isHeader(BlockType.WORK_QUEUE_HEADER)).isTrue();
    assertThat(Structures.KINDS.isHeader(BlockType.MAP_NODE)).isFalse();
    assertThat(Structures.KINDS.named("no kind")).isNull();
  }
}
