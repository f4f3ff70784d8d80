package io.everheap.structure.common;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;

/**
 * Brings a type in the header of a structure up to date, in the first transaction that stores
 * something of the new type. A rollback takes it back, and the next transaction does it again.
 * Guarded by the writer lock.
 */
final class TypeSwitch {
  private final StructureContext heap;
  private final long reference;
  private final long at;
  private final long before;
  private final String type;

  /** What the header was last seen to have; 0 if that may have been taken back. */
  private long settled;

  /**
   * A switch.
   *
   * @param at address of the word in the header
   * @param before number of the type that stands there
   * @param type the name of the one that belongs there
   */
  TypeSwitch(StructureContext heap, long reference, long at, long before, String type) {
    this.heap = heap;
    this.reference = reference;
    this.at = at;
    this.before = before;
    this.type = type;
  }

  /** Something may be stored, if this thread runs a transaction. */
  void run() {
    if (!heap.transactions().isWriter()) {
      return;
    }
    long now = heap.memory().getLong(at);
    if (settled == 0 || now != settled) {
      bring(now);
    }
  }

  private void bring(long now) {
    heap.allocator().check(reference);
    StructureContext.Types types = heap.types();
    long number = types.number(type);
    if (now == before) {
      heap.memory().putLong(Stripes.NONE, at, number);
    } else if (now != number) {
      throw new IllegalStateException(
          "the structure at "
              + Reference.describe(reference)
              + " was changed to the type "
              + types.name(now)
              + " by another version of the program: open it again");
    }
    settled = number;
    heap.transactions().onAbort(() -> settled = 0);
  }
}
