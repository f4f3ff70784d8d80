package io.everheap.cli.demo;

import java.util.Locale;

/**
 * The number of a transfer, which is also its key in the history: which start of the worker process
 * made it, which of its threads, and how many that thread made before.
 *
 * <pre>
 * bit 63      62..48   47..40     39..0
 *   0   |      run   | thread | sequence
 * </pre>
 */
final class TransferId {
  static final int MAX_RUNS = 1 << 15;
  static final int MAX_THREADS = 1 << 8;

  private static final int RUN_SHIFT = 48;
  private static final int THREAD_SHIFT = 40;
  private static final long SEQUENCE_MASK = (1L << THREAD_SHIFT) - 1;

  private TransferId() {}

  static long of(int run, int thread, long sequence) {
    return (long) run << RUN_SHIFT | (long) thread << THREAD_SHIFT | sequence;
  }

  static int run(long id) {
    return (int) (id >>> RUN_SHIFT);
  }

  static int thread(long id) {
    return (int) (id >>> THREAD_SHIFT) & (MAX_THREADS - 1);
  }

  static long sequence(long id) {
    return id & SEQUENCE_MASK;
  }

  /** The id in words, for messages. */
  static String describe(long id) {
    return String.format(
        Locale.ROOT, "transfer %d of thread %d in run %d", sequence(id), thread(id), run(id));
  }
}
