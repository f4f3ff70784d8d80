package io.everheap.collection;

import io.everheap.codec.Codecs;
import io.everheap.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** An array of {@code short}s in a heap: see {@link PrimitiveArray}. */
public final class DurableShortArray extends PrimitiveArray<short[]> {
  private static final int WIDTH = 2;

  private DurableShortArray(Engine engine, long reference) {
    super(engine, reference, WIDTH);
  }

  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  public static Shape<DurableShortArray> ofLength(long length) {
    PrimitiveArray.requireLength(length);
    return codecs ->
        new ArrayDefinition<>(Codecs.SHORT, WIDTH, length, null, false, DurableShortArray::new);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  public static Shape<DurableShortArray> ofAnyLength() {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.SHORT, WIDTH, ArrayDefinition.ANY_LENGTH, null, false, DurableShortArray::new);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  public static Shape<DurableShortArray> of(short... values) {
    return shape(values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  public static Shape<DurableShortArray> ofImmutable(short... values) {
    return shape(values.clone(), true);
  }

  private static Shape<DurableShortArray> shape(short[] values, boolean frozen) {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.SHORT,
            WIDTH,
            values.length,
            array -> array.copyFrom(0, values, 0, values.length),
            frozen,
            DurableShortArray::new);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  public short get(long index) {
    return (short) load(index);
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  public void set(long index, short value) {
    store(index, value);
  }

  /** Sets an element and returns the one before, as one transaction. */
  public short getAndSet(long index, short value) {
    return (short) exchange(index, old -> value);
  }

  /** Sets all elements. */
  public void fill(short value) {
    fill(0, length(), value);
  }

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  public void fill(long from, long to, short value) {
    short[] pattern = new short[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  public long binarySearch(short key) {
    return binarySearch(0, length(), key);
  }

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  public long binarySearch(long from, long to, short key) {
    return find(from, to, new short[] {key});
  }

  /** The elements in order; read one by one when the stream comes to them. */
  public IntStream stream() {
    return LongStream.range(0, length()).mapToInt(this::get);
  }

  @Override
  MemorySegment memory(short[] array) {
    return MemorySegment.ofArray(array);
  }

  @Override
  short[] newArray(int size) {
    return new short[size];
  }

  @Override
  int size(short[] array) {
    return array.length;
  }

  @Override
  void sort(short[] array) {
    Arrays.sort(array);
  }

  @Override
  int compare(short[] key, short[] element) {
    return Short.compare(key[0], element[0]);
  }
}
