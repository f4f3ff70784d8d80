package io.everheap.structure.array;

import io.everheap.collection.DurableBooleanArray;
import io.everheap.structure.common.StructureContext;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** The handle of a {@link DurableBooleanArray}. */
public final class BooleanArrayHandle extends PrimitiveArrayHandle<boolean[]>
    implements DurableBooleanArray {
  BooleanArrayHandle(StructureContext heap, long reference) {
    super(heap, reference, boolean.class, 1);
  }

  @Override
  public boolean get(long index) {
    return (byte) load(index) != 0;
  }

  @Override
  public void set(long index, boolean value) {
    store(index, value ? 1 : 0);
  }

  @Override
  public boolean getAndSet(long index, boolean value) {
    return (byte) exchange(index, old -> value ? 1 : 0) != 0;
  }

  @Override
  public void fill(boolean value) {
    fill(0, length(), value);
  }

  @Override
  public void fill(long from, long to, boolean value) {
    boolean[] pattern = new boolean[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  @Override
  MemorySegment memory(boolean[] array) {
    byte[] bytes = new byte[array.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (array[i] ? 1 : 0);
    }
    return MemorySegment.ofArray(bytes);
  }

  @Override
  void fromMemory(MemorySegment memory, boolean[] target) {
    for (int i = 0; i < target.length; i++) {
      target[i] = memory.get(ValueLayout.JAVA_BYTE, i) != 0;
    }
  }

  @Override
  void sort(boolean[] array) {
    int first = 0;
    for (boolean value : array) {
      first += value ? 0 : 1;
    }
    Arrays.fill(array, 0, first, false);
    Arrays.fill(array, first, array.length, true);
  }

  @Override
  int compare(boolean[] key, boolean[] element) {
    return Boolean.compare(key[0], element[0]);
  }
}
