package io.everheap.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.block.store.Handles;
import io.everheap.error.GoneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handles of raw blocks: whose they are. */
class HandlesTest {
  private static final int BLOCKS = 2_000;

  @TempDir private Path directory;

  private static List<Long> allocate(Heap heap, int count) {
    List<Long> handles = new ArrayList<>();
    heap.transact(
        () -> {
          for (int i = 0; i < count; i++) {
            long number = i;
            int bytes = i % 200 == 0 ? 300_000 : 8 + i % 300;
            handles.add(heap.blocks().allocate(bytes, r -> r.setLong(0, number)).handle());
          }
        });
    return handles;
  }

  /** Both heaps have blocks of the same sizes and generations at the same places. */
  @Test
  void handlesOfAnotherHeapAreRefused() {
    try (Heap one = Heap.inMemory();
        Heap other = Heap.inMemory()) {
      List<Long> own = allocate(one, BLOCKS);
      List<Long> foreign = allocate(other, BLOCKS);
      assertThat(own).doesNotContainAnyElementsOf(foreign);
      BlockCursor cursor = one.blocks().cursor();
      for (int i = 0; i < BLOCKS; i++) {
        assertThat(one.blocks().isValid(own.get(i))).isTrue();
        assertThat(one.blocks().isValid(foreign.get(i))).isFalse();
      }
      long handle = foreign.getFirst();
      assertThatThrownBy(() -> one.blocks().at(handle))
          .isInstanceOf(GoneException.class)
          .hasMessageContaining("another heap")
          .hasMessageContaining(String.valueOf(handle));
      assertThatThrownBy(() -> one.blocks().compactAt(handle)).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> one.blocks().free(handle)).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> cursor.moveTo(handle)).isInstanceOf(GoneException.class);
      assertThat(one.verify().problems()).isEmpty();
    }
  }

  @Test
  void handlesStayGoodWhenTheHeapIsOpenedAgainAndElsewhere() throws IOException {
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    List<Long> handles;
    try (Heap heap = Heap.open(first)) {
      handles = allocate(heap, 100);
      heap.block("root", 8).setLong(0, handles.getLast());
    }
    Files.createDirectory(second);
    try (Stream<Path> files = Files.walk(first)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = second.resolve(first.relativize(file).toString());
        Files.createDirectories(to.getParent());
        Files.copy(file, to);
      }
    }
    for (Path place : List.of(first, second)) {
      try (Heap heap = Heap.open(place)) {
        for (int i = 0; i < handles.size(); i++) {
          assertThat(heap.blocks().at(handles.get(i)).getLong(0)).isEqualTo(i);
          assertThat(heap.blocks().at(handles.get(i)).handle()).isEqualTo(handles.get(i));
        }
        assertThat(heap.block("root", 8).getLong(0)).isEqualTo(handles.getLast());
      }
    }
  }

  @Test
  void everyReferenceHasOneHandleAndZeroIsNothing() {
    Random random = new Random(7);
    for (int i = 0; i < 1_000; i++) {
      Handles handles = Handles.of(new UUID(random.nextLong(), random.nextLong()));
      long reference = random.nextLong();
      assertThat(handles.reference(handles.handle(reference))).isEqualTo(reference);
      assertThat(handles.handle(handles.reference(reference))).isEqualTo(reference);
      assertThat(handles.handle(0)).isZero();
      assertThat(handles.reference(0)).isZero();
    }
  }

  /** The format promises it: a program may keep handles in files of its own. */
  @Test
  void theHandleOfAReferenceIsDeterminedByTheUuid() {
    Handles handles = Handles.of(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"));
    assertThat(handles.handle(1)).isEqualTo(-6606095586218422187L);
  }
}
