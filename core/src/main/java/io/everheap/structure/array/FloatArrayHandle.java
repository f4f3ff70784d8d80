package io.everheap.structure.array;

import io.everheap.collection.DurableFloatArray;
import io.everheap.structure.common.StructureContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** The handle of a {@link DurableFloatArray}. */
public final class FloatArrayHandle extends PrimitiveArrayHandle<float[]>
    implements DurableFloatArray {
  FloatArrayHandle(StructureContext heap, long reference) {
    super(heap, reference, float.class, Float.BYTES);
  }

  @Override
  public float get(long index) {
    return Float.intBitsToFloat((int) load(index));
  }

  @Override
  public void set(long index, float value) {
    store(index, Float.floatToRawIntBits(value));
  }

  @Override
  public float getAndSet(long index, float value) {
    return Float.intBitsToFloat((int) exchange(index, old -> Float.floatToRawIntBits(value)));
  }

  @Override
  public void fill(float value) {
    fill(0, length(), value);
  }

  @Override
  public void fill(long from, long to, float value) {
    float[] pattern = new float[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  @Override
  public long binarySearch(float key) {
    return binarySearch(0, length(), key);
  }

  @Override
  public long binarySearch(long from, long to, float key) {
    return find(from, to, new float[] {key});
  }

  @Override
  public DoubleStream stream() {
    return LongStream.range(0, length()).mapToDouble(this::get);
  }

  @Override
  MemorySegment memory(float[] array) {
    return MemorySegment.ofArray(array);
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
