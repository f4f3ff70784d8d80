package io.everheap.structure.common;

import io.everheap.engine.HeapContext;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.memory.MappedFaults;
import java.util.function.Supplier;

/**
 * Reads without a lock: an attempt loads what it needs, and counts only if its guard holds at the
 * end. What an invalid attempt saw or threw means nothing. After {@value #ATTEMPTS} of them the
 * read keeps writers out. The writer itself validates at the first attempt: stripes change at
 * commits.
 */
public final class OptimisticReads {
  /** Attempts before a reader waits for the writer. */
  public static final int ATTEMPTS = 64;

  /** No version of a stripe under which an attempt can be made. */
  public static final long BUSY = 1;

  private final HeapMemory memory;
  private final Transactions transactions;
  private final Stripes stripes;

  public OptimisticReads(HeapMemory memory, Transactions transactions) {
    this.memory = memory;
    this.transactions = transactions;
    this.stripes = transactions.stripes();
  }

  /** Reads of a heap's structures. */
  public static OptimisticReads of(HeapContext heap) {
    return new OptimisticReads(heap.memory(), heap.transactions());
  }

  /**
   * Reads under no stripe what any commit might change: a look at what a reference leads to,
   * whatever that is.
   *
   * @param attempt as {@link Attempt}
   */
  public static <T> T betweenCommits(HeapContext heap, Supplier<T> attempt) {
    return of(heap).read(new CommitGuard(heap.stripes()), guard -> attempt.get());
  }

  /** Holds until a commit changes anything. Used by one thread. */
  private static final class CommitGuard extends Guard {
    private final Stripes stripes;
    private long sequence;

    CommitGuard(Stripes stripes) {
      super(stripes, 0, 0, 1);
      this.stripes = stripes;
    }

    @Override
    boolean open() {
      sequence = stripes.sequence();
      return super.open() && (sequence & 1) == 0;
    }

    @Override
    boolean holds() {
      return isExclusive() || stripes.sequenceValid(sequence);
    }
  }

  /**
   * Begins one attempt under one stripe, for the shortest lookups.
   *
   * @return the version to give to {@link #holds}, or {@link #BUSY} if this thread runs a
   *     transaction or a commit is being applied for long: then {@link #read} is for it
   */
  public long begin(int stripe) {
    if (transactions.isWriter()) {
      return BUSY;
    }
    for (int i = 0; i < ATTEMPTS; i++) {
      long version = stripes.sample(stripe);
      if ((version & 1) == 0) {
        return version;
      }
      Thread.onSpinWait();
    }
    return BUSY;
  }

  /** Whether the attempt that began with this version counts. */
  public boolean holds(int stripe, long version) {
    if (!stripes.valid(stripe, version)) {
      return false;
    }
    transactions.checkRead();
    return true;
  }

  /** Loads and copies, but neither decodes nor runs the program's code. */
  public interface Attempt<T> {
    /**
     * Reads once.
     *
     * @param guard to be checked before a loaded length or count is trusted
     */
    T run(Guard guard);
  }

  public <T> T read(Guard guard, Attempt<T> attempt) {
    transactions.beforeRead();
    for (int i = 0; i < ATTEMPTS; i++) {
      if (!guard.open()) {
        Thread.onSpinWait();
        continue;
      }
      T result;
      try {
        result = attempt.run(guard);
        MappedFaults.arrive();
      } catch (RuntimeException e) {
        boolean held = guard.holds();
        if (held && e == Retry.INSTANCE) {
          break; // a chain too long to follow without the lock
        }
        if (held && memory.isDataFault(e)) {
          if (e instanceof EverheapException) {
            throw e;
          }
          break; // named below
        }
        continue;
      } catch (InternalError e) {
        throw transactions.faulted(e);
      }
      if (guard.holds()) {
        transactions.checkRead();
        return result;
      }
    }
    return readExclusively(guard, attempt);
  }

  private <T> T readExclusively(Guard guard, Attempt<T> attempt) {
    try {
      return transactions.exclusively(
          () -> {
            T result = attempt.run(guard.exclusive());
            MappedFaults.arrive();
            transactions.checkRead();
            return result;
          });
    } catch (IndexOutOfBoundsException | NullPointerException | IllegalStateException e) {
      transactions.requireReadable();
      throw CorruptException.heap(
          "A structure of the heap is damaged: it leads outside of the home image ("
              + e.getMessage()
              + ").");
    } catch (InternalError e) {
      throw transactions.faulted(e);
    }
  }
}
