package io.everheap.it.replication;

import io.everheap.error.DiskFullException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.replication.Primary;
import io.everheap.replication.ReplicationStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * A primary whose threads count: each appends its numbers, in order, and tells of each when the
 * append returns.
 */
public final class JournalPrimaryWorker {
  private JournalPrimaryWorker() {}

  /** Works until it is killed; arguments: the journal, and copies. */
  public static void main(String[] arguments) {
    System.setOut(System.err); // nothing but frames may go to descriptor 1
    try {
      Journal journal = Journal.builder(Path.of(arguments[0])).segmentSize(256 << 10).open();
      long[] last = new long[PrimaryWorker.THREADS];
      try (JournalReader reader = journal.reader()) {
        while (reader.next()) {
          count(last, reader.bytes());
        }
      }
      Primary primary =
          Primary.of(journal).listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      primary.copies(Integer.parseInt(arguments[1]));
      for (int i = 0; i < last.length; i++) {
        Told.tell(Told.FOUND, i, last[i]);
      }
      Told.tell(Told.READY, 0, primary.address().getPort());
      for (int i = 0; i < last.length; i++) {
        int thread = i;
        Thread.ofPlatform().start(() -> append(journal, primary, thread, last[thread]));
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  /** Counts a record, whose number must be the next of its thread. */
  static void count(long[] last, byte[] record) {
    int thread = record[0];
    long number = ByteBuffer.wrap(record, 1, 8).getLong();
    if (number != ++last[thread]) {
      throw new AssertionError(number + " instead of " + last[thread] + " of thread " + thread);
    }
  }

  private static void append(Journal journal, Primary primary, int thread, long found) {
    try {
      long waiting = 0; // a number of which it is not known yet that a replica has it
      long end = 0; // at most from this position on
      for (long n = found + 1; true; n++) {
        byte[] record = new byte[9 + (int) (n * 37 % 3000)];
        ByteBuffer.wrap(record).put((byte) thread).putLong(n);
        append(journal, record);
        Told.tell(Told.COMMITTED, thread, n);
        if (waiting == 0) {
          waiting = n;
          end = primary.status().durable();
        } else if (copied(primary) >= end) {
          Told.tell(Told.COPIED, thread, waiting);
          waiting = 0;
        }
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  /** Appends; as long as the disk is full, again and again. */
  private static void append(Journal journal, byte[] record) {
    while (true) {
      try {
        journal.append(record);
        return;
      } catch (DiskFullException e) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private static long copied(Primary primary) {
    return primary.status().replicas().stream()
        .mapToLong(ReplicationStatus.Copy::acknowledged)
        .max()
        .orElse(Long.MIN_VALUE);
  }
}
