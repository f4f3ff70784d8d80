package io.everheap.benchmarks.result;

import com.google.gson.annotations.SerializedName;
import org.jspecify.annotations.Nullable;

/**
 * One row of results; its JSON is one line of {@code results.jsonl}.
 *
 * @param experiment the experiment
 * @param name the case
 * @param peer who did it
 * @param durability what the data survives
 * @param medium where it is
 * @param threads how many did it at once
 * @param metric what the value is
 * @param value the median over the rounds
 * @param spread the least and the greatest
 * @param ratioToFloor value by the floor's; for {@code ops_per_s} the floor's time by the time that
 *     one operation takes on average; {@code null} if there is no floor
 */
public record Measurement(
    String experiment,
    @SerializedName("case") String name,
    String peer,
    Level durability,
    String medium,
    int threads,
    String metric,
    double value,
    Spread spread,
    @SerializedName("ratio_to_floor") @Nullable Double ratioToFloor) {

  /**
   * The range of the rounds' values.
   *
   * @param min the least
   * @param max the greatest
   */
  public record Spread(double min, double max) {}
}
