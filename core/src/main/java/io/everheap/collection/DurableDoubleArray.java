package io.everheap.collection;

import io.everheap.codec.Codecs;
import io.everheap.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** An array of {@code double}s in a heap: see {@link PrimitiveArray}. */
public final class DurableDoubleArray extends PrimitiveArray<double[]> {
  private static final int WIDTH = 8;

  private DurableDoubleArray(Engine engine, long reference) {
    super(engine, reference, WIDTH);
  }

  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  public static Shape<DurableDoubleArray> ofLength(long length) {
    PrimitiveArray.requireLength(length);
    return codecs ->
        new ArrayDefinition<>(Codecs.DOUBLE, WIDTH, length, null, false, DurableDoubleArray::new);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  public static Shape<DurableDoubleArray> ofAnyLength() {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.DOUBLE, WIDTH, ArrayDefinition.ANY_LENGTH, null, false, DurableDoubleArray::new);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  public static Shape<DurableDoubleArray> of(double... values) {
    return shape(values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  public static Shape<DurableDoubleArray> ofImmutable(double... values) {
    return shape(values.clone(), true);
  }

  private static Shape<DurableDoubleArray> shape(double[] values, boolean frozen) {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.DOUBLE,
            WIDTH,
            values.length,
            array -> array.copyFrom(0, values, 0, values.length),
            frozen,
            DurableDoubleArray::new);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  public double get(long index) {
    return Double.longBitsToDouble(load(index));
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  public void set(long index, double value) {
    store(index, Double.doubleToRawLongBits(value));
  }

  /** Sets an element and returns the one before, as one transaction. */
  public double getAndSet(long index, double value) {
    return Double.longBitsToDouble(exchange(index, old -> Double.doubleToRawLongBits(value)));
  }

  /** Sets all elements. */
  public void fill(double value) {
    fill(0, length(), value);
  }

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  public void fill(long from, long to, double value) {
    double[] pattern = new double[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  public long binarySearch(double key) {
    return binarySearch(0, length(), key);
  }

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  public long binarySearch(long from, long to, double key) {
    return find(from, to, new double[] {key});
  }

  /** The elements in order; read one by one when the stream comes to them. */
  public DoubleStream stream() {
    return LongStream.range(0, length()).mapToDouble(this::get);
  }

  @Override
  MemorySegment memory(double[] array) {
    return MemorySegment.ofArray(array);
  }

  @Override
  double[] newArray(int size) {
    return new double[size];
  }

  @Override
  int size(double[] array) {
    return array.length;
  }

  @Override
  void sort(double[] array) {
    Arrays.sort(array);
  }

  @Override
  int compare(double[] key, double[] element) {
    return Double.compare(key[0], element[0]);
  }
}
