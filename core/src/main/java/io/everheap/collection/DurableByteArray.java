package io.everheap.collection;

import io.everheap.codec.Codecs;
import io.everheap.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** An array of {@code byte}s in a heap: see {@link PrimitiveArray}. */
public final class DurableByteArray extends PrimitiveArray<byte[]> {
  private static final int WIDTH = 1;

  private DurableByteArray(Engine engine, long reference) {
    super(engine, reference, WIDTH);
  }

  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  public static Shape<DurableByteArray> ofLength(long length) {
    PrimitiveArray.requireLength(length);
    return codecs ->
        new ArrayDefinition<>(Codecs.BYTE, WIDTH, length, null, false, DurableByteArray::new);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  public static Shape<DurableByteArray> ofAnyLength() {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.BYTE, WIDTH, ArrayDefinition.ANY_LENGTH, null, false, DurableByteArray::new);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  public static Shape<DurableByteArray> of(byte... values) {
    return shape(values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  public static Shape<DurableByteArray> ofImmutable(byte... values) {
    return shape(values.clone(), true);
  }

  private static Shape<DurableByteArray> shape(byte[] values, boolean frozen) {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.BYTE,
            WIDTH,
            values.length,
            array -> array.copyFrom(0, values, 0, values.length),
            frozen,
            DurableByteArray::new);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  public byte get(long index) {
    return (byte) load(index);
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  public void set(long index, byte value) {
    store(index, value);
  }

  /** Sets an element and returns the one before, as one transaction. */
  public byte getAndSet(long index, byte value) {
    return (byte) exchange(index, old -> value);
  }

  /** Sets all elements. */
  public void fill(byte value) {
    fill(0, length(), value);
  }

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  public void fill(long from, long to, byte value) {
    byte[] pattern = new byte[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  public long binarySearch(byte key) {
    return binarySearch(0, length(), key);
  }

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  public long binarySearch(long from, long to, byte key) {
    return find(from, to, new byte[] {key});
  }

  /** The elements in order; read one by one when the stream comes to them. */
  public IntStream stream() {
    return LongStream.range(0, length()).mapToInt(this::get);
  }

  @Override
  MemorySegment memory(byte[] array) {
    return MemorySegment.ofArray(array);
  }

  @Override
  byte[] newArray(int size) {
    return new byte[size];
  }

  @Override
  int size(byte[] array) {
    return array.length;
  }

  @Override
  void sort(byte[] array) {
    Arrays.sort(array);
  }

  @Override
  int compare(byte[] key, byte[] element) {
    return Byte.compare(key[0], element[0]);
  }
}
