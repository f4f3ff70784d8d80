package io.everheap.it.crash;

import java.time.Duration;
import java.util.Locale;

/** A heap that goes through power cuts: what it must keep, and what it kept. */
final class PoweredHeap {
  /** How much longer a sync may take than the longest sync and stall that were measured. */
  private static final Duration SLACK = Duration.ofSeconds(1);

  /**
   * Acknowledgements on their way at the cut: a write to the machine's port returns once its bytes
   * are in the port's queue, which has so many places, and the emulator takes them from there.
   */
  static final int UNDELIVERED = 128;

  private final String name;
  private final Order order;
  private final Acknowledged acknowledged = new Acknowledged();
  private long atLeast;
  private long atMost;
  private long returned;
  private long recoveries;
  private long lost;

  PoweredHeap(String name, Order order) {
    this.name = name;
    this.order = order;
  }

  String name() {
    return name;
  }

  Order order() {
    return order;
  }

  Acknowledged acknowledged() {
    return acknowledged;
  }

  /** How many commits that had returned were lost, over all cuts. */
  long lost() {
    return lost;
  }

  /** Decides, after a cut and before the next boot, what must be found. */
  void expect() {
    returned = acknowledged.returned();
    // Each thread may also have made one commit that it could not acknowledge any more.
    atMost = returned + UNDELIVERED + order.threads();
    atLeast = acknowledged.durable();
    if (!order.isSync() && !order.neverSyncs()) {
      Duration age =
          order
              .interval()
              .plus(acknowledged.longestSync().multipliedBy(2))
              .plus(acknowledged.longestPause())
              .plus(SLACK);
      atLeast = Math.max(atLeast, acknowledged.returnedBefore(age));
    }
  }

  /**
   * Compares what was found with what was expected.
   *
   * @return whether anything was found since the last comparison
   */
  boolean compare() {
    if (acknowledged.recoveries() == recoveries) {
      return false;
    }
    recoveries = acknowledged.recoveries();
    long found = acknowledged.recovered();
    if (found < atLeast || found > atMost) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "%s has %d commits after the power cut, but must have %d to %d; %s",
              name,
              found,
              atLeast,
              atMost,
              order));
    }
    lost += Math.max(0, returned - found);
    return true;
  }

  /** One line about the last cut. */
  String describe() {
    return String.format(
        Locale.ROOT,
        "%s: commit %d was found, %d was the last to return, %d had to be there",
        name,
        acknowledged.recovered(),
        returned,
        atLeast);
  }
}
