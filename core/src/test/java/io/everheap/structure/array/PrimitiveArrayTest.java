package io.everheap.structure.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableByteArray;
import io.everheap.collection.DurableCharArray;
import io.everheap.collection.DurableDoubleArray;
import io.everheap.collection.DurableIntArray;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableShortArray;
import io.everheap.error.ClosedException;
import io.everheap.error.GoneException;
import io.everheap.error.SchemaMismatchException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.bytes.ChunkedLayout;
import io.everheap.support.tier.Campaign;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays of all primitive types. */
@Campaign
class PrimitiveArrayTest {
  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Heap heap = Heap.inMemory();

  @AfterEach
  void nothingIsDamaged() {
    if (heap.isOpen()) {
      assertThat(heap.verify().problems()).isEmpty();
      heap.close();
    }
  }

  static List<ArrayTypes> types() {
    return ArrayTypes.all().toList();
  }

  @ParameterizedTest
  @MethodSource("types")
  void elementsAreSetAndGotAndSortedAndFound(ArrayTypes type) {
    var array = heap.root("array", type.ofLength(100));
    Object expected = type.newArray(100);
    assertThat(array.toArray()).isEqualTo(expected);
    for (int i = 0; i < 100; i++) {
      type.set(array, i, type.value(i));
      assertThat(type.get(array, i)).isEqualTo(type.value(i));
      assertThat(type.getAndSet(array, i, type.value(i + 7))).isEqualTo(type.value(i));
      Array.set(expected, i, type.value(i + 7));
    }
    assertThat(array.toArray()).isEqualTo(expected);
    assertThat(array.contentEquals(expected)).isTrue();
    type.fill(array, 20, 30, type.value(5));
    for (int i = 20; i < 30; i++) {
      Array.set(expected, i, type.value(5));
    }
    assertThat(array.toArray(15, 40)).isEqualTo(part(type, expected, 15, 40));
    array.sort(10, 90);
    assertThat(array.toArray(0, 10)).isEqualTo(part(type, expected, 0, 10));
    array.sort();
    assertThat(array.contentEquals(expected)).isFalse();
    if (type.primitive() != boolean.class) {
      Object sorted = array.toArray();
      for (int i = 0; i < 100; i++) {
        Object key = Array.get(sorted, i);
        long found = type.binarySearch(array, key);
        assertThat(type.get(array, found)).isEqualTo(key);
      }
    }
    assertThat(heap.entries("array").map(java.util.Map.Entry::getValue).toList())
        .hasSize(100)
        .last()
        .isEqualTo(type.get(array, 99));
  }

  private static Object part(ArrayTypes type, Object array, int from, int to) {
    Object copy = type.newArray(to - from);
    System.arraycopy(array, from, copy, 0, to - from);
    return copy;
  }

