package io.everheap.cli.demo;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transfers that the worker acknowledged, 8 bytes each: all that the parent knows about what
 * must be in the heap. Every thread of a run acknowledges its transfers in order, so the position
 * in a sequence is the sequence number.
 *
 * <p>Safe for one thread that adds while others count.
 */
final class Acknowledged {
  private static final int FIRST_CAPACITY = 1 << 10;

  private final Map<Integer, Sequence> sequences = new HashMap<>();
  private volatile long count;

  /** The fingerprints of what one thread of one run acknowledged. */
  static final class Sequence {
    private long[] fingerprints = new long[FIRST_CAPACITY];
    private int size;

    int size() {
      return size;
    }

    long fingerprint(int sequence) {
      return fingerprints[sequence];
    }

    private void add(long fingerprint) {
      if (size == fingerprints.length) {
        fingerprints = Arrays.copyOf(fingerprints, size * 2);
      }
      fingerprints[size++] = fingerprint;
    }
  }

  /**
   * Adds the next transfer of its thread.
   *
   * @throws IllegalStateException if it is not the next one: the worker acknowledges wrongly
   */
  synchronized void add(long id, long account, long teller, long delta) {
    Sequence sequence =
        sequences.computeIfAbsent(
            key(TransferId.run(id), TransferId.thread(id)), key -> new Sequence());
    if (TransferId.sequence(id) != sequence.size) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the worker acknowledged %s after %d others",
              TransferId.describe(id),
              sequence.size));
    }
    sequence.add(Transfer.fingerprint(account, teller, delta));
    count = count + 1;
  }

  /** How many transfers were acknowledged. */
  long count() {
    return count;
  }

  /** What a thread acknowledged, or null if nothing. */
  synchronized @Nullable Sequence sequence(int run, int thread) {
    return sequences.get(key(run, thread));
  }

  private static int key(int run, int thread) {
    return run * TransferId.MAX_THREADS + thread;
  }
}
