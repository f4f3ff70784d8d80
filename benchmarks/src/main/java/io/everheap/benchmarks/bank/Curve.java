package io.everheap.benchmarks.bank;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many transactions ended in each tenth of a second. Any thread may count; the other methods
 * are called when no thread counts any more.
 */
final class Curve {
  /** The length of a bucket. */
  static final double SECONDS = 0.1;

  private static final double NANOS = SECONDS * 1e9;
  private static final int WINDOW = 3;
  private static final double FULL = 0.9;
  private static final String PREFIX = "bucket";

  private final AtomicLongArray counts;

  Curve(double seconds) {
    counts = new AtomicLongArray((int) Math.ceil(seconds / SECONDS));
  }

  /** Counts a transaction that ended so long after the start; none after the end of the curve. */
  void count(long nanos) {
    int bucket = (int) (nanos / NANOS);
    if (bucket < counts.length()) {
      counts.incrementAndGet(bucket);
    }
  }

  /** The answer of a worker. */
  Map<String, Double> values() {
    Map<String, Double> values = new HashMap<>();
    for (int i = 0; i < counts.length(); i++) {
      values.put(PREFIX + i, counts.get(i) / SECONDS);
    }
    return values;
  }

  /** Reads an answer: transactions per second in each bucket. */
  static double[] read(Map<String, Double> values) {
    int size = (int) values.keySet().stream().filter(name -> name.startsWith(PREFIX)).count();
    double[] rates = new double[size];
    Arrays.setAll(rates, i -> values.getOrDefault(PREFIX + i, 0.0));
    return rates;
  }

  /** The median of the later half. */
  static double settled(double[] rates) {
    double[] half = Arrays.copyOfRange(rates, rates.length / 2, rates.length);
    Arrays.sort(half);
    return half[half.length / 2];
  }

  /** When the rate first was, for three buckets on average, 90 % of a full one. */
  static OptionalDouble fullSpeed(double[] rates, double full) {
    for (int i = 0; i + WINDOW <= rates.length; i++) {
      double mean = Arrays.stream(rates, i, i + WINDOW).average().orElse(0);
      if (mean >= FULL * full) {
        return OptionalDouble.of(i * SECONDS);
      }
    }
    return OptionalDouble.empty();
  }
}