  /** Lengths around the end of a chunk, where everything is in two of them. */
  @ParameterizedTest
  @MethodSource("types")
  void largeArraysAreCopiedAcrossChunks(ArrayTypes type) {
    int width = type.primitive() == boolean.class ? 1 : bytes(type);
    int chunk = ChunkedLayout.CHUNK / width;
    for (int length : new int[] {chunk - 1, chunk, chunk + 1, 3 * chunk + 5}) {
      var array = heap.root("array " + length, type.ofLength(length));
      Object values = type.values(length, length);
      array.copyFrom(length / 2, values, length / 2, length - length / 2);
      array.copyFrom(0, values, 0, length / 2);
      assertThat(array.contentEquals(values)).as("%d elements", length).isTrue();
      var same = heap.root("same " + length, type.of("of", values));
      assertThat(array.contentEquals(same)).isTrue();
      for (long i : new long[] {0, length - 1, length / 2, Math.min(chunk, length - 1)}) {
        assertThat(type.get(array, i)).isEqualTo(Array.get(values, (int) i));
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
    long before = heap.stats().blocks();
    heap.names().forEach(heap::remove);
    assertThat(heap.stats().blocks()).isLessThan(before);
  }

  private static int bytes(ArrayTypes type) {
    return switch (type.primitive().getName()) {
      case "short", "char" -> 2;
      case "int", "float" -> 4;
      case "long", "double" -> 8;
      default -> 1;
    };
  }

  @ParameterizedTest
  @MethodSource("types")
  void immutableArraysNeverChange(ArrayTypes type) {
    Object values = type.values(0, 10);
    var array = heap.root("array", type.of("ofImmutable", values));
    var other = heap.root("other", type.of("of", values));
    assertThat(array.isFrozen()).isTrue();
    assertThat(other.isFrozen()).isFalse();
    other.freeze();
    List<ThrowingCallable> changes =
        List.of(
            () -> type.set(array, 0, type.value(3)),
            () -> type.set(other, 0, type.value(3)),
            () -> type.getAndSet(array, 0, type.value(3)),
            () -> type.fill(array, 0, 5, type.value(3)),
            () -> array.copyFrom(0, values, 1, 5),
            array::sort);
    for (ThrowingCallable change : changes) {
      assertThatThrownBy(change).isInstanceOf(UnsupportedOperationException.class);
    }
    assertThat(array.contentEquals(values)).isTrue();
    assertThat(other.contentEquals(array)).isTrue();
  }

  @Test
  void aHugeArrayIsMadeInAShortTransaction(@TempDir Path directory) {
    try (Heap small = Heap.builder(directory.resolve("heap")).maxTransaction(1 << 20).open()) {
      var array = small.root("array", DurableLongArray.ofLength(100_000_000));
      long before = small.stats().usedBytes();
      array.set(0, 1);
      array.set(99_999_999, 2);
      array.set(50_000_000, 3);

      assertThat(array.length()).isEqualTo(100_000_000);
      assertThat(array.get(99_999_999)).isEqualTo(2);
      assertThat(array.get(99_999_998)).isZero();
      assertThat(array.get(12_345_678)).isZero();
      assertThat(array.toArray(49_999_999, 50_000_002)).containsExactly(0, 3, 0);
      assertThat(small.stats().usedBytes() - before).isLessThan(1 << 20);
      assertThat(small.verify().problems()).isEmpty();
      assertThat(small.remove("array")).isTrue();
      OpenHeap.engine(small).drainHousekeeping();
      assertThat(small.verify().problems()).isEmpty();
      assertThatThrownBy(() -> array.get(0)).isInstanceOf(GoneException.class);
    }
  }

  @Test
  void aLargeArrayIsFreedInTheBackgroundAndLeavesNothing() {
    var empty = heap.root("names", DurableLongArray.ofLength(1)); // the types' names stay
    empty.set(0, 1);
    long before = heap.stats().blocks();
    long bytes = heap.stats().usedBytes();
    var array = heap.root("array", DurableByteArray.ofLength(300L * ChunkedLayout.CHUNK));
    for (long i = 0; i < array.length(); i += ChunkedLayout.CHUNK) {
      array.set(i, (byte) 1);
    }
    heap.remove("array");
    OpenHeap.engine(heap).drainHousekeeping();

    assertThat(heap.stats().blocks()).isBetween(before, before + 1); // a type's name
    assertThat(heap.stats().usedBytes()).isLessThan(bytes + 1000);
  }

  @Test
  void numbersAreUpdatedAtomically() {
    var ints = heap.root("ints", DurableIntArray.ofLength(4));
    var longs = heap.root("longs", DurableLongArray.ofLength(4));
    assertThat(ints.getAndAdd(1, -3)).isZero();
    assertThat(ints.compareAndSet(1, -3, 9)).isTrue();
    assertThat(ints.compareAndSet(1, -3, 10)).isFalse();
    assertThat(ints.updateAndGet(1, i -> i * 2)).isEqualTo(18);
    assertThat(longs.getAndAdd(3, 5)).isZero();
    assertThat(longs.compareAndSet(3, 5, Long.MIN_VALUE)).isTrue();
    assertThat(longs.updateAndGet(3, i -> i + 1)).isEqualTo(Long.MIN_VALUE + 1);
    assertThat(ints.stream().toArray()).containsExactly(0, 18, 0, 0);
    assertThat(longs.stream().max()).hasValue(0);
    var chars = heap.root("chars", DurableCharArray.of('b', 'a'));
    assertThat(chars.stream().sum()).isEqualTo('a' + 'b');
    assertThat(heap.root("doubles", DurableDoubleArray.of(1, 2)).stream().sum()).isEqualTo(3);
  }

  @Test
  void nansAndZerosKeepTheirBitsAndSortAsInJava() {
    double[] values = {Double.NaN, 0.0, -0.0, Double.NEGATIVE_INFINITY, 1};
    var array = heap.root("array", DurableDoubleArray.of(values));
    array.sort();
    Arrays.sort(values);

    assertThat(array.contentEquals(values)).isTrue();
    assertThat(array.binarySearch(-0.0)).isEqualTo(1);
    assertThat(array.binarySearch(Double.NaN)).isEqualTo(4);
    assertThat(array.binarySearch(0.5)).isEqualTo(-4);
  }

  @Test
  void aTransactionChangesAllOrNothing() {
    var array = heap.root("array", DurableIntArray.ofLength(100_000));
    array.set(5, 1);
    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      array.fill(7);
                      array.set(5, 2);
                      array.set(99_999, 3);
                      array.freeze();
                      assertThat(array.isFrozen()).isTrue();
                      assertThat(array.get(4)).isEqualTo(7);
                      assertThat(array.toArray(99_998, 100_000)).containsExactly(7, 3);
                      throw new Undo();
                    }))
        .isInstanceOf(Undo.class);

