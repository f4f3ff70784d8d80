package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.everheap.Heap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Programs may implement the contracts, but only the library's structures are in a heap. */
class ForeignStructuresTest {
  private record OtherId() implements StructureId {}

  private record Other() implements Structure {
    @Override
    public StructureId id() {
      return new OtherId();
    }
  }

  private final Heap heap = Heap.inMemory();

  @AfterEach
  void close() {
    heap.close();
  }

  @Test
  void theyCannotBeFreed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> heap.free((Structure) new Other()))
        .withMessageContaining(Other.class.getName());
    assertThatIllegalArgumentException().isThrownBy(() -> heap.freeDeep(new Other()));
  }

  @Test
  @SuppressWarnings("unchecked") // on purpose
  void theyAreNoValues() {
    var sets = heap.root("sets", DurableMap.of(String.class, DurableSet.of(Long.class)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ((Map<String, Object>) (Map<?, ?>) sets).put("a", new Other()));
    assertThat(sets).isEmpty();
  }

  @Test
  void theyAreNotTheSame() {
    assertThat(heap.set("set", Long.class).sameAs(new Other())).isFalse();
  }
}
