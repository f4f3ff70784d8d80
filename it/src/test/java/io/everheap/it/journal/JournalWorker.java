package io.everheap.it.journal;

import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import io.everheap.journal.JournalReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/**
 * The process that is killed: checks every record of a journal, tells how many there are, and then
 * appends with several threads, telling the sequence of each append that returned.
 */
public final class JournalWorker {
  /** Bytes of what it tells: 0 and the number of records found, or 1 and a sequence. */
  static final int FRAME = 9;

  private static final int THREADS = 4;

  private JournalWorker() {}

  /** Works until it is killed: the directory, and the interval in microseconds or 0. */
  @SuppressWarnings("resource") // nothing is closed before the process ends
  public static void main(String[] arguments) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err);
    try {
      Journal journal = open(Path.of(arguments[0]), Long.parseLong(arguments[1]));
      check(journal);
      tell(out, 0, journal.nextSequence());
      for (int t = 0; t < THREADS; t++) {
        Thread.ofPlatform().start(() -> append(journal, out));
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  static Journal open(Path directory, long micros) {
    JournalBuilder builder = Journal.builder(directory).segmentSize(256 << 10);
    return (micros == 0 ? builder : builder.async(Duration.ofNanos(micros * 1000))).open();
  }

  /** Each record holds a seed, and what a generator makes of it. */
  static byte[] record(long seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[8 + random.nextInt(300)];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes).putLong(seed).array();
  }

  static void check(Journal journal) {
    try (JournalReader reader = journal.reader()) {
      while (reader.next()) {
        byte[] bytes = reader.bytes();
        if (!java.util.Arrays.equals(bytes, record(ByteBuffer.wrap(bytes).getLong()))) {
          throw new AssertionError("record " + reader.sequence() + " is another one's");
        }
      }
      if (reader.nextSequence() != journal.nextSequence()) {
        throw new AssertionError("the reader ends at " + reader.nextSequence());
      }
    }
  }

  private static void append(Journal journal, OutputStream out) {
    Random random = new Random();
    try {
      while (true) {
        tell(out, 1, journal.append(record(random.nextLong())));
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  private static void tell(OutputStream out, int kind, long number) throws IOException {
    synchronized (out) {
      out.write(ByteBuffer.allocate(FRAME).put((byte) kind).putLong(number).array());
    }
  }

  private static void fail(Throwable cause) {
    cause.printStackTrace();
    Runtime.getRuntime().halt(1);
  }
}
