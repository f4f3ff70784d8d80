package io.everheap.structure.array;

import io.everheap.collection.DurableDoubleArray;
import io.everheap.structure.common.StructureContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** The handle of a {@link DurableDoubleArray}. */
public final class DoubleArrayHandle extends PrimitiveArrayHandle<double[]>
    implements DurableDoubleArray {
  DoubleArrayHandle(StructureContext heap, long reference) {
    super(heap, reference, double.class, Double.BYTES);
  }

  @Override
  public double get(long index) {
    return Double.longBitsToDouble(load(index));
  }

  @Override
  public void set(long index, double value) {
    store(index, Double.doubleToRawLongBits(value));
  }

  @Override
  public double getAndSet(long index, double value) {
    return Double.longBitsToDouble(exchange(index, old -> Double.doubleToRawLongBits(value)));
  }

  @Override
  public void fill(double value) {
    fill(0, length(), value);
  }

  @Override
  public void fill(long from, long to, double value) {
    double[] pattern = new double[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  @Override
  public long binarySearch(double key) {
    return binarySearch(0, length(), key);
  }

  @Override
  public long binarySearch(long from, long to, double key) {
    return find(from, to, new double[] {key});
  }

  @Override
  public DoubleStream stream() {
    return LongStream.range(0, length()).mapToDouble(this::get);
  }

  @Override
  MemorySegment memory(double[] array) {
    return MemorySegment.ofArray(array);
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
