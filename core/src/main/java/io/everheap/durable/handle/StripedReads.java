package io.everheap.durable.handle;

import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.memory.MappedFaults;
import org.jspecify.annotations.Nullable;

/**
 * Optimistic reads of more than one word of an object: an attempt is valid only if the object's
 * stripe did not change meanwhile. After {@value #ATTEMPTS} invalid ones the read takes the writer
 * lock.
 *
 * <p>Safe for use by many threads.
 */
final class StripedReads {
  static final int ATTEMPTS = 64;

  private final HeapMemory memory;
  private final Transactions transactions;
  private final Stripes stripes;

  StripedReads(HeapMemory memory, Transactions transactions) {
    this.memory = memory;
    this.transactions = transactions;
    this.stripes = transactions.stripes();
  }

  /** One attempt to read: it loads and copies, and runs no user code. */
  interface Attempt<T> {
    /**
     * Reads once.
     *
     * @param check to be asked before memory is allocated for a loaded length
     */
    @Nullable T run(Check check);
  }

  /** Tells whether everything loaded so far is of one committed state. */
  interface Check {
    /** Returns whether it is; if not, what the attempt returns or throws is ignored. */
    boolean holds();
  }

  <T> @Nullable T read(int stripe, Attempt<T> attempt) {
    transactions.beforeRead();
    for (int i = 0; i < ATTEMPTS; i++) {
      long version = stripes.sample(stripe);
      if ((version & 1) != 0) {
        Thread.onSpinWait();
        continue;
      }
      @Nullable T result;
      try {
        result = attempt.run(() -> stripes.valid(stripe, version));
        MappedFaults.arrive();
      } catch (RuntimeException e) {
        if (stripes.valid(stripe, version) && memory.isDataFault(e)) {
          if (e instanceof EverheapException) {
            transactions.checkRead();
            throw e;
          }
          break; // the exclusive read reports it
        }
        continue;
      } catch (InternalError e) {
        throw transactions.faulted(e);
      }
      if (stripes.valid(stripe, version)) {
        transactions.checkRead();
        return result;
      }
    }
    return readExclusively(attempt);
  }

  @SuppressWarnings("NullAway") // it does not follow the type of the result into the lambda
  private <T> @Nullable T readExclusively(Attempt<T> attempt) {
    try {
      return transactions.<@Nullable T, RuntimeException>exclusively(
          () -> {
            @Nullable T result = attempt.run(() -> true);
            MappedFaults.arrive();
            transactions.checkRead();
            return result;
          });
    } catch (IndexOutOfBoundsException | NullPointerException | IllegalStateException e) {
      transactions.requireReadable();
      throw CorruptException.heap(
          "An object of the heap is damaged: it leads outside of the home image ("
              + e.getMessage()
              + ").");
    } catch (InternalError e) {
      throw transactions.faulted(e);
    }
  }
}
