package io.everheap.structure.common;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.Shape;
import org.jspecify.annotations.Nullable;

/** Finds what shapes stand for. */
public final class Shapes {
  private Shapes() {}

  /**
   * What a shape stands for.
   *
   * @param kinds that there are
   * @param codecs of the heap
   * @throws io.everheap.error.UnsupportedTypeException if a class has no codec
   * @throws IllegalArgumentException if it is no shape of a structure
   */
  @SuppressWarnings("unchecked") // shapes are made by typed methods
  public static <S> Definition<S> define(
      StructureContext.Kinds kinds, Shape<S> shape, CodecRegistry codecs) {
    StructureKind kind = kinds.named(shape.kind());
    if (kind == null) {
      throw new IllegalArgumentException("no kind of structure is named " + shape.kind());
    }
    ShapeParts parts = new ShapeParts(shape, part -> codec(kinds, part, codecs));
    Definition<?> definition = kind.define(parts);
    parts.requireNoMore();
    return (Definition<S>) definition;
  }

  private static @Nullable Codec<?> codec(
      StructureContext.Kinds kinds, @Nullable Object part, CodecRegistry codecs) {
    // A switch by patterns would make a class at the opening.
    if (part instanceof Class<?> type) {
      return codecs.forClass(type);
    } else if (part instanceof Codec<?> codec) {
      return codec;
    } else if (part instanceof Shape<?> nested) {
      return NestedCodec.of(define(kinds, nested, codecs), kinds);
    }
    return null;
  }
}
