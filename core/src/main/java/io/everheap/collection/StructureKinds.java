package io.everheap.collection;

import io.everheap.collection.base.Damage;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.object.type.ObjectImage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All kinds of structures that a heap can have as roots. */
public final class StructureKinds {
  private static final List<StructureKind> ALL =
      List.of(
          MapKind.INSTANCE,
          SetKind.INSTANCE,
          SortedMapKind.INSTANCE,
          SortedSetKind.INSTANCE,
          BlockKind.INSTANCE,
          ArrayKind.INSTANCE,
          ChunkedKind.TEXT,
          ChunkedKind.BYTES,
          CellKind.LONG,
          CellKind.COUNTER,
          ReferenceKind.INSTANCE,
          ObjectArrayKind.INSTANCE,
          ListKind.INSTANCE,
          DequeKind.INSTANCE,
          PriorityQueueKind.INSTANCE,
          WorkQueueKind.INSTANCE);

  private StructureKinds() {}

  /** The kind that people call so, or null. */
  public static @Nullable StructureKind named(String name) {
    for (StructureKind kind : ALL) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    return null;
  }

  /** Whether all blocks of this type are headers of structures. */
  public static boolean isHeader(int type) {
    for (StructureKind kind : ALL) {
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
  public static StructureKind of(Engine engine, long reference) {
    int type = engine.allocator().type(reference);
    if (ObjectImage.isObject(type)) {
      return ObjectKind.INSTANCE;
    }
    for (StructureKind kind : ALL) {
      if (kind.headerType() == type) {
        return kind;
      }
    }
    throw Damage.at(
        Reference.address(reference),
        "the block " + Reference.describe(reference) + " has type " + type + ", no structure's");
  }
}
