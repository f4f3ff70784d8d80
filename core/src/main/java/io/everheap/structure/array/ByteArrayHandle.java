package io.everheap.structure.array;

import io.everheap.collection.DurableByteArray;
import io.everheap.structure.common.StructureContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The handle of a {@link DurableByteArray}. */
public final class ByteArrayHandle extends PrimitiveArrayHandle<byte[]>
    implements DurableByteArray {
  ByteArrayHandle(StructureContext heap, long reference) {
    super(heap, reference, byte.class, Byte.BYTES);
  }

  @Override
  public byte get(long index) {
    return (byte) load(index);
  }

  @Override
  public void set(long index, byte value) {
    store(index, value);
  }

  @Override
  public byte getAndSet(long index, byte value) {
    return (byte) exchange(index, old -> value);
  }

  @Override
  public void fill(byte value) {
    fill(0, length(), value);
  }

  @Override
  public void fill(long from, long to, byte value) {
    byte[] pattern = new byte[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  @Override
  public long binarySearch(byte key) {
    return binarySearch(0, length(), key);
  }

  @Override
  public long binarySearch(long from, long to, byte key) {
    return find(from, to, new byte[] {key});
  }

  @Override
  public IntStream stream() {
    return LongStream.range(0, length()).mapToInt(this::get);
  }

  @Override
  MemorySegment memory(byte[] array) {
    return MemorySegment.ofArray(array);
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
