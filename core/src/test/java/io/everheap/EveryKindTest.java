package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.collection.Structure;
import io.everheap.error.ClosedException;
import io.everheap.error.GoneException;
import io.everheap.heap.OpenHeap;
import io.everheap.support.tier.Campaign;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is the same for structures of every kind: how they end. */
@Campaign
class EveryKindTest {
  private static final int FEW = 300;

  /** Enough for what is freed in the background. */
  private static final int MANY = 15_000;

  static Stream<Kinds.Kind<?>> kinds() {
    return Kinds.all();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <S extends Structure> void removingARootFreesAllThatItHolds(Kinds.Kind<S> kind) {
    try (Heap heap = Heap.inMemory()) {
      cycle(heap, kind, MANY); // makes the catalog, the type, and what remembers pending frees
      long before = settled(heap);
      cycle(heap, kind, FEW);
      assertThat(settled(heap)).isEqualTo(before);
      cycle(heap, kind, MANY);
      assertThat(settled(heap)).isEqualTo(before);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  private static <S extends Structure> void cycle(Heap heap, Kinds.Kind<S> kind, int elements) {
    S structure = heap.root("root", kind.shape());
    heap.transact(() -> kind.fill().accept(structure, elements));
    assertThat(heap.verify().problems()).isEmpty();
    heap.remove("root");
  }

  /** Blocks in use when nothing is left to be freed. */
  private static long settled(Heap heap) {
    OpenHeap.engine(heap).drainHousekeeping();
    return OpenHeap.engine(heap).allocator().stats().blocks();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <S extends Structure> void freeingAStructureFreesAllThatItHolds(Kinds.Kind<S> kind) {
    try (Heap heap = Heap.inMemory()) {
      Runnable cycle =
          () ->
              heap.transact(
                  () -> {
                    S structure = heap.create(kind.shape());
                    kind.fill().accept(structure, FEW);
                    heap.free(structure);
                  });
      cycle.run();
      long before = settled(heap);
      cycle.run();
      assertThat(settled(heap)).isEqualTo(before);
    }
  }

  /** Arrays have their size from the beginning, and may need more. */
  @ParameterizedTest
  @MethodSource("kinds")
  <S extends Structure> void theSmallestHeapHoldsOne(Kinds.Kind<S> kind) {
    try (Heap heap = new HeapBuilder(null).maxSize(2 << 20).open()) {
      S structure = heap.root("root", kind.shape());
      if (structure instanceof Iterable<?>) {
        heap.transact(() -> kind.fill().accept(structure, 1));
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <S extends Structure> void whatWasRemovedThrowsFromThenOn(Kinds.Kind<S> kind) {
    try (Heap heap = Heap.inMemory()) {
      S structure = heap.root("root", kind.shape());
      kind.fill().accept(structure, FEW);
      heap.remove("root");
      assertStale(kind, structure);
      S other = heap.root("root", kind.shape());
      kind.fill().accept(other, FEW);
      assertStale(kind, structure);
    }
  }

  private static <S extends Structure> void assertStale(Kinds.Kind<S> kind, S structure) {
    int i = 0;
    for (Function<S, Object> use : kind.uses()) {
      assertThatThrownBy(() -> use.apply(structure))
          .as("use %s of a %s", i++, kind)
          .isInstanceOf(GoneException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <S extends Structure> void aClosedHeapsStructuresThrow(Kinds.Kind<S> kind) {
    S structure;
    try (Heap heap = Heap.inMemory()) {
      structure = heap.root("root", kind.shape());
      kind.fill().accept(structure, FEW);
    }
    int i = 0;
    for (Function<S, Object> use : kind.uses()) {
      assertThatThrownBy(() -> use.apply(structure))
          .as("use %s of a %s", i++, kind)
          .isInstanceOf(ClosedException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <S extends Structure> void anEntryThatNamesWhatWasFreedCanBeRemoved(Kinds.Kind<S> kind) {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<Long, S> map = heap.root("map", DurableMap.of(Long.class, kind.shape()));
      heap.transact(
          () -> {
            S structure = heap.create(kind.shape());
            kind.fill().accept(structure, 10);
            map.put(1L, structure);
          });
      heap.free(map.entrySet().iterator().next().getValue());
      DurableMap<Long, S> again = heap.root("map", DurableMap.of(Long.class, kind.shape()));
      S dead = again.get(1L);
      assertThat(dead).isNotNull();
      assertStale(kind, dead);
      assertThat(Map.copyOf(again)).hasSize(1);
      assertThat(again.remove(1L)).isNotNull();
      assertThat(again).isEmpty();
      assertThat(heap.verify().problems()).isEmpty();
    }
  }
}
