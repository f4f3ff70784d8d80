package io.everheap.structure.common;

import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.object.type.ObjectImage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds of structures that a heap can hold. Immutable. */
public final class StructureKinds implements StructureContext.Kinds {
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

  @Override
  public @Nullable StructureKind named(String name) {
    for (StructureKind kind : all) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    return null;
  }

  @Override
  public boolean isHeader(int type) {
    for (StructureKind kind : all) {
      if (kind.headerType() == type && type != BlockType.RAW) {
        return true;
      }
    }
    return false;
  }

  @Override
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
