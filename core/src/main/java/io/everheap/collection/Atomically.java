package io.everheap.collection;

import io.everheap.engine.tx.Transactions;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs code as a transaction, or as a part of this thread's that can be undone alone. */
final class Atomically {
  private Atomically() {}

  static <T extends @Nullable Object> T get(Transactions tx, Supplier<T> body) {
    boolean ok = false;
    tx.begin();
    try {
      T result = body.get();
      ok = true;
      return result;
    } finally {
      tx.end(ok);
    }
  }

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
}
