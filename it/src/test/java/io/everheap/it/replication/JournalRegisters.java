package io.everheap.it.replication;

import io.everheap.error.EverheapException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.replication.JournalReplica;
import io.everheap.replication.Primary;
import io.everheap.replication.ReplicaStatus;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Registers whose operations are the records of a journal: a state machine. The operations of the
 * records are repeated when it is opened, and must find what they found before.
 */
final class JournalRegisters implements Registers {
  private static final int SEGMENT = 64 << 10; // small: a campaign fills many

  private final Journal journal;
  private final State state = new State(); // guarded by this

  private JournalRegisters(Journal journal) {
    this.journal = journal;
    try (JournalReader reader = journal.reader()) {
      state.repeat(reader);
    }
  }

  static Registers open(Path directory) {
    return new JournalRegisters(Journal.builder(directory).segmentSize(SEGMENT).open());
  }

  /** The registers, and how many operations there were. Not thread-safe. */
  private static final class State {
    private static final int BYTES = 2 * Integer.BYTES + 4 * Long.BYTES;

    private final long[] registers = new long[RegisterNode.REGISTERS];
    private long operations;

    /** Returns the record of an operation. */
    byte[] operate(Operation.Kind kind, int key, long value, long expected) {
      long found = registers[key];
      if (kind.writes(found, expected)) {
        registers[key] = value;
      }
      return ByteBuffer.allocate(BYTES)
          .putInt(kind.number())
          .putInt(key)
          .putLong(value)
          .putLong(expected)
          .putLong(found)
          .putLong(++operations)
          .array();
    }

    void repeat(JournalReader reader) {
      while (reader.next()) {
        ByteBuffer record = ByteBuffer.wrap(reader.bytes());
        byte[] repeated =
            operate(
                Operation.Kind.of(record.getInt()),
                record.getInt(),
                record.getLong(),
                record.getLong());
        if (operations != reader.sequence() + 1) {
          throw new AssertionError(
              String.format(
                  Locale.ROOT, "operation %d is record %d", operations, reader.sequence()));
        }
        if (!ByteBuffer.wrap(repeated).equals(record.rewind())) {
          throw new AssertionError(
              String.format(
                  Locale.ROOT,
                  "record %d says that an operation found %d, as number %d: now it finds %d",
                  reader.sequence(),
                  record.getLong(BYTES - 2 * Long.BYTES),
                  record.getLong(BYTES - Long.BYTES),
                  ByteBuffer.wrap(repeated).getLong(BYTES - 2 * Long.BYTES)));
        }
      }
    }
  }

  @Override
  public Outcome operate(int client, Operation.Kind kind, int key, long value, long expected) {
    long found;
    CompletableFuture<Long> durable;
    synchronized (this) {
      found = state.registers[key];
      // If this fails, so does all that comes: the journal is closed, fenced, or its disk failed.
      durable = journal.appendAsync(state.operate(kind, key, value, expected));
    }
    try {
      return new Outcome(found, durable.join() + 1);
    } catch (CompletionException e) {
      if (e.getCause() instanceof EverheapException cause) {
        throw cause;
      }
      throw e;
    }
  }

  @Override
  public synchronized long sequence() {
    return state.operations;
  }

  @Override
  public Primary.Builder primary() {
    return Primary.of(journal);
  }

  /** A replica of the journal, which is read while it follows. */
  static final class Follower implements Registers.Follower {
    private final JournalReplica replica;
    private final State seen = new State();
    private final JournalReader reader;

    Follower(Path directory, InetSocketAddress primary) {
      replica =
          JournalReplica.of(directory)
              .primary(primary)
              .secret(RegisterNode.secret(directory))
              .anew()
              .open();
      reader = replica.journal().reader();
    }

    @Override
    public ReplicaStatus status() {
      return replica.status();
    }

    @Override
    public void check() {
      seen.repeat(reader);
    }

    @Override
    public Registers promote() {
      check();
      reader.close();
      JournalRegisters promoted = new JournalRegisters(replica.promote());
      if (promoted.sequence() < seen.operations) {
        throw new AssertionError(
            String.format(
                Locale.ROOT,
                "%d operations were seen, of which %d are left",
                seen.operations,
                promoted.sequence()));
      }
      return promoted;
    }
  }
}
