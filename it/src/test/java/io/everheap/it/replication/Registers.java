package io.everheap.it.replication;

import io.everheap.replication.Primary;
import io.everheap.replication.ReplicaStatus;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * Registers in something that is replicated. Each operation is written, also one that only reads:
 * so it waits for the copies, and it cannot have seen what is lost later. Thread-safe.
 */
interface Registers {
  /** What an operation found, and its number: the first one is 1. */
  record Outcome(long found, long sequence) {}

  /** Returns when it is durable, and copied as the primary asks. */
  Outcome operate(int client, Operation.Kind kind, int key, long value, long expected);

  /** The number of the last operation. */
  long sequence();

  /** A primary of them, to be opened. */
  Primary.Builder primary();

  /** What follows a primary of registers. */
  interface Follower {
    ReplicaStatus status();

    /** Throws if what is there was not written like that. */
    void check();

    Registers promote();
  }

  /** In what they are. */
  enum Place {
    HEAP {
      @Override
      Registers open(Path directory, Path archive) {
        return HeapRegisters.open(directory, archive);
      }

      @Override
      Follower follow(Path directory, InetSocketAddress primary) {
        return new HeapRegisters.Follower(directory, primary);
      }
    },
    JOURNAL {
      @Override
      Registers open(Path directory, Path archive) {
        return JournalRegisters.open(directory);
      }

      @Override
      Follower follow(Path directory, InetSocketAddress primary) {
        return new JournalRegisters.Follower(directory, primary);
      }
    };

    /** Opens them, and throws an {@link AssertionError} if they are not whole. */
    abstract Registers open(Path directory, Path archive);

    abstract Follower follow(Path directory, InetSocketAddress primary);
  }
}
