package io.everheap.collection;

import io.everheap.codec.Codecs;
import io.everheap.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** An array of {@code int}s in a heap: see {@link PrimitiveArray}. */
public final class DurableIntArray extends PrimitiveArray<int[]> {
  private static final int WIDTH = 4;

  private DurableIntArray(Engine engine, long reference) {
    super(engine, reference, WIDTH);
  }

  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  public static Shape<DurableIntArray> ofLength(long length) {
    PrimitiveArray.requireLength(length);
    return codecs ->
        new ArrayDefinition<>(Codecs.INT, WIDTH, length, null, false, DurableIntArray::new);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  public static Shape<DurableIntArray> ofAnyLength() {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.INT, WIDTH, ArrayDefinition.ANY_LENGTH, null, false, DurableIntArray::new);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  public static Shape<DurableIntArray> of(int... values) {
    return shape(values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  public static Shape<DurableIntArray> ofImmutable(int... values) {
    return shape(values.clone(), true);
  }

  private static Shape<DurableIntArray> shape(int[] values, boolean frozen) {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.INT,
            WIDTH,
            values.length,
            array -> array.copyFrom(0, values, 0, values.length),
            frozen,
            DurableIntArray::new);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  public int get(long index) {
    return (int) load(index);
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  public void set(long index, int value) {
    store(index, value);
  }

  /** Sets an element and returns the one before, as one transaction. */
  public int getAndSet(long index, int value) {
    return (int) exchange(index, old -> value);
  }

  /** Sets an element if it is the expected one; tells whether it was. */
  public boolean compareAndSet(long index, int expected, int value) {
    return (int) exchange(index, old -> (int) old == expected ? value : old) == expected;
  }

  /** Adds to an element and returns the one before. */
  public int getAndAdd(long index, int delta) {
    return (int) exchange(index, old -> (int) old + delta);
  }

  /**
   * Replaces an element by what a function makes of it and returns that.
   *
   * @param change runs inside the transaction, once
   */
  public int updateAndGet(long index, IntUnaryOperator change) {
    int[] made = new int[1];
    exchange(index, old -> made[0] = change.applyAsInt((int) old));
    return made[0];
  }

  /** Sets all elements. */
  public void fill(int value) {
    fill(0, length(), value);
  }

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  public void fill(long from, long to, int value) {
    int[] pattern = new int[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  public long binarySearch(int key) {
    return binarySearch(0, length(), key);
  }

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  public long binarySearch(long from, long to, int key) {
    return find(from, to, new int[] {key});
  }

  /** The elements in order; read one by one when the stream comes to them. */
  public IntStream stream() {
    return LongStream.range(0, length()).mapToInt(this::get);
  }

  @Override
  MemorySegment memory(int[] array) {
    return MemorySegment.ofArray(array);
  }

  @Override
  int[] newArray(int size) {
    return new int[size];
  }

  @Override
  int size(int[] array) {
    return array.length;
  }

  @Override
  void sort(int[] array) {
    Arrays.sort(array);
  }

  @Override
  int compare(int[] key, int[] element) {
    return Integer.compare(key[0], element[0]);
  }
}
