package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.Shape;

/** The parts of a {@link Shape}, as its kind reads them. */
public final class ShapeParts {
  private final Shape<?> shape;
  private final CodecRegistry codecs;
  private final StructureKinds kinds;

  ShapeParts(Shape<?> shape, CodecRegistry codecs, StructureKinds kinds) {
    this.shape = shape;
    this.codecs = codecs;
    this.kinds = kinds;
  }

  /** How many there are. */
  public int count() {
    return shape.parts().size();
  }

  /** Whether a part is there and of a type. */
  public boolean is(int part, Class<?> type) {
    return part < count() && type.isInstance(shape.parts().get(part));
  }

  /**
   * A part of a known type.
   *
   * @throws IllegalArgumentException if there is none of this type
   */
  public <T> T get(int part, Class<T> type) {
    if (!is(part, type)) {
      throw wrong(part);
    }
    return type.cast(shape.parts().get(part));
  }

  /**
   * The codec for what a part names: a class, a codec, or the shape of nested structures.
   *
   * @throws io.everheap.error.UnsupportedTypeException if a class has no codec
   */
  @SuppressWarnings("unchecked") // shapes are made by typed methods
  public <T> Codec<T> codec(int part) {
    Object of = part < count() ? shape.parts().get(part) : null;
    return switch (of) {
      case Class<?> type -> (Codec<T>) codecs.forClass(type);
      case Codec<?> codec -> (Codec<T>) codec;
      case Shape<?> nested -> (Codec<T>) NestedCodec.of(nested, codecs, kinds);
      case null, default -> throw wrong(part);
    };
  }

  private IllegalArgumentException wrong(int part) {
    return new IllegalArgumentException("part " + part + " of the shape " + shape + " is missing");
  }
}
