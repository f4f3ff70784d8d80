package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.collection.Shape;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a {@link Shape}, as its kind reads them. Programs can make shapes of any parts, so
 * each is checked when it is read. Used by one thread.
 */
public final class ShapeParts {
  private final Shape<?> shape;
  private final Function<@Nullable Object, @Nullable Codec<?>> codecs;
  private int read; // parts that the kind looked at

  ShapeParts(Shape<?> shape, Function<@Nullable Object, @Nullable Codec<?>> codecs) {
    this.shape = shape;
    this.codecs = codecs;
  }

  /** How many there are. */
  public int count() {
    return shape.parts().size();
  }

  /** Whether a part is there and of a type. */
  public boolean is(int part, Class<?> type) {
    return type.isInstance(part(part));
  }

  private @Nullable Object part(int part) {
    read = Math.max(read, part + 1);
    return part < count() ? shape.parts().get(part) : null;
  }

  /**
   * A part of a known type.
   *
   * @throws IllegalArgumentException if there is none of this type
   */
  public <T> T get(int part, Class<T> type) {
    Object found = part(part);
    if (!type.isInstance(found)) {
      throw wrong(part);
    }
    return type.cast(found);
  }

  /**
   * The codec for what a part names: a class, a codec, or the shape of nested structures.
   *
   * @throws io.everheap.error.UnsupportedTypeException if a class has no codec
   * @throws IllegalArgumentException if the part is none of these
   */
  @SuppressWarnings("unchecked") // shapes are made by typed methods
  public <T> Codec<T> codec(int part) {
    Codec<?> codec = codecs.apply(part(part));
    if (codec == null) {
      throw wrong(part);
    }
    return (Codec<T>) codec;
  }

  /**
   * The codec for what a part names that cannot be a nested structure.
   *
   * @throws IllegalArgumentException if it is one, or no codec
   */
  public <T> Codec<T> plainCodec(int part) {
    if (part(part) instanceof Shape<?>) {
      throw wrong(part);
    }
    return codec(part);
  }

  /**
   * Checks that the kind read all parts.
   *
   * @throws IllegalArgumentException if there are more
   */
  void requireNoMore() {
    if (count() > read) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "the shape of a %s has %d parts, not %d", shape.kind(), read, count()));
    }
  }

  private IllegalArgumentException wrong(int part) {
    return new IllegalArgumentException(
        "part " + part + " of the shape of a " + shape.kind() + " is missing or of a wrong type");
  }
}
