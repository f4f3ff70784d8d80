package io.everheap.benchmarks.store;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that all experiments on stores share; each names its defaults when it asks. */
public final class ClientOptions {
  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      description =
          "Numbers of client threads (ycsb: 1,2; quick: 2. scaling: 1,2,4,8,16; quick: 1,16."
              + " recovery, which takes one number: 2).")
  private List<Integer> threads = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description =
          "How long a case runs (ycsb: 5, scaling: 3, both after half as long to warm up; recovery:"
              + " 20 before the kill and 20 after it; quick: at most 1).")
  private @Nullable Double seconds;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description =
          "The Java heap of the process that is measured (ycsb, scaling: 4g, recovery: 6g; quick:"
              + " 1g).")
  private @Nullable String heap;

  /** Makes options of which none is given. */
  public ClientOptions() {}

  /**
   * Returns the numbers of client threads.
   *
   * @param unlessGiven the default
   */
  public List<Integer> threads(List<Integer> unlessGiven) {
    return threads.isEmpty() ? unlessGiven : threads;
  }

  /**
   * Returns how long a case runs.
   *
   * @param unlessGiven the default, in milliseconds
   * @return milliseconds
   */
  public long millis(long unlessGiven) {
    return seconds == null ? unlessGiven : Math.round(seconds * 1e3);
  }

  /**
   * Returns the size of the Java heap, as {@code -Xmx} takes it.
   *
   * @param unlessGiven the default
   */
  public String heap(String unlessGiven) {
    return heap == null ? unlessGiven : heap;
  }
}
