package io.everheap.structure.array;

import io.everheap.collection.DurableCharArray;
import io.everheap.structure.common.StructureContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The handle of a {@link DurableCharArray}. */
public final class CharArrayHandle extends PrimitiveArrayHandle<char[]>
    implements DurableCharArray {
  CharArrayHandle(StructureContext heap, long reference) {
    super(heap, reference, char.class, Character.BYTES);
  }

  @Override
  public char get(long index) {
    return (char) load(index);
  }

  @Override
  public void set(long index, char value) {
    store(index, value);
  }

  @Override
  public char getAndSet(long index, char value) {
    return (char) exchange(index, old -> value);
  }

  @Override
  public void fill(char value) {
    fill(0, length(), value);
  }

  @Override
  public void fill(long from, long to, char value) {
    char[] pattern = new char[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  @Override
  public long binarySearch(char key) {
    return binarySearch(0, length(), key);
  }

  @Override
  public long binarySearch(long from, long to, char key) {
    return find(from, to, new char[] {key});
  }

  @Override
  public IntStream stream() {
    return LongStream.range(0, length()).mapToInt(this::get);
  }

  @Override
  MemorySegment memory(char[] array) {
    return MemorySegment.ofArray(array);
  }

  @Override
  void sort(char[] array) {
    Arrays.sort(array);
  }

  @Override
  int compare(char[] key, char[] element) {
    return Character.compare(key[0], element[0]);
  }
}
