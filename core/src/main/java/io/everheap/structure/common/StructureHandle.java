package io.everheap.structure.common;

import io.everheap.collection.Structure;
import io.everheap.collection.StructureId;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a structure whose contents are not compared: it equals all handles of the same
 * structure of the same open heap.
 */
public abstract class StructureHandle implements Structure {
  private final StructureContext heap;
  private final long reference;

  /** The handle of the structure whose header a reference leads to. */
  protected StructureHandle(StructureContext heap, long reference) {
    this.heap = heap;
    this.reference = reference;
  }

  @Override
  public final StructureId id() {
    return new HeapStructureId(heap, reference);
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof StructureHandle that
        && reference == that.reference
        && heap.equals(that.heap);
  }

  @Override
  public final int hashCode() {
    return Long.hashCode(reference);
  }

  @Override
  public abstract String toString();
}