    assertThat(array.isFrozen()).isFalse();
    assertThat(array.stream().sum()).isEqualTo(1);
    assertThat(array.get(5)).isEqualTo(1);
  }

  @Test
  void indexesOutsideAreRefused() {
    var array = heap.root("array", DurableLongArray.ofLength(10));
    List<ThrowingCallable> calls =
        List.of(
            () -> array.get(-1),
            () -> array.get(10),
            () -> array.get(Long.MAX_VALUE),
            () -> array.set(1L << 61, 1),
            () -> array.getAndAdd(10, 1),
            () -> array.fill(5, 11, 1),
            () -> array.fill(6, 5, 1),
            () -> array.sort(0, Long.MAX_VALUE),
            () -> array.toArray(9, 11),
            () -> array.copyTo(8, new long[10], 0, 3),
            () -> array.copyTo(0, new long[2], 1, 2),
            () -> array.copyFrom(8, new long[10], 0, 3),
            () -> array.copyFrom(0, new long[2], 1, 2),
            () -> array.copyFrom(Long.MAX_VALUE, new long[2], 0, 2));
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThatThrownBy(() -> DurableLongArray.ofLength(-1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> heap.root("big", DurableLongArray.ofLength(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> heap.root("big", DurableLongArray.ofLength(1L << 45)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(heap.names()).containsExactly("array");
  }

  @Test
  void anArrayOutlivesTheHeapAndKeepsItsTypeAndLength(@TempDir Path directory) {
    try (Heap first = Heap.open(directory)) {
      first.root("array", DurableShortArray.of((short) 1, (short) -2));
    }
    try (Heap second = Heap.open(directory)) {
      assertThat(second.root("array", DurableShortArray.ofLength(2)).toArray())
          .containsExactly((short) 1, (short) -2);
      assertThatThrownBy(() -> second.root("array", DurableShortArray.ofLength(3)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> second.root("array", DurableCharArray.ofLength(2)))
          .isInstanceOf(SchemaMismatchException.class);
      assertThat(second.roots())
          .singleElement()
          .hasToString("Root[name=array, kind=array, types={element=short}, size=2]");
    }
  }

  @Test
  void aRemovedArrayAndAClosedHeapAreRefused() {
    var array = heap.root("array", DurableLongArray.ofLength(3));
    array.set(0, 1);
    heap.remove("array");
    heap.root("next", DurableLongArray.ofLength(3));
    for (ThrowingCallable use : uses(array)) {
      assertThatThrownBy(use).isInstanceOf(GoneException.class);
    }
    heap.close();
    for (ThrowingCallable use : uses(array)) {
      assertThatThrownBy(use).isInstanceOf(ClosedException.class);
    }
  }

  private List<ThrowingCallable> uses(DurableLongArray array) {
    return List.of(
        () -> array.get(0),
        array::toArray,
        array::isFrozen,
        () -> array.set(0, 1),
        () -> heap.transact(() -> array.set(0, 1)),
        () -> array.fill(1),
        array::sort,
        array::freeze,
        () -> array.binarySearch(0),
        () -> array.stream().sum());
  }
}
