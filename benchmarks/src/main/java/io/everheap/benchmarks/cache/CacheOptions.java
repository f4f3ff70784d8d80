package io.everheap.benchmarks.cache;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code cache}. */
final class CacheOptions {
  private static final double NANOS_PER_MICRO = 1e3;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "How many blocks of 64 KiB there are (16384; quick: 1024).")
  private @Nullable Integer blocks;

  @Option(
      names = "--entries",
      paramLabel = "N",
      description = "How many small entries are loaded (10000000; quick: 100000).")
  private @Nullable Integer entries;

  @Option(
      names = "--latency",
      paramLabel = "MICROSECONDS",
      defaultValue = "100",
      description = "How long the source takes for a miss (${DEFAULT-VALUE}).")
  private double latency = 100;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long a case runs, after half as long to warm up (3; quick: 0.3), and a new process"
              + " after a kill (10; quick: 2).")
  private @Nullable Double seconds;

  int blocks(boolean quick) {
    return blocks != null ? blocks : quick ? 1024 : 16_384;
  }

  int entries(boolean quick) {
    return entries != null ? entries : quick ? 100_000 : 10_000_000;
  }

  long latencyNanos() {
    return Math.round(latency * NANOS_PER_MICRO);
  }

  long millis(boolean quick) {
    return millis(quick ? 300 : 3000);
  }

  long millisAfterKill(boolean quick) {
    return millis(quick ? 2000 : 10_000);
  }

  private long millis(long unlessGiven) {
    return seconds == null ? unlessGiven : Math.round(seconds * 1e3);
  }
}
