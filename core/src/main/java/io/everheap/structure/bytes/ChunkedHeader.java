package io.everheap.structure.bytes;

import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.StructureContext;

/** Reads headers of bytes in chunks without a look at the chunks. */
public final class ChunkedHeader {
  private ChunkedHeader() {}

  /** The number of the type of the elements. The caller keeps writers out, or validates. */
  public static long[] types(StructureContext heap, long reference, int type) {
    if (heap.allocator().type(reference) != type
        || heap.allocator().size(reference) < ChunkedLayout.HEADER_BYTES) {
      throw Damage.at(Reference.address(reference), "no header of chunks of type " + type);
    }
    long at = Reference.address(reference) + ChunkedLayout.TYPE;
    return new long[] {heap.memory().getLong(at)};
  }
}
