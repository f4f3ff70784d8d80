package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.everheap.collection.Structure;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.EverheapException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any word of a structure's header may be damaged: a negative count, one that no heap has room for,
 * an impossible kind. Whatever is done then ends, in bounded memory, with a result or with an
 * exception of the library.
 */
@Campaign
class DamagedHeaderTest {
  private static final int ELEMENTS = 40;
  private static final long[] WORDS = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31, 1L << 40, 0};

  static Stream<Kinds.Kind<?>> kinds() {
    return Kinds.all();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  <S extends Structure> void everyUseEnds(Kinds.Kind<S> kind) throws Exception {
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              useDamaged(kind);
              return true;
            });
    Thread.ofPlatform().daemon().start(task);
    assertThat(Limit.get(task)).isTrue();
  }

  private static <S extends Structure> void useDamaged(Kinds.Kind<S> kind) {
    try (Heap heap = Heap.inMemory()) {
      S structure = heap.root("root", kind.shape());
      kind.fill().accept(structure, ELEMENTS);
      Engine engine = OpenHeap.engine(heap);
      long reference = HeapStructureId.of(structure).reference();
      long header = Reference.address(reference);
      long end = header + 8 + Math.min(engine.allocator().size(reference), 120);
      for (long at = header + 8; at < end; at += 8) {
        long sound = engine.memory().getLong(at);
        for (long word : WORDS) {
          damage(heap, at, word);
          use(heap, kind, "word " + (at - header) / 8 + " is " + word);
          damage(heap, at, sound);
        }
        for (int bit = 0; bit < Long.SIZE; bit += 5) {
          damage(heap, at, sound ^ 1L << bit);
          use(heap, kind, "bit " + bit + " of word " + (at - header) / 8);
          damage(heap, at, sound);
        }
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  private static void damage(Heap heap, long at, long word) {
    heap.transact(() -> OpenHeap.engine(heap).memory().putLong(Stripes.NONE, at, word));
  }

  private static <S extends Structure> void use(Heap heap, Kinds.Kind<S> kind, String what) {
    attempt(what, heap::roots);
    attempt(what, () -> heap.entries("root").limit(10_000).count());
    attempt(what, () -> copy(heap.root("root", kind.shape())));
    for (Function<S, Object> use : kind.uses()) {
      undone(heap, what, () -> use.apply(heap.root("root", kind.shape())));
    }
    undone(heap, what, () -> heap.removeDeep("root"));
    undone(heap, what, () -> heap.remove("root"));
  }

  private static Object copy(Structure structure) {
    if (structure instanceof Map<?, ?> map) {
      return new ArrayList<>(map.keySet()).size() + new HashSet<>(map.values()).size();
    }
    return structure instanceof Collection<?> all
        ? new HashSet<>(all).size() + all.toArray().length
        : structure.toString();
  }

  private interface Action {
    Object run();
  }

  private static void undone(Heap heap, String what, Action action) {
    attempt(
        what,
        () ->
            heap.transact(
                () -> {
                  action.run();
                  throw new Undone();
                }));
  }

  /** Rolls a transaction back. */
  private static final class Undone extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static void attempt(String what, Action action) {
    Throwable thrown = catchThrowable(action::run);
    boolean asOfASoundOne = // which has another length, or no elements
        thrown instanceof NoSuchElementException
            || thrown instanceof IndexOutOfBoundsException
            || String.valueOf(thrown).contains("IllegalArgumentException: the array has ");
    assertThat(
            thrown == null
                || thrown instanceof EverheapException
                || thrown instanceof Undone
                || asOfASoundOne)
        .as("%s: %s", what, thrown)
        .isTrue();
  }
}
