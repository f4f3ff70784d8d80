package io.everheap.collection.base;

import io.everheap.engine.Engine;
import io.everheap.engine.tx.Transactions;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the changes of small structures as transactions. */
public final class Atomic {
  private Atomic() {}

  /** Runs a body as a transaction, or as a part of the running one. */
  public static <T extends @Nullable Object> T call(Transactions tx, Supplier<T> body) {
    boolean ok = false;
    tx.begin();
    T result;
    try {
      result = body.get();
      ok = true;
    } finally {
      tx.end(ok);
    }
    return result;
  }

  /** Runs a body as a transaction, or as a part of the running one. */
  public static void run(Transactions tx, Runnable body) {
    boolean ok = false;
    tx.begin();
    try {
      body.run();
      ok = true;
    } finally {
      tx.end(ok);
    }
  }

  /** The same for a heap. */
  public static void run(Engine engine, Runnable body) {
    run(engine.transactions(), body);
  }
}
