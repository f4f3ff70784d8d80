package io.everheap.benchmarks.harness;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line of a child JVM beyond the common options.
 *
 * @param label names its log
 * @param before words before the command of the JVM, such as those of a program that limits it
 * @param options of the JVM, after those that every case gets
 * @param classPath in place of this JVM's; {@code null} for the same
 */
public record Launch(
    String label, List<String> before, List<String> options, @Nullable String classPath) {
  /** A child like any other. */
  public static final Launch PLAIN = new Launch("", List.of(), List.of(), null);
}
