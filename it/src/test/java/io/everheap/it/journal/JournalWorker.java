package io.everheap.it.journal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The process that is killed: checks every record of a journal, tells how many there are, and then
 * appends with many threads, telling the sequence of each append that returned.
 */
public final class JournalWorker {
  /** Bytes of what it tells: 0 and the number of records found, or 1 and a sequence. */
  static final int FRAME = 9;

  private static final int THREADS = 16;

  private JournalWorker() {}

  /** Works until it is killed: the directory, the interval in microseconds or 0, and the run. */
  @SuppressWarnings("resource") // nothing is closed before the process ends
  public static void main(String[] arguments) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err);
    try {
      JournalLedger ledger = open(Path.of(arguments[0]), Long.parseLong(arguments[1]));
      int run = Integer.parseInt(arguments[2]);
      tell(out, 0, ledger.check());
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        (t % 2 == 0 ? Thread.ofPlatform() : Thread.ofVirtual())
            .start(() -> append(ledger, run, thread, out));
      }
      Thread.currentThread().join(); // virtual threads alone keep no process alive
    } catch (Throwable e) {
      fail(e);
    }
  }

  static JournalLedger open(Path directory, long micros) {
    return JournalLedger.open(directory, Duration.ofNanos(micros * 1000), 0);
  }

  private static void append(JournalLedger ledger, int run, int thread, OutputStream out) {
    try {
      for (long number = 0; ; number++) {
        tell(out, 1, ledger.append(run, thread, number));
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  private static void tell(OutputStream out, int kind, long number) throws IOException {
    byte[] frame = ByteBuffer.allocate(FRAME).put((byte) kind).putLong(number).array();
    synchronized (out) {
      out.write(frame);
    }
  }

  private static void fail(Throwable cause) {
    cause.printStackTrace();
    Runtime.getRuntime().halt(1);
  }
}
