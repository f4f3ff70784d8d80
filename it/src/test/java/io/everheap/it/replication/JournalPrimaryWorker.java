package io.everheap.it.replication;

import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.replication.Primary;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A primary whose threads count: each appends its numbers, in order. */
public final class JournalPrimaryWorker {
  private JournalPrimaryWorker() {}

  /** Works until it is killed; arguments: the journal, and copies. */
  public static void main(String[] arguments) {
    System.setOut(System.err); // nothing but frames may go to descriptor 1
    Counters.orHalt(() -> work(arguments));
  }

  private static void work(String[] arguments) throws Exception {
    Journal journal = Journal.builder(Path.of(arguments[0])).segmentSize(256 << 10).open();
    long[] last = count(journal);
    Primary primary = Primary.of(journal).secret(Counters.secret()).listen(Counters.anyPort());
    primary.copies(Integer.parseInt(arguments[1]));
    Counters.start(
        primary,
        last,
        (thread, number) -> {
          byte[] record = new byte[9 + (int) (number * 37 % 3000)];
          ByteBuffer.wrap(record).put((byte) thread).putLong(number);
          journal.append(record);
        });
  }

  /** The last numbers in a journal, of which none may be missing. */
  static long[] count(Journal journal) {
    long[] last = new long[Counters.THREADS];
    try (JournalReader reader = journal.reader()) {
      while (reader.next()) {
        count(last, reader.bytes());
      }
    }
    return last;
  }

  /** Counts a record, whose number must be the next of its thread. */
  static void count(long[] last, byte[] record) {
    int thread = record[0];
    long number = ByteBuffer.wrap(record, 1, 8).getLong();
    if (number != ++last[thread]) {
      throw new AssertionError(number + " instead of " + last[thread] + " of thread " + thread);
    }
  }
}
