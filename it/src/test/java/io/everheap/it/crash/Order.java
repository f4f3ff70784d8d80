package io.everheap.it.crash;

import io.everheap.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A heap that a worker is to open, check and write to, as one command line argument.
 *
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
    int heap,
    String medium,
    long intervalMicros,
    boolean mixed,
    int threads,
    long seed,
    int run,
    Path directory) {
  static final Duration NEVER = Duration.ofHours(1);

  private static final Duration OTHER = Duration.ofMillis(3);

  String toArgument() {
    return String.join(
        ",",
        List.of(
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
    String[] parts = argument.split(",", 8);
    return new Order(
        Integer.parseInt(parts[0]),
        parts[1],
        Long.parseLong(parts[2]),
        Boolean.parseBoolean(parts[3]),
        Integer.parseInt(parts[4]),
        Long.parseLong(parts[5]),
        Integer.parseInt(parts[6]),
        Path.of(parts[7]));
  }

  Order withRun(int newRun) {
    return new Order(heap, medium, intervalMicros, mixed, threads, seed, newRun, directory);
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
