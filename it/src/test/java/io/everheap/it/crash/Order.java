package io.everheap.it.crash;

import io.everheap.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A heap or a journal that a worker is to open, check and write to, as one command line argument.
 *
 * @param kind which of them
 * @param heap number of the heap in acknowledgements
 * @param medium that it must turn out to be on: "file" or "dax"
 * @param intervalMicros of {@code ASYNC}; 0: {@code SYNC}
 * @param mixed whether every fourth commit or so has the other durability
 * @param threads that write
 * @param seed decides what each commit does; the same over the heap's whole life
 * @param run decides what the threads do; another one in each process
 * @param directory of the heap
 */
record Order(
    Kind kind,
    int heap,
    String medium,
    long intervalMicros,
    boolean mixed,
    int threads,
    long seed,
    int run,
    Path directory) {
  /** What is written to. */
  enum Kind {
    HEAP,
    /** An encrypted heap. */
    ENCRYPTED,
    /** A heap whose commits wait for a replica. */
    PRIMARY,
    JOURNAL
  }

  static final Duration NEVER = Duration.ofHours(1);

  /** On which a primary listens. */
  static final int PORT = 7400;

  private static final Duration OTHER = Duration.ofMillis(3);

  String toArgument() {
    return String.join(
        ",",
        List.of(
            kind.name(),
            Integer.toString(heap),
            medium,
            Long.toString(intervalMicros),
            Boolean.toString(mixed),
            Integer.toString(threads),
            Long.toString(seed),
            Integer.toString(run),
            directory.toString()));
  }

  static Order of(String argument) {
    String[] parts = argument.split(",", 9);
    return new Order(
        Kind.valueOf(parts[0]),
        Integer.parseInt(parts[1]),
        parts[2],
        Long.parseLong(parts[3]),
        Boolean.parseBoolean(parts[4]),
        Integer.parseInt(parts[5]),
        Long.parseLong(parts[6]),
        Integer.parseInt(parts[7]),
        Path.of(parts[8]));
  }

  Order withRun(int newRun) {
    return new Order(kind, heap, medium, intervalMicros, mixed, threads, seed, newRun, directory);
  }

  boolean isSync() {
    return intervalMicros == 0;
  }

  /** Whether the interval is so long that the heap is never synced for its commits' sake. */
  boolean neverSyncs() {
    return interval().compareTo(NEVER) >= 0;
  }

  Durability durability() {
    return isSync() ? Durability.SYNC : Durability.async(interval());
  }

  /** What a mixed heap's other commits have. */
  Durability otherDurability() {
    return isSync() ? Durability.async(OTHER) : Durability.SYNC;
  }

  Duration interval() {
    return Duration.ofNanos(intervalMicros * 1_000);
  }
}
