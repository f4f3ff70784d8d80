package io.everheap.collection.chunk;

import io.everheap.collection.base.Damage;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Reference;

/** Reads headers of bytes in chunks without a look at the chunks. */
public final class ChunkedHeader {
  private ChunkedHeader() {}

  /** The number of the type of the elements. The caller keeps writers out, or validates. */
  public static long[] types(Engine engine, long reference, int type) {
    if (engine.allocator().type(reference) != type
        || engine.allocator().size(reference) < ChunkedLayout.HEADER_BYTES) {
      throw Damage.at(Reference.address(reference), "no header of chunks of type " + type);
    }
    long at = Reference.address(reference) + ChunkedLayout.TYPE;
    return new long[] {engine.memory().getLong(at)};
  }
}
