package io.everheap.structure.array;

import io.everheap.collection.DurableIntArray;
import io.everheap.structure.common.StructureContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The handle of a {@link DurableIntArray}. */
public final class IntArrayHandle extends PrimitiveArrayHandle<int[]> implements DurableIntArray {
  IntArrayHandle(StructureContext heap, long reference) {
    super(heap, reference, int.class, Integer.BYTES);
  }

  @Override
  public int get(long index) {
    return (int) load(index);
  }

  @Override
  public void set(long index, int value) {
    store(index, value);
  }

  @Override
  public int getAndSet(long index, int value) {
    return (int) exchange(index, old -> value);
  }

  @Override
  public boolean compareAndSet(long index, int expected, int value) {
    return (int) exchange(index, old -> (int) old == expected ? value : old) == expected;
  }

  @Override
  public int getAndAdd(long index, int delta) {
    return (int) exchange(index, old -> (int) old + delta);
  }

  @Override
  public int updateAndGet(long index, IntUnaryOperator change) {
    int[] made = new int[1];
    exchange(index, old -> made[0] = change.applyAsInt((int) old));
    return made[0];
  }

  @Override
  public void fill(int value) {
    fill(0, length(), value);
  }

  @Override
  public void fill(long from, long to, int value) {
    int[] pattern = new int[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  @Override
  public long binarySearch(int key) {
    return binarySearch(0, length(), key);
  }

  @Override
  public long binarySearch(long from, long to, int key) {
    return find(from, to, new int[] {key});
  }

  @Override
  public IntStream stream() {
    return LongStream.range(0, length()).mapToInt(this::get);
  }

  @Override
  MemorySegment memory(int[] array) {
    return MemorySegment.ofArray(array);
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
