package io.everheap.structure.array;

import io.everheap.collection.DurableLongArray;
import io.everheap.structure.common.StructureContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/** The handle of a {@link DurableLongArray}. */
public final class LongArrayHandle extends PrimitiveArrayHandle<long[]>
    implements DurableLongArray {
  LongArrayHandle(StructureContext heap, long reference) {
    super(heap, reference, long.class, Long.BYTES);
  }

  @Override
  public long get(long index) {
    return load(index);
  }

  @Override
  public void set(long index, long value) {
    store(index, value);
  }

  @Override
  public long getAndSet(long index, long value) {
    return exchange(index, old -> value);
  }

  @Override
  public boolean compareAndSet(long index, long expected, long value) {
    return exchange(index, old -> old == expected ? value : old) == expected;
  }

  @Override
  public long getAndAdd(long index, long delta) {
    return exchange(index, old -> old + delta);
  }

  @Override
  public long updateAndGet(long index, LongUnaryOperator change) {
    long[] made = new long[1];
    exchange(index, old -> made[0] = change.applyAsLong(old));
    return made[0];
  }

  @Override
  public void fill(long value) {
    fill(0, length(), value);
  }

  @Override
  public void fill(long from, long to, long value) {
    long[] pattern = new long[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  @Override
  public long binarySearch(long key) {
    return binarySearch(0, length(), key);
  }

  @Override
  public long binarySearch(long from, long to, long key) {
    return find(from, to, new long[] {key});
  }

  @Override
  public LongStream stream() {
    return LongStream.range(0, length()).map(this::get);
  }

  @Override
  MemorySegment memory(long[] array) {
    return MemorySegment.ofArray(array);
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
