package io.everheap.engine.tx;

import java.util.Arrays;
import java.util.List;

/**
 * The running transaction: its nesting levels with their savepoints, and its end. Guarded by the
 * writer lock.
 */
final class Running {
  final WriteSet writes;
  final Hooks hooks = new Hooks();
  CommitParticipant participant = CommitParticipant.NONE;

  /** The number of nesting levels, including the outermost; 0 while no transaction runs. */
  int depth;

  /** Whether the commit waits until it is durable. */
  boolean sync;

  private final WriterLock lock;
  private final Turns turns;
  private Level[] levels = new Level[4];
  private long aborts;
  private long nestedRollbacks;

  /** A savepoint: the positions in everything that can be rolled back. */
  private record Level(WriteSet.Savepoint writes, int mark, int commitHooks, int abortHooks) {}

  Running(WriteSet writes, WriterLock lock, Turns turns) {
    this.writes = writes;
    this.lock = lock;
    this.turns = turns;
  }

  /** Begins a nested level. */
  void beginNested() {
    if (depth > levels.length) {
      levels = Arrays.copyOf(levels, levels.length * 2);
    }
    int mark = participant.mark();
    levels[depth - 1] =
        new Level(writes.savepoint(mark), mark, hooks.commit().size(), hooks.abort().size());
    depth++;
  }

  /** Ends the innermost nested level; returns the hooks to run. */
  List<Runnable> endNested(boolean commit) {
    Level level = levels[depth - 2];
    requireWhole(false);
    if (commit) {
      writes.release(level.writes);
      depth--;
      return Hooks.NONE;
    }
    List<Runnable> aborted = hooks.abortSince(level.abortHooks);
    // If this fails half-way, the heap is poisoned: the allocator would give out live blocks.
    writes.rollbackTo(level.writes);
    participant.rollbackTo(level.mark);
    lock.rolledBack();
    nestedRollbacks++;
    hooks.truncate(level.commitHooks, level.abortHooks);
    depth--;
    return aborted;
  }

  /**
   * Breaks the heap if an error of the virtual machine interrupted a change of the write set or of
   * the allocator's tables.
   *
   * @param all whether the whole write set is about to be cleared, so that it may be in any state
   */
  void requireWhole(boolean all) {
    if (participant.isTorn() || (!all && writes.isTorn())) {
      Throwable cause =
          new IllegalStateException(
              "an error of the virtual machine, such as a StackOverflowError, interrupted a change of "
                  + (participant.isTorn() ? "the tables of free space" : "the write set"));
      lock.broken = cause;
      throw turns.broken(cause);
    }
  }

  /** Rolls all levels back and ends the transaction. */
  void rollBack() {
    try {
      requireWhole(true);
      participant.rollbackTo(0);
      participant.reset();
      lock.rolledBack();
      aborts++;
    } catch (RuntimeException | Error e) {
      turns.breakBy(e);
      throw e;
    } finally {
      finish();
    }
  }

  /** Rolls back a failed commit and runs the hooks; their failure is suppressed in the cause. */
  void rollBack(Throwable cause) {
    List<Runnable> aborted = hooks.abort();
    rollBack();
    try {
      Hooks.run(aborted);
    } catch (RuntimeException | Error e) {
      cause.addSuppressed(e);
    }
  }

  /** Clears the state of the transaction and releases the lock; allocates nothing. */
  void finish() {
    writes.clear();
    hooks.clear();
    depth = 0;
    lock.freeing = false;
    lock.endsDue = 0;
    lock.writer = null;
    lock.owner = null;
    lock.wakeNext();
  }

  /** The number of outermost transactions that were rolled back. */
  long aborts() {
    return aborts;
  }

  /** The number of nested levels that were rolled back while the outermost one continued. */
  long nestedRollbacks() {
    return nestedRollbacks;
  }
}
