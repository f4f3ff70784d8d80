package io.everheap.structure.common;

import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.Shape;
import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.object.type.ObjectImage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds of structures that a heap can hold. Immutable. */
public final class StructureKinds {
  private final List<StructureKind> all;
  private final StructureKind objects;

  /**
   * These kinds.
   *
   * @param all those that can be roots by a shape
   * @param objects the kind of durable objects, whose blocks have types of their own
   */
  public StructureKinds(List<StructureKind> all, StructureKind objects) {
    this.all = List.copyOf(all);
    this.objects = objects;
  }

  /** The kind of this name, or null. */
  public @Nullable StructureKind named(String name) {
    for (StructureKind kind : all) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    return null;
  }

  /**
   * Finds what a shape stands for.
   *
   * @param codecs of the heap
   * @throws io.everheap.error.UnsupportedTypeException if a class has no codec
   * @throws IllegalArgumentException if it is no shape of a structure
   */
  @SuppressWarnings("unchecked") // shapes are made by typed methods
  public <S> Definition<S> define(Shape<S> shape, CodecRegistry codecs) {
    StructureKind kind = named(shape.kind());
    if (kind == null) {
      throw new IllegalArgumentException("no kind of structure is named " + shape.kind());
    }
    return (Definition<S>) kind.define(new ShapeParts(shape, codecs, this));
  }

  /** Whether all blocks of this type are headers of structures. */
  public boolean isHeader(int type) {
    for (StructureKind kind : all) {
      if (kind.headerType() == type && type != BlockType.RAW) {
        return true;
      }
    }
    return false;
  }

  /**
   * The kind of the structure that a reference leads to. The caller keeps writers out, or
   * validates.
   *
   * @throws io.everheap.error.StaleReferenceException if it leads to no block
   * @throws io.everheap.error.CorruptHeapException if the block is not the header of a structure
   */
  public StructureKind of(HeapContext heap, long reference) {
    int type = heap.allocator().type(reference);
    if (ObjectImage.isObject(type)) {
      return objects;
    }
    for (StructureKind kind : all) {
      if (kind.headerType() == type) {
        return kind;
      }
    }
    throw Damage.at(
        Reference.address(reference),
        "the block " + Reference.describe(reference) + " has type " + type + ", no structure's");
  }
}
