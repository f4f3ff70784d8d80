package io.everheap.engine.tx;

import java.util.Arrays;
import java.util.List;

/**
 * The running transaction: its levels, what each of them undoes, and its end. Guarded by the writer
 * lock.
 */
final class Running {
  final WriteSet writes;
  final Hooks hooks = new Hooks();
  CommitParticipant participant = CommitParticipant.NONE;

  /** The levels, the outermost included; 0 when no transaction runs. */
  int depth;

  /** Whether the commit is durable when it returns. */
  boolean sync;

  private final WriterLock lock;
  private final Turns turns;
  private Level[] levels = new Level[4];
  private long aborts;

  /** Where a savepoint stands in everything that can be rolled back. */
  private record Level(WriteSet.Savepoint writes, int mark, int commitHooks, int abortHooks) {}

  Running(WriteSet writes, WriterLock lock, Turns turns) {
    this.writes = writes;
    this.lock = lock;
    this.turns = turns;
  }

  /** Begins a level within. */
  void beginNested() {
    if (depth > levels.length) {
      levels = Arrays.copyOf(levels, levels.length * 2);
    }
    int mark = participant.mark();
    levels[depth - 1] =
        new Level(writes.savepoint(mark), mark, hooks.commit().size(), hooks.abort().size());
    depth++;
  }

  /** Ends a level within; returns the hooks to run. */
  List<Runnable> endNested(boolean commit) {
    Level level = levels[depth - 2];
    requireWhole(false);
    if (commit) {
      writes.release(level.writes);
      depth--;
      return Hooks.NONE;
    }
    List<Runnable> aborted = hooks.abortSince(level.abortHooks);
    // A rollback that fails half-way leaves summaries that would give live blocks away.
    writes.rollbackTo(level.writes);
    participant.rollbackTo(level.mark);
    lock.rolledBack();
    hooks.truncate(level.commitHooks, level.abortHooks);
    depth--;
    return aborted;
  }

  /**
   * Refuses to go on with what an error of the virtual machine cut in half.
   *
   * @param all whether the write set is about to be forgotten, so that it may be in any state
   */
  void requireWhole(boolean all) {
    if (participant.isTorn() || (!all && writes.isTorn())) {
      Throwable cause =
          new IllegalStateException(
              "an error of the virtual machine, such as a StackOverflowError, ended a change of "
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

  /** Rolls back what could not be committed; the failure of a hook goes with its cause. */
  void rollBack(Throwable cause) {
    List<Runnable> aborted = hooks.abort();
    rollBack();
    try {
      Hooks.run(aborted);
    } catch (RuntimeException | Error e) {
      cause.addSuppressed(e);
    }
  }

  /** Clears what belongs to the transaction and gives the lock away; allocates nothing. */
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

  /** Outermost transactions rolled back so far. */
  long aborts() {
    return aborts;
  }
}
