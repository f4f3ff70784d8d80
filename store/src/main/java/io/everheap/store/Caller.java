package io.everheap.store;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Knows of each thread which code of the program it runs for the store. Thread-safe. */
final class Caller {
  /** The code. */
  enum Inside {
    READ,
    FUNCTION
  }

  @SuppressWarnings("ThreadLocalUsage") // what runs belongs to a thread and a store
  private final ThreadLocal<Inside> inside = new ThreadLocal<>();

  boolean isInside() {
    return inside.get() != null;
  }

  boolean isInside(Inside code) {
    return inside.get() == code;
  }

  /** Refuses a write inside of a read or of a function that runs inside a write. */
  void requireWritable() {
    if (isInside()) {
      throw new IllegalStateException(
          "a write of the store inside another one, or inside of ShardedStore.read");
    }
  }

  /** Runs code of the program, which cannot write: not to any shard. */
  <T extends @Nullable Object> T run(Inside code, Supplier<T> body) {
    inside.set(code);
    try {
      return body.get();
    } finally {
      inside.remove();
    }
  }
}
