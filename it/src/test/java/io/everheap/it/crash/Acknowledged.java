package io.everheap.it.crash;

import java.time.Duration;
import java.util.Arrays;

/**
 * What a worker told of one heap: over the heap's life, the number of the last commit that must be
 * there after a kill and after a power cut. Thread-safe.
 */
final class Acknowledged {
  private long recoveries;
  private long recovered;
  private long returned;
  private long durable;
  private long longestSync;
  private long longestPause;
  private long count;
  private long lastTime;
  private long[] numbers = new long[1 << 10]; // of commits that returned in this run
  private long[] times = new long[1 << 10];
  private int size;

  synchronized void add(Ack ack) {
    switch (ack.kind()) {
      case RECOVERED -> {
        recoveries++;
        recovered = ack.commit();
        // The recovered state is the base of all that follows; recovery made it durable.
        returned = recovered;
        durable = recovered;
        longestSync = 0;
        longestPause = 0;
        size = 0;
      }
      case RETURNED -> {
        count++;
        returned = Math.max(returned, ack.commit());
        remember(ack);
      }
      case DURABLE -> {
        durable = Math.max(durable, ack.commit());
        longestSync = Math.max(longestSync, ack.nanos());
      }
      case LOST -> throw new IllegalArgumentException(ack + " is not about a heap");
    }
  }

  private void remember(Ack ack) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, size * 2);
      times = Arrays.copyOf(times, size * 2);
    }
    numbers[size] = ack.commit();
    times[size++] = ack.nanos();
    if (size == 1) {
      lastTime = ack.nanos();
    } else {
      longestPause = Math.max(longestPause, ack.nanos() - lastTime);
      lastTime = Math.max(lastTime, ack.nanos());
    }
  }

  /** How often the heap was opened and found in order. */
  synchronized long recoveries() {
    return recoveries;
  }

  /** The last commit that was found at the last opening. */
  synchronized long recovered() {
    return recovered;
  }

  /** How many commits were acknowledged, over all runs. */
  synchronized long count() {
    return count;
  }

  /** The last commit that returned: a kill must not lose it. */
  synchronized long returned() {
    return returned;
  }

  /** The last commit that the library called durable: a power cut must not lose it. */
  synchronized long durable() {
    return durable;
  }

  /** The longest sync of this run that somebody asked for. */
  synchronized Duration longestSync() {
    return Duration.ofNanos(longestSync);
  }

  /** The longest time of this run in which no commit returned, as when the machine stalls. */
  synchronized Duration longestPause() {
    return Duration.ofNanos(longestPause);
  }

  /** The last commit of this run that returned so long before the last acknowledgement, or 0. */
  synchronized long returnedBefore(Duration age) {
    long latest = 0;
    for (int i = 0; i < size; i++) {
      if (lastTime - times[i] > age.toNanos()) {
        latest = Math.max(latest, numbers[i]);
      }
    }
    return latest;
  }
}
