package io.everheap.it.journal;

import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import io.everheap.journal.JournalReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * A journal whose records can be checked after a crash: each says which thread of which run
 * appended it, and as its how manieth, and what follows is made of that. Small segments are used
 * again and again. Thread-safe.
 */
public final class JournalLedger implements AutoCloseable {
  private static final int HEADER = 16;
  private static final int SEGMENT = 256 << 10;
  private static final int MOST = 300;

  private final Journal journal;

  private JournalLedger(Journal journal) {
    this.journal = journal;
  }

  /**
   * Opens a journal, which recovers if it was not closed.
   *
   * @param interval between syncs, or zero if each append waits
   * @param retain how many bytes to keep at least, or 0 for all
   */
  public static JournalLedger open(Path directory, Duration interval, long retain) {
    JournalBuilder builder = Journal.builder(directory).segmentSize(SEGMENT);
    if (interval.isPositive()) {
      builder.async(interval);
    }
    if (retain > 0) {
      builder.retainBytes(retain);
    }
    return new JournalLedger(builder.open());
  }

  /** The journal itself. */
  public Journal journal() {
    return journal;
  }

  /** Appends a thread's next record and returns its sequence. */
  public long append(int run, int thread, long number) {
    return journal.append(record(run, thread, number));
  }

  private static byte[] record(int run, int thread, long number) {
    Random random = new Random((run * 1000L + thread) * 1_000_000_007L + number);
    byte[] bytes = new byte[HEADER + random.nextInt(MOST)];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes).putInt(run).putInt(thread).putLong(number).array();
  }

  /**
   * Checks every record: nothing is missing between those of one thread, nothing comes twice or in
   * another order, runs follow one another, and each has the bytes that its thread gave it.
   *
   * @return how many records there ever were
   */
  public long check() {
    Map<Long, Long> last = new HashMap<>();
    int lastRun = Integer.MIN_VALUE;
    try (JournalReader reader = journal.reader()) {
      while (reader.next()) {
        byte[] found = reader.bytes();
        ByteBuffer b = ByteBuffer.wrap(found);
        int run = b.getInt();
        int thread = b.getInt();
        long number = b.getLong();
        String what =
            String.format(
                Locale.ROOT,
                "record %d, of run %d, thread %d, number %d",
                reader.sequence(),
                run,
                thread,
                number);
        require(Arrays.equals(found, record(run, thread, number)), what + ", has other bytes");
        require(run >= lastRun, what + ", comes after run " + lastRun);
        lastRun = run;
        Long before = last.put(run * 1000L + thread, number);
        boolean follows =
            before == null ? number == 0 || journal.firstSequence() > 0 : number == before + 1;
        require(follows, what + ", follows number " + before);
      }
      require(reader.nextSequence() == journal.nextSequence(), "the reader ends too early");
    }
    return journal.nextSequence();
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  @Override
  public void close() {
    journal.close();
  }
}
