package io.everheap.collection;

import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;

/**
 * Brings a type in the header of a structure up to date, in the first transaction that stores
 * something of the new type. A rollback takes it back, and the next transaction does it again.
 * Guarded by the writer lock.
 */
final class TypeSwitch {
  private final Engine engine;
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
  TypeSwitch(Engine engine, long reference, long at, long before, String type) {
    this.engine = engine;
    this.reference = reference;
    this.at = at;
    this.before = before;
    this.type = type;
  }

  /** Something may be stored, if this thread runs a transaction. */
  void run() {
    if (!engine.transactions().isWriter()) {
      return;
    }
    long now = engine.memory().getLong(at);
    if (settled == 0 || now != settled) {
      bring(now);
    }
  }

  private void bring(long now) {
    engine.allocator().check(reference);
    TypeTable types = new TypeTable(engine);
    long number = types.number(type);
    if (now == before) {
      engine.memory().putLong(Stripes.NONE, at, number);
    } else if (now != number) {
      throw new IllegalStateException(
          "the structure at "
              + Reference.describe(reference)
              + " was changed to the type "
              + types.name(now)
              + " by another version of the program: open it again");
    }
    settled = number;
    engine.transactions().onAbort(() -> settled = 0);
  }
}
