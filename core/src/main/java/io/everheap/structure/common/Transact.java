package io.everheap.structure.common;

import io.everheap.engine.tx.Transactions;
import io.everheap.error.DiskFullException;
import io.everheap.error.HeapFullException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs code as a transaction, or as a part of this thread's that can be undone alone. */
public final class Transact {
  private Transact() {}

  /** Runs a body and returns its result. */
  public static <T extends @Nullable Object> T call(Transactions tx, Supplier<T> body) {
    boolean ok = false;
    tx.begin();
    T result;
    try {
      result = body.get();
      ok = true;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
    return result;
  }

  /** Runs a body. */
  public static void run(Transactions tx, Runnable body) {
    boolean ok = false;
    tx.begin();
    try {
      body.run();
      ok = true;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  /** The same for a heap. */
  public static void run(StructureContext heap, Runnable body) {
    run(heap.transactions(), body);
  }

  /**
   * Runs a body that makes removing things cheap, or undoes it if there is no space: to remove
   * things is how a heap gets some, so that has to do without.
   *
   * @return false if there is no space
   */
  public static boolean tryRun(StructureContext heap, Runnable body) {
    Transactions tx = heap.transactions();
    boolean ok = false;
    tx.begin();
    try {
      body.run();
      ok = true;
    } catch (HeapFullException | DiskFullException e) {
      return false;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
    return true;
  }
}
