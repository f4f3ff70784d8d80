package io.everheap.collection;

import io.everheap.codec.Codecs;
import io.everheap.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** An array of {@code boolean}s in a heap: see {@link PrimitiveArray}. */
public final class DurableBooleanArray extends PrimitiveArray<boolean[]> {
  private static final int WIDTH = 1;

  private DurableBooleanArray(Engine engine, long reference) {
    super(engine, reference, WIDTH);
  }

  /**
   * The shape of an array. A new one is all false; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  public static Shape<DurableBooleanArray> ofLength(long length) {
    PrimitiveArray.requireLength(length);
    return codecs ->
        new ArrayDefinition<>(Codecs.BOOLEAN, WIDTH, length, null, false, DurableBooleanArray::new);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  public static Shape<DurableBooleanArray> ofAnyLength() {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.BOOLEAN,
            WIDTH,
            ArrayDefinition.ANY_LENGTH,
            null,
            false,
            DurableBooleanArray::new);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  public static Shape<DurableBooleanArray> of(boolean... values) {
    return shape(values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  public static Shape<DurableBooleanArray> ofImmutable(boolean... values) {
    return shape(values.clone(), true);
  }

  private static Shape<DurableBooleanArray> shape(boolean[] values, boolean frozen) {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.BOOLEAN,
            WIDTH,
            values.length,
            array -> array.copyFrom(0, values, 0, values.length),
            frozen,
            DurableBooleanArray::new);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  public boolean get(long index) {
    return (byte) load(index) != 0;
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  public void set(long index, boolean value) {
    store(index, value ? 1 : 0);
  }

  /** Sets an element and returns the one before, as one transaction. */
  public boolean getAndSet(long index, boolean value) {
    return (byte) exchange(index, old -> value ? 1 : 0) != 0;
  }

  /** Sets all elements. */
  public void fill(boolean value) {
    fill(0, length(), value);
  }

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
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
  boolean[] newArray(int size) {
    return new boolean[size];
  }

  @Override
  int size(boolean[] array) {
    return array.length;
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
