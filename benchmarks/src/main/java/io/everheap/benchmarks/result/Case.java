package io.everheap.benchmarks.result;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is measured.
 *
 * @param name what is done, such as {@code dax/update}
 * @param peer the library that does it: {@code everheap}, another library, or {@code floor} for the
 *     least that any library would have to do
 * @param durability what the data survives
 * @param medium where it is
 * @param threads how many do it at once
 * @param metric unit and meaning of the value: {@code ns_per_op}, {@code ops_per_s}, {@code
 *     p99_us}, {@code bytes_per_op}, {@code instructions_per_op}, {@code gb_per_s} or {@code
 *     seconds}
 * @param floor the start of the names of its floors, the best of which counts; or {@code null}
 */
public record Case(
    String name,
    String peer,
    Level durability,
    String medium,
    int threads,
    String metric,
    @Nullable String floor) {
  /** The peer of rows that are floors. */
  public static final String FLOOR = "floor";

  /** The peer of rows that are this library's. */
  public static final String EVERHEAP = "everheap";

  /** Nanoseconds of one operation of one thread. */
  public static final String NS_PER_OP = "ns_per_op";

  /** Operations of all threads in a second. */
  public static final String OPS_PER_S = "ops_per_s";

  /** Bytes that one operation allocates in the Java heap. */
  public static final String BYTES_PER_OP = "bytes_per_op";

  /** Bytes of keys and values that one thread reads, in billions a second. */
  public static final String GB_PER_S = "gb_per_s";

  /** Microseconds that one operation in a hundred exceeds. */
  public static final String P99_US = "p99_us";

  /** The share of lookups that found what they looked for, in percent. */
  public static final String HIT_PERCENT = "hit_percent";

  /** Seconds for the whole. */
  public static final String SECONDS = "seconds";

  @Override
  public String toString() {
    return name + " " + peer + (threads == 1 ? "" : " x" + threads);
  }
}
