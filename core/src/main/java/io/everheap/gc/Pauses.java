package io.everheap.gc;

import java.time.Duration;

/** How long a collection kept writers out. */
final class Pauses {
  private long longest;

  void add(long nanos) {
    longest = Math.max(longest, nanos);
  }

  Duration longest() {
    return Duration.ofNanos(longest);
  }
}
