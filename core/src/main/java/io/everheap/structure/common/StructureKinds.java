package io.everheap.structure.common;

import io.everheap.durable.type.ObjectImage;
import io.everheap.engine.HeapContext;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of structures that a heap can hold. Immutable. Most of them are loaded when one is
 * looked for that is not among the first, since the classes of all would delay each opening.
 */
public final class StructureKinds implements StructureContext.Kinds {
  private final List<StructureKind> first;
  private final Supplier<List<StructureKind>> others;
  private final StructureKind objects;

  /**
   * These kinds.
   *
   * @param first those that can be roots by a shape and that many heaps have
   * @param others the others that can be roots by a shape
   * @param objects the kind of durable objects, whose blocks have types of their own
   */
  public StructureKinds(
      List<StructureKind> first, Supplier<List<StructureKind>> others, StructureKind objects) {
    this.first = List.copyOf(first);
    this.others = others;
    this.objects = objects;
  }

  @Override
  public @Nullable StructureKind named(String name) {
    StructureKind found = named(first, name);
    return found != null ? found : named(others.get(), name);
  }

  private static @Nullable StructureKind named(List<StructureKind> kinds, String name) {
    for (StructureKind kind : kinds) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    return null;
  }

  @Override
  public boolean isHeader(int type) {
    return type != BlockType.RAW && ofType(type) != null;
  }

  /** The kind whose headers have a type, or null. */
  private @Nullable StructureKind ofType(int type) {
    StructureKind found = ofType(first, type);
    return found != null ? found : ofType(others.get(), type);
  }

  private static @Nullable StructureKind ofType(List<StructureKind> kinds, int type) {
    for (StructureKind kind : kinds) {
      if (kind.isHeader(type)) {
        return kind;
      }
    }
    return null;
  }

  @Override
  public StructureKind of(HeapContext heap, long reference) {
    int type = heap.allocator().type(reference);
    if (ObjectImage.isObject(type)) {
      return objects;
    }
    StructureKind kind = ofType(type);
    if (kind != null) {
      return kind;
    }
    throw Damage.at(
        Reference.address(reference),
        "the block " + Reference.describe(reference) + " has type " + type + ", no structure's");
  }
}
