package io.everheap.structure.array;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.structure.common.StructureContext;
import java.util.List;
import java.util.function.BiFunction;

/**
 * How elements of a primitive class are kept in an array.
 *
 * @param type the class
 * @param codec of an element as a word
 * @param width bytes of an element
 * @param handle makes the handle of an array
 * @param <A> the class of Java arrays of such elements
 */
record ElementType<A>(
    Class<?> type,
    Codec<?> codec,
    int width,
    BiFunction<StructureContext, Long, PrimitiveArrayHandle<A>> handle) {

  private static final List<ElementType<?>> ALL =
      List.of(
          new ElementType<>(boolean.class, Codecs.BOOLEAN, 1, BooleanArrayHandle::new),
          new ElementType<>(byte.class, Codecs.BYTE, 1, ByteArrayHandle::new),
          new ElementType<>(short.class, Codecs.SHORT, 2, ShortArrayHandle::new),
          new ElementType<>(char.class, Codecs.CHAR, 2, CharArrayHandle::new),
          new ElementType<>(int.class, Codecs.INT, 4, IntArrayHandle::new),
          new ElementType<>(long.class, Codecs.LONG, 8, LongArrayHandle::new),
          new ElementType<>(float.class, Codecs.FLOAT, 4, FloatArrayHandle::new),
          new ElementType<>(double.class, Codecs.DOUBLE, 8, DoubleArrayHandle::new));

  /**
   * The type of elements of a class.
   *
   * @throws IllegalArgumentException if it is no primitive class
   */
  static ElementType<?> of(Class<?> type) {
    return ALL.stream()
        .filter(e -> e.type == type)
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException(type + " is no primitive class"));
  }

  /** The type of elements whose codec has this name; that of words if there is none. */
  static ElementType<?> named(String codec) {
    return ALL.stream()
        .filter(e -> e.codec.name().equals(codec))
        .findAny()
        .orElseGet(() -> of(long.class));
  }
}
