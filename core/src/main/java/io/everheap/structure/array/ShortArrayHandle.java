package io.everheap.structure.array;

import io.everheap.collection.DurableShortArray;
import io.everheap.structure.common.StructureContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The handle of a {@link DurableShortArray}. */
public final class ShortArrayHandle extends PrimitiveArrayHandle<short[]>
    implements DurableShortArray {
  ShortArrayHandle(StructureContext heap, long reference) {
    super(heap, reference, short.class, Short.BYTES);
  }

  @Override
  public short get(long index) {
    return (short) load(index);
  }

  @Override
  public void set(long index, short value) {
    store(index, value);
  }

  @Override
  public short getAndSet(long index, short value) {
    return (short) exchange(index, old -> value);
  }

  @Override
  public void fill(short value) {
    fill(0, length(), value);
  }

  @Override
  public void fill(long from, long to, short value) {
    short[] pattern = new short[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  @Override
  public long binarySearch(short key) {
    return binarySearch(0, length(), key);
  }

  @Override
  public long binarySearch(long from, long to, short key) {
    return find(from, to, new short[] {key});
  }

  @Override
  public IntStream stream() {
    return LongStream.range(0, length()).mapToInt(this::get);
  }

  @Override
  MemorySegment memory(short[] array) {
    return MemorySegment.ofArray(array);
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
