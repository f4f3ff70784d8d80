package io.everheap.benchmarks.harness;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many operations ended in each tenth of a second. Any thread may count; the other methods are
 * called when no thread counts any more.
 */
public final class Curve {
  /** The length of a bucket. */
  public static final double SECONDS = 0.1;

  private static final double NANOS = SECONDS * 1e9;
  private static final int WINDOW = 3;
  private static final double FULL = 0.9;
  private static final String BUCKET = "bucket";

  private final AtomicLongArray counts;

  /**
   * Makes a curve.
   *
   * @param seconds its length
   */
  public Curve(double seconds) {
    counts = new AtomicLongArray((int) Math.ceil(seconds / SECONDS));
  }

  /**
   * Counts an operation, unless it ended after the end of the curve.
   *
   * @param nanos from the start until it ended
   */
  public void count(long nanos) {
    int bucket = (int) (nanos / NANOS);
    if (bucket < counts.length()) {
      counts.incrementAndGet(bucket);
    }
  }

  /** The answer of a worker that has one curve. */
  public Map<String, Double> values() {
    return values(BUCKET);
  }

  /**
   * A part of the answer of a worker.
   *
   * @param name of the curve; ends with no digit
   * @return operations per second by bucket
   */
  public Map<String, Double> values(String name) {
    Map<String, Double> values = new HashMap<>();
    for (int i = 0; i < counts.length(); i++) {
      values.put(name + i, counts.get(i) / SECONDS);
    }
    return values;
  }

  /**
   * Reads the answer of a worker that has one curve.
   *
   * @param values the answer
   * @return operations per second in each bucket
   */
  public static double[] read(Map<String, Double> values) {
    return read(values, BUCKET);
  }

  /**
   * Reads a curve of an answer.
   *
   * @param values the answer
   * @param curve its name
   * @return operations per second in each bucket
   */
  public static double[] read(Map<String, Double> values, String curve) {
    int size = (int) values.keySet().stream().filter(name -> name.startsWith(curve)).count();
    double[] rates = new double[size];
    Arrays.setAll(rates, i -> values.getOrDefault(curve + i, 0.0));
    return rates;
  }

  /**
   * The median of the later half.
   *
   * @param rates operations per second in each bucket
   */
  public static double settled(double[] rates) {
    double[] half = Arrays.copyOfRange(rates, rates.length / 2, rates.length);
    Arrays.sort(half);
    return half[half.length / 2];
  }

  /**
   * When the rate first was, for three buckets on average, 90 % of a full one.
   *
   * @param rates operations per second in each bucket
   * @param full the full rate
   * @return seconds; empty if it never was
   */
  public static OptionalDouble fullSpeed(double[] rates, double full) {
    for (int i = 0; i + WINDOW <= rates.length; i++) {
      double mean = Arrays.stream(rates, i, i + WINDOW).average().orElse(0);
      if (mean >= FULL * full) {
        return OptionalDouble.of(i * SECONDS);
      }
    }
    return OptionalDouble.empty();
  }
}
