package io.everheap.collection;

import io.everheap.codec.Codecs;
import io.everheap.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** An array of {@code char}s in a heap: see {@link PrimitiveArray}. */
public final class DurableCharArray extends PrimitiveArray<char[]> {
  private static final int WIDTH = 2;

  private DurableCharArray(Engine engine, long reference) {
    super(engine, reference, WIDTH);
  }

  /**
   * The shape of an array. A new one is all zero; one that is found must have the length, or
   * attaching to it throws {@link IllegalArgumentException}.
   *
   * @param length number of elements
   */
  public static Shape<DurableCharArray> ofLength(long length) {
    PrimitiveArray.requireLength(length);
    return codecs ->
        new ArrayDefinition<>(Codecs.CHAR, WIDTH, length, null, false, DurableCharArray::new);
  }

  /** The shape of an existing array of any length; to make one takes a length. */
  public static Shape<DurableCharArray> ofAnyLength() {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.CHAR, WIDTH, ArrayDefinition.ANY_LENGTH, null, false, DurableCharArray::new);
  }

  /** The shape of an array that has these elements when it is made, in the same transaction. */
  public static Shape<DurableCharArray> of(char... values) {
    return shape(values.clone(), false);
  }

  /** The shape of an array that is made with these elements and never changes. */
  public static Shape<DurableCharArray> ofImmutable(char... values) {
    return shape(values.clone(), true);
  }

  private static Shape<DurableCharArray> shape(char[] values, boolean frozen) {
    return codecs ->
        new ArrayDefinition<>(
            Codecs.CHAR,
            WIDTH,
            values.length,
            array -> array.copyFrom(0, values, 0, values.length),
            frozen,
            DurableCharArray::new);
  }

  /**
   * Returns an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   */
  public char get(long index) {
    return (char) load(index);
  }

  /**
   * Sets an element.
   *
   * @throws IndexOutOfBoundsException if there is none with this index
   * @throws UnsupportedOperationException if the array is frozen
   */
  public void set(long index, char value) {
    store(index, value);
  }

  /** Sets an element and returns the one before, as one transaction. */
  public char getAndSet(long index, char value) {
    return (char) exchange(index, old -> value);
  }

  /** Sets all elements. */
  public void fill(char value) {
    fill(0, length(), value);
  }

  /**
   * Sets some elements, as one transaction.
   *
   * @param from index of the first one
   * @param to index behind the last one
   */
  public void fill(long from, long to, char value) {
    char[] pattern = new char[patternSize(from, to)];
    Arrays.fill(pattern, value);
    fillWith(from, to, pattern);
  }

  /** Searches sorted elements as {@code Arrays.binarySearch} does. */
  public long binarySearch(char key) {
    return binarySearch(0, length(), key);
  }

  /**
   * Searches sorted elements as {@code Arrays.binarySearch} does.
   *
   * @param from index of the first one
   * @param to index behind the last one
   * @return the index of the key, or -(index where it belongs) - 1
   */
  public long binarySearch(long from, long to, char key) {
    return find(from, to, new char[] {key});
  }

  /** The elements in order; read one by one when the stream comes to them. */
  public IntStream stream() {
    return LongStream.range(0, length()).mapToInt(this::get);
  }

  @Override
  MemorySegment memory(char[] array) {
    return MemorySegment.ofArray(array);
  }

  @Override
  char[] newArray(int size) {
    return new char[size];
  }

  @Override
  int size(char[] array) {
    return array.length;
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
