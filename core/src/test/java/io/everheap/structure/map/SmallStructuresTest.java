package io.everheap.structure.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableText;
import io.everheap.collection.Shape;
import io.everheap.error.ClosedException;
import io.everheap.error.GoneException;
import io.everheap.error.SchemaMismatchException;
import io.everheap.heap.OpenHeap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Atomic longs, counters, references, and arrays of values. */
class SmallStructuresTest {
  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Heap heap = Heap.inMemory();

  @AfterEach
  void nothingIsDamaged() {
    if (heap.isOpen()) {
      OpenHeap.engine(heap).drainHousekeeping();
      assertThat(heap.verify().problems()).isEmpty();
      heap.close();
    }
  }

  private void rolledBack(Runnable body) {
    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      body.run();
                      throw new Undo();
                    }))
        .isInstanceOf(Undo.class);
  }

  @Test
  void anAtomicLongDoesWhatTheOneOfTheJdkDoes() {
    var value = heap.root("value", DurableAtomicLong.of(5));
    assertThat(value.get()).isEqualTo(5);
    value.set(7);
    assertThat(value.getAndSet(8)).isEqualTo(7);
    assertThat(value.compareAndSet(7, 1)).isFalse();
    assertThat(value.compareAndSet(8, 9)).isTrue();
    assertThat(value.getAndAdd(2)).isEqualTo(9);
    assertThat(value.addAndGet(2)).isEqualTo(13);
    assertThat(value.getAndIncrement()).isEqualTo(13);
    assertThat(value.incrementAndGet()).isEqualTo(15);
    assertThat(value.getAndDecrement()).isEqualTo(15);
    assertThat(value.decrementAndGet()).isEqualTo(13);
    assertThat(value.getAndUpdate(v -> v * 2)).isEqualTo(13);
    assertThat(value.updateAndGet(v -> v + 1)).isEqualTo(27);
    assertThat(value.getAndAccumulate(3, Math::min)).isEqualTo(27);
    assertThat(value.accumulateAndGet(4, Math::max)).isEqualTo(4);
    assertThat(value).hasToString("4");
    rolledBack(
        () -> {
          value.set(100);
          assertThat(value.get()).isEqualTo(100);
        });
    assertThat(value.get()).isEqualTo(4);
    rolledBack(
        () -> {
          value.set(5);
          value.set(4);
          assertThat(value.get()).isEqualTo(4);
        });
    heap.transact(
        () -> {
          value.set(5);
          value.set(4);
        });
    assertThat(value.get()).isEqualTo(4);
    assertThat(heap.root("value", DurableAtomicLong.of()))
        .isEqualTo(value)
        .hasSameHashCodeAs(value);
    assertThat(heap.entries("value").toList()).containsExactly(Map.entry(0L, 4L));
  }

  @Test
  void aFunctionThatThrowsChangesNothing() {
    var value = heap.root("value", DurableAtomicLong.of(5));
    assertThatThrownBy(
            () ->
                value.updateAndGet(
                    v -> {
                      throw new Undo();
                    }))
        .isInstanceOf(Undo.class);
    assertThat(value.get()).isEqualTo(5);
  }

  @Test
  void aCounterCountsExactly() {
    var counter = heap.root("counter", DurableCounter.of());
    counter.increment();
    counter.add(10);
    counter.decrement();
    assertThat(counter.sum()).isEqualTo(10);
    assertThat(counter).hasToString("10");
    assertThat(counter.sumThenReset()).isEqualTo(10);
    counter.add(3);
    rolledBack(counter::reset);
    assertThat(counter.sum()).isEqualTo(3);
    counter.reset();
    assertThat(counter.sum()).isZero();
    assertThatThrownBy(() -> heap.root("counter", DurableAtomicLong.of()))
        .isInstanceOf(SchemaMismatchException.class);
  }

  @Test
  void aReferenceDoesWhatTheOneOfTheJdkDoes() {
    for (var shape :
        List.of(DurableReference.of(String.class), DurableReference.of(Codecs.STRING))) {
      var reference = heap.root("reference", shape);
      assertThat(reference.get()).isNull();
      assertThat(reference.compareAndSet("x", "y")).isFalse();
      assertThat(reference.compareAndSet(null, "a")).isTrue();
      assertThat(reference.compareAndSet("a", "b".repeat(10_000))).isTrue();
      assertThat(reference.getAndSet("c")).hasSize(10_000);
      assertThat(reference.getAndUpdate(v -> v + "d")).isEqualTo("c");
      assertThat(reference.updateAndGet(v -> v + "e")).isEqualTo("cde");
      assertThat(reference.getAndAccumulate("f", (a, b) -> a + b)).isEqualTo("cde");
      assertThat(reference.accumulateAndGet("g", (a, b) -> a + b)).isEqualTo("cdefg");
      assertThat(reference).hasToString("cdefg");
      rolledBack(() -> reference.set(null));
      assertThat(reference.get()).isEqualTo("cdefg");
      assertThat(heap.entries("reference").toList()).containsExactly(Map.entry(0L, "cdefg"));
      reference.set(null);
      assertThat(heap.roots().getFirst().size()).isZero();
    }
  }

  @Test
  void referencesToWordsAndArraysAndLargeValues() {
    var number = heap.root("number", DurableReference.of(Long.class));
    assertThat(number.get()).isNull();
    number.set(0L);
    assertThat(number.get()).isZero();
    assertThat(number.compareAndSet(0L, -1L)).isTrue();
    number.set(null);
    assertThat(number.get()).isNull();
    var bytes = heap.root("bytes", DurableReference.of(byte[].class));
    bytes.set(new byte[] {1, 2});
    assertThat(bytes.compareAndSet(new byte[] {1, 2}, new byte[3_000_000])).isTrue();
    assertThat(bytes.get()).hasSize(3_000_000);
  }

  @Test
  void anArrayOfTextsHoldsValuesAndNulls() {
    arrayOf(DurableArray.of(String.class, 200), "a", "b", "c".repeat(9_000));
  }

  @Test
  void anArrayOfNumbersHoldsValuesAndNulls() {
    arrayOf(DurableArray.of(Codecs.LONG, 200), 0L, -1L, Long.MAX_VALUE);
  }

  private <E extends Comparable<E>> void arrayOf(Shape<DurableArray<E>> shape, E a, E b, E c) {
    var array = heap.root("array", shape);
    assertThat(array.length()).isEqualTo(200);
    assertThat(array.asList()).containsOnlyNulls().hasSize(200);
    array.set(0, a);
    array.set(199, b);
    assertThat(array.getAndSet(63, c)).isNull();
    assertThat(array.getAndSet(64, c)).isNull();
    assertThat(array.compareAndSet(64, a, b)).isFalse();
    assertThat(array.compareAndSet(64, c, a)).isTrue();
    assertThat(array.compareAndSet(64, a, null)).isTrue();
    assertThat(array.get(64)).isNull();
    assertThat(array.get(63)).isEqualTo(c);
    assertThat(array.updateAndGet(63, v -> v == null ? a : b)).isEqualTo(b);
    assertThat(array.stream().filter(v -> v != null).toList()).containsExactly(a, b, b);
    assertThat(heap.entries("array").toList())
        .isEqualTo(List.of(Map.entry(0L, a), Map.entry(63L, b), Map.entry(199L, b)));
    rolledBack(
        () -> {
          array.fill(c);
          assertThat(array.asList()).containsOnly(c);
        });
    assertThat(array.stream().filter(v -> v != null).count()).isEqualTo(3);
    array.fill(c);
    array.fill(5, 10, a);
    array.set(100, b);
    List<E> expected = new ArrayList<>(array.asList());
    array.asList().sort(null);
    expected.sort(null);
    assertThat(array.asList()).isEqualTo(expected);
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> array.get(-1), () -> array.get(200), () -> array.set(Long.MAX_VALUE, a))) {
      assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(heap.verify().problems()).isEmpty();
    array.fill(null);
    assertThat(array.asList()).containsOnlyNulls();
    heap.remove("array");
    assertThatThrownBy(() -> array.get(0)).isInstanceOf(GoneException.class);
    assertThatThrownBy(() -> array.set(0, a)).isInstanceOf(GoneException.class);
  }

  @Test
  void aLargeArrayOfValuesLeavesNothing(@TempDir Path directory) {
    try (Heap files = Heap.open(directory)) {
      files.root("name", DurableArray.of(String.class, 1)); // the type's name stays
      long before = files.stats().blocks();
      var array = files.root("array", DurableArray.of(String.class, 100_000));
      files.transact(
          () -> {
            for (long i = 0; i < array.length(); i += 7) {
              array.set(i, "element " + i);
            }
          });
      assertThat(array.get(70_007)).isEqualTo("element 70007");
      assertThat(array.get(70_008)).isNull();
      assertThat(files.verify().problems()).isEmpty();
      assertThat(files.verify().entries()).isEqualTo((100_000 + 6) / 7);
      files.remove("array");
      assertThat(files.verify().problems()).isEmpty();
      OpenHeap.engine(files).drainHousekeeping();
      assertThat(files.verify().problems()).isEmpty();
      assertThat(files.stats().blocks()).isEqualTo(before);
    }
  }

  @Test
  void allOutliveTheHeap(@TempDir Path directory) {
    try (Heap first = Heap.open(directory)) {
      first.root("long", DurableAtomicLong.of(3));
      first.root("counter", DurableCounter.of()).add(4);
      first.root("reference", DurableReference.of(String.class)).set("five");
      first.root("array", DurableArray.of(String.class, 3)).set(1, "six");
    }
    try (Heap second = Heap.open(directory)) {
      assertThat(second.root("long", DurableAtomicLong.of()).get()).isEqualTo(3);
      assertThat(second.root("counter", DurableCounter.of()).sum()).isEqualTo(4);
      assertThat(second.root("reference", DurableReference.of(String.class)).get())
          .isEqualTo("five");
      assertThat(second.root("array", DurableArray.of(String.class, 3)).asList())
          .isEqualTo(Arrays.asList(null, "six", null));
      assertThatThrownBy(() -> second.root("array", DurableArray.of(String.class, 4)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> second.root("reference", DurableReference.of(Long.class)))
          .isInstanceOf(SchemaMismatchException.class);
      assertThat(second.verify().problems()).isEmpty();
    }
  }

  @Test
  void allCanBeValuesOfOthers() {
    var counters = heap.root("counters", DurableMap.of(Codecs.STRING, DurableCounter.of()));
    heap.transact(() -> counters.put("a", heap.create(DurableCounter.of())));
    counters.get("a").add(3);
    assertThat(counters.get("a").sum()).isEqualTo(3);
    var array = heap.root("array", DurableArray.of(DurableText.of(), 5));
    heap.transact(() -> array.set(2, heap.create(DurableText.of())));
    array.get(2).append("nested");
    assertThat(array.get(2)).hasToString("nested");
    var reference = heap.root("reference", DurableReference.of(DurableLongArray.ofLength(4)));
    heap.transact(() -> reference.set(heap.create(DurableLongArray.ofLength(4))));
    reference.get().set(3, 1);
    assertThat(reference.get().toArray()).containsExactly(0, 0, 0, 1);
    assertThat(reference.get().sameAs(reference.get())).isTrue();
    assertThat(heap.verify().problems()).isEmpty();
  }

  @Test
  void removedOnesAndClosedHeapsAreRefused() {
    var number = heap.root("long", DurableAtomicLong.of(3));
    var counter = heap.root("counter", DurableCounter.of());
    var reference = heap.root("reference", DurableReference.of(String.class));
    reference.set("x");
    List<ThrowingCallable> uses =
        List.of(
            number::get,
            () -> number.set(1),
            counter::sum,
            counter::increment,
            reference::get,
            () -> reference.set("y"));
    heap.names().forEach(heap::remove);
    for (int i = 0; i < 10; i++) {
      heap.root("next " + i, DurableAtomicLong.of(3));
    }
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use).isInstanceOf(GoneException.class);
    }
    heap.close();
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use).isInstanceOf(ClosedException.class);
    }
  }
}
