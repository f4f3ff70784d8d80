package io.everheap.it.crash;

import io.everheap.support.Seeds;
import java.util.Iterator;
import java.util.List;

/**
 * Options of the power stage: {@code --short}, {@code --cuts N}, {@code --seed N}.
 *
 * @param length which tests run on persistent memory
 * @param cuts of power
 * @param seed of all choices but the moments that processes and machines choose themselves
 */
record PowerOptions(Length length, int cuts, long seed) {
  /** How much is done. */
  enum Length {
    /** For CI: a few minutes. */
    SHORT(3, 2_000, "io.everheap.memory.ContractOnDax io.everheap.engine.EngineTest"),

    /** All that can be done on persistent memory. */
    LONG(
        20,
        12_000,
        "io.everheap.memory.ContractOnDax io.everheap.engine.* io.everheap.collection.*"
            + " io.everheap.HeapTest io.everheap.journal.*");

    private final int cuts;
    private final int workingMillis;
    private final String tests;

    Length(int cuts, int workingMillis, String tests) {
      this.cuts = cuts;
      this.workingMillis = workingMillis;
      this.tests = tests;
    }

    /** How long heaps are written to at most before a cut. */
    int workingMillis() {
      return workingMillis;
    }

    /** Names of classes, and of packages with {@code .*} behind. */
    List<String> tests() {
      return List.of(tests.split(" "));
    }
  }

  /**
   * Reads the options.
   *
   * @throws IllegalArgumentException if there is one that does not exist
   */
  static PowerOptions parse(List<String> arguments) {
    Length length = arguments.contains("--short") ? Length.SHORT : Length.LONG;
    int cuts = length.cuts;
    long seed = Seeds.seed();
    for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
      String option = rest.next();
      switch (option) {
        case "--short" -> {}
        case "--cuts" -> cuts = (int) number(option, rest);
        case "--seed" -> seed = number(option, rest);
        default ->
            throw new IllegalArgumentException(
                option + " is no option of --power; there are --short, --cuts N, --seed N");
      }
    }
    return new PowerOptions(length, Math.max(1, cuts), seed);
  }

  private static long number(String option, Iterator<String> rest) {
    try {
      return Long.parseLong(rest.next());
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(option + " needs a number", e);
    }
  }
}
