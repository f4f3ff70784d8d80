package io.everheap.codec.described;

import io.everheap.codec.Codec;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * Makes codecs from the {@linkplain Codec#name() name} alone, which a heap's type table keeps: for
 * tools that read data without the classes it was written with.
 *
 * <p>The package {@link io.everheap.codec} says what the values are. The bytes are those of the
 * codec that has the name.
 */
public final class DescribedCodecs {
  private DescribedCodecs() {}

  /**
   * Returns the codec that a name describes, which has that name.
   *
   * @param name of a codec
   * @return the codec
   * @throws io.everheap.error.UnsupportedTypeException if the name is, or contains, that of a codec
   *     that users wrote themselves
   */
  public static Codec<Object> of(String name) {
    return new DescriptionParser(name, reference -> reference, false, Map.of()).parse();
  }

  /**
   * Returns the codec that a name describes, for values that are read to be written again into
   * another heap: references to objects are replaced when they are read, and values keep the number
   * of their version.
   *
   * @param name of a codec
   * @param moved the new reference for a stored one
   * @throws io.everheap.error.UnsupportedTypeException as {@link #of}
   */
  public static Codec<Object> moving(String name, LongUnaryOperator moved) {
    return new DescriptionParser(name, moved, true, Map.of()).parse();
  }
}
