package io.everheap.cli.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The results of a demo, one for each kill. For one thread. */
final class DemoResult {
  private final List<Kill> kills = new ArrayList<>();

  /**
   * One kill and what was found after it.
   *
   * @param runNanos from the start of the transfers to the kill
   * @param acknowledged transfers acknowledged in all, up to this kill
   * @param recoveryNanos from opening the killed heap to the first rows read
   * @param replayed transactions that recovery took from the log
   */
  record Kill(
      int number,
      long runNanos,
      long acknowledged,
      long recoveryNanos,
      long replayed,
      CheckResult check) {}

  void add(Kill kill) {
    kills.add(kill);
  }

  List<Kill> kills() {
    return Collections.unmodifiableList(kills);
  }

  boolean passed() {
    return !kills.isEmpty() && kills.stream().allMatch(kill -> kill.check().passed());
  }

  long acknowledged() {
    return kills.isEmpty() ? 0 : kills.getLast().acknowledged();
  }

  long lost() {
    return kills.stream().mapToLong(kill -> kill.check().lost()).max().orElse(0);
  }

  /** Transfers that were committed but not acknowledged, since the kill came in between. */
  long unacknowledged() {
    return kills.isEmpty() ? 0 : kills.getLast().check().unacknowledged();
  }

  /** The money in the accounts beyond the sum of the history; negative if some is missing. */
  long money() {
    return kills.isEmpty() ? 0 : kills.getLast().check().money();
  }

  /** Transfers per second of running workers. */
  long rate() {
    long nanos = kills.stream().mapToLong(Kill::runNanos).sum();
    return nanos == 0 ? 0 : Math.round(acknowledged() * 1e9 / nanos);
  }

  double medianRecoveryMillis() {
    long[] sorted = kills.stream().mapToLong(Kill::recoveryNanos).sorted().toArray();
    int middle = sorted.length / 2;
    if (sorted.length == 0) {
      return 0;
    }
    long median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return median / 1e6;
  }

  double longestRecoveryMillis() {
    return kills.stream().mapToLong(Kill::recoveryNanos).max().orElse(0) / 1e6;
  }
}
