package io.everheap.collection;

import io.everheap.engine.Engine;
import io.everheap.engine.tx.Transactions;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the changes of small structures as transactions. */
final class Atomic {
  private Atomic() {}

  /** Runs a body as a transaction, or as a part of the running one. */
  static <T extends @Nullable Object> T call(Transactions tx, Supplier<T> body) {
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
  static void run(Transactions tx, Runnable body) {
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
  static void run(Engine engine, Runnable body) {
    run(engine.transactions(), body);
  }
}
