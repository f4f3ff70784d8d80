package io.everheap.collection;

import io.everheap.codec.Codecs;
import io.everheap.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/** An array of {@code long}s in a heap: see {@link PrimitiveArray}. */
public final class DurableLongArray extends PrimitiveArray<long[]> {
  private static final int WIDTH = 8;

  private DurableLongArray(Engine engine, long reference) {
    super(engine, reference, WIDTH);
  }

  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  public static Shape<DurableLongArray> ofLength(long length) {
    PrimitiveArray.requireLength(length);
    return codecs ->
        new ArrayDefinition<>(Codecs.LONG, WIDTH, length, null, false, DurableLongArray::new);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  public static Shape<DurableLongArray> ofAnyLength() {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.LONG, WIDTH, ArrayDefinition.ANY_LENGTH, null, false, DurableLongArray::new);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  public static Shape<DurableLongArray> of(long... values) {
    return shape(values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  public static Shape<DurableLongArray> ofImmutable(long... values) {
    return shape(values.clone(), true);
  }

  private static Shape<DurableLongArray> shape(long[] values, boolean frozen) {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.LONG,
            WIDTH,
            values.length,
            array -> array.copyFrom(0, values, 0, values.length),
            frozen,
            DurableLongArray::new);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  public long get(long index) {
    return load(index);
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  public void set(long index, long value) {
    store(index, value);
  }

  /** Sets an element and returns the one before, as one transaction. */
  public long getAndSet(long index, long value) {
    return exchange(index, old -> value);
  }

  /** Sets an element if it is the expected one; tells whether it was. */
  public boolean compareAndSet(long index, long expected, long value) {
    return exchange(index, old -> old == expected ? value : old) == expected;
  }

  /** Adds to an element and returns the one before. */
  public long getAndAdd(long index, long delta) {
    return exchange(index, old -> old + delta);
  }

  /**
   * Replaces an element by what a function makes of it and returns that.
   *
   * @param change runs inside the transaction, once
   */
  public long updateAndGet(long index, LongUnaryOperator change) {
    long[] made = new long[1];
    exchange(index, old -> made[0] = change.applyAsLong(old));
    return made[0];
  }

  /** Sets all elements. */
  public void fill(long value) {
    fill(0, length(), value);
  }

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  public void fill(long from, long to, long value) {
    long[] pattern = new long[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  public long binarySearch(long key) {
    return binarySearch(0, length(), key);
  }

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  public long binarySearch(long from, long to, long key) {
    return find(from, to, new long[] {key});
  }

  /** The elements in order; read one by one when the stream comes to them. */
  public LongStream stream() {
    return LongStream.range(0, length()).map(this::get);
  }

  @Override
  MemorySegment memory(long[] array) {
    return MemorySegment.ofArray(array);
  }

  @Override
  long[] newArray(int size) {
    return new long[size];
  }

  @Override
  int size(long[] array) {
    return array.length;
  }

  @Override
  void sort(long[] array) {
    Arrays.sort(array);
  }

  @Override
  int compare(long[] key, long[] element) {
    return Long.compare(key[0], element[0]);
  }
}
