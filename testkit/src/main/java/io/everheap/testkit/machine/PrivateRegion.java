package io.everheap.testkit.machine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/**
 * A private mapping: a page shows the file until the first store to it, then keeps its own bytes,
 * which never reach the file and are lost with the process. Guarded by the medium's lock.
 */
public final class PrivateRegion extends SimulatedRegion {
  private final BitSet own = new BitSet();
  private final Arena arena;

  PrivateRegion(FileContent content, MemorySegment segment, Arena arena, long position) {
    super(content, segment, arena, position);
    this.arena = arena;
    content.medium.opened(this);
  }

  @Override
  void before(long offset, long length) {
    content.medium.requireAlive();
    own.set(page(position + offset), page(position + offset + length - 1) + 1);
  }

  @Override
  void after(long offset, long length) {}

  @Override
  boolean copiesInPieces() {
    return false;
  }

  @Override
  public void force(long offset, long length) {}

  /** Copies changed bytes of the file into the pages that still show it. */
  void fileChanged(long changed, long length) {
    long from = Math.max(changed, position);
    long to = Math.min(changed + length, position + size());
    while (from < to) {
      int n = (int) Math.min(to - from, Page.SIZE - from % Page.SIZE);
      if (!own.get(page(from))) {
        segment.asSlice(from - position, n).copyFrom(MemorySegment.ofArray(content.bytes(from, n)));
      }
      from += n;
    }
  }

  /** The process is gone. */
  void discard() {
    SimulatedMedium.free(arena);
  }

  @Override
  void onClose() {
    content.closed(this);
    content.medium.closed(this);
  }

  private int page(long at) {
    return (int) (at / Page.SIZE - position / Page.SIZE);
  }
}
