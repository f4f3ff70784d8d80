package io.everheap.collection;

import io.everheap.codec.Codecs;
import io.everheap.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** An array of {@code float}s in a heap: see {@link PrimitiveArray}. */
public final class DurableFloatArray extends PrimitiveArray<float[]> {
  private static final int WIDTH = 4;

  private DurableFloatArray(Engine engine, long reference) {
    super(engine, reference, WIDTH);
  }

  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  public static Shape<DurableFloatArray> ofLength(long length) {
    PrimitiveArray.requireLength(length);
    return codecs ->
        new ArrayDefinition<>(Codecs.FLOAT, WIDTH, length, null, false, DurableFloatArray::new);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  public static Shape<DurableFloatArray> ofAnyLength() {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.FLOAT, WIDTH, ArrayDefinition.ANY_LENGTH, null, false, DurableFloatArray::new);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  public static Shape<DurableFloatArray> of(float... values) {
    return shape(values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  public static Shape<DurableFloatArray> ofImmutable(float... values) {
    return shape(values.clone(), true);
  }

  private static Shape<DurableFloatArray> shape(float[] values, boolean frozen) {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.FLOAT,
            WIDTH,
            values.length,
            array -> array.copyFrom(0, values, 0, values.length),
            frozen,
            DurableFloatArray::new);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  public float get(long index) {
    return Float.intBitsToFloat((int) load(index));
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  public void set(long index, float value) {
    store(index, Float.floatToRawIntBits(value));
  }

  /** Sets an element and returns the one before, as one transaction. */
  public float getAndSet(long index, float value) {
    return Float.intBitsToFloat((int) exchange(index, old -> Float.floatToRawIntBits(value)));
  }

  /** Sets all elements. */
  public void fill(float value) {
    fill(0, length(), value);
  }

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  public void fill(long from, long to, float value) {
    float[] pattern = new float[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  public long binarySearch(float key) {
    return binarySearch(0, length(), key);
  }

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  public long binarySearch(long from, long to, float key) {
    return find(from, to, new float[] {key});
  }

  /** The elements in order; read one by one when the stream comes to them. */
  public DoubleStream stream() {
    return LongStream.range(0, length()).mapToDouble(this::get);
  }

  @Override
  MemorySegment memory(float[] array) {
    return MemorySegment.ofArray(array);
  }

  @Override
  float[] newArray(int size) {
    return new float[size];
  }

  @Override
  int size(float[] array) {
    return array.length;
  }

  @Override
  void sort(float[] array) {
    Arrays.sort(array);
  }

  @Override
  int compare(float[] key, float[] element) {
    return Float.compare(key[0], element[0]);
  }
}
