package io.everheap.codec.described;

import io.everheap.codec.Codec;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Codecs made from nothing but the {@linkplain Codec#name() name} of a codec, as a heap's type
 * table keeps it: for tools that read data without the classes it was written with.
 *
 * <p>The package {@link io.everheap.codec} says what the values are. The bytes are those of the
 * codec that has the name.
 */
public final class DescribedCodecs {
  private DescribedCodecs() {}

  /**
   * Returns the codec that a name describes. Its own name is the same.
   *
   * @param name that a codec of this package returned
   * @return the codec
   * @throws io.everheap.error.UnsupportedTypeException if the name is, or contains, that of a codec
   *     that users wrote themselves
   */
  public static Codec<Object> of(String name) {
    return new DescriptionParser(name, reference -> reference, false, Map.of()).parse();
  }

  /**
   * The same, but references to objects are replaced when they are read: what is read and written
   * again leads elsewhere.
   *
   * @param name that a codec of this package returned
   * @param moved the reference that stands for another
   * @throws io.everheap.error.UnsupportedTypeException as {@link #of}
   */
  public static Codec<Object> moving(String name, LongUnaryOperator moved) {
    return new DescriptionParser(name, moved, true, Map.of()).parse();
  }
}
