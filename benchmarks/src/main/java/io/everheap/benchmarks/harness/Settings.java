package io.everheap.benchmarks.harness;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for.
 *
 * @param quick whether short rounds and small data will do
 * @param rounds how many rounds each case has
 * @param peers which other libraries to measure
 * @param only the cases to measure; {@code null} for all
 */
public record Settings(boolean quick, int rounds, Set<String> peers, @Nullable Pattern only) {
  /**
   * Tells whether a case was asked for.
   *
   * @param name of the case
   * @return whether it was
   */
  public boolean wants(String name) {
    return only == null || only.matcher(name).find();
  }
}
