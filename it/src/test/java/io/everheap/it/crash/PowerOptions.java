package io.everheap.it.crash;

import io.everheap.support.Seeds;
import java.util.Iterator;
import java.util.List;

/**
 * Options of the power stage: {@code --short}, {@code --cuts N}, {@code --seed N}, {@code --tests
 * NAMES}.
 *
 * @param length how long heaps are written to
 * @param cuts of power; 0 with tests that were named
 * @param tests to run on persistent memory: names of classes, and of packages with {@code .*}
 *     appended
 * @param seed of all choices but the moments that processes and machines choose themselves
 */
record PowerOptions(Length length, int cuts, List<String> tests, long seed) {
  /** The tests that run after the cuts. */
  private static final List<String> FEW_TESTS =
      List.of(
          "io.everheap.memory.ContractOnDax",
          "io.everheap.engine.EngineTest",
          "io.everheap.HeapTest");

  /** How much is written and cut. */
  enum Length {
    /** For CI: a few minutes. */
    SHORT(3, 2_000),

    /** For the nightly. */
    LONG(20, 12_000);

    private final int cuts;
    private final int workingMillis;

    Length(int cuts, int workingMillis) {
      this.cuts = cuts;
      this.workingMillis = workingMillis;
    }

    /** How long heaps are written to at most before a cut. */
    int workingMillis() {
      return workingMillis;
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
    List<String> tests = FEW_TESTS;
    long seed = Seeds.seed();
    for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
      String option = rest.next();
      switch (option) {
        case "--short" -> {}
        case "--cuts" -> cuts = Math.max(1, (int) number(option, rest));
        case "--tests" -> {
          tests = names(option, rest);
          cuts = 0;
        }
        case "--seed" -> seed = number(option, rest);
        default ->
            throw new IllegalArgumentException(
                option
                    + " is no option of --power; there are --short, --cuts N, --seed N,"
                    + " --tests NAMES");
      }
    }
    if (arguments.contains("--tests") && arguments.contains("--cuts")) {
      throw new IllegalArgumentException("--tests cuts nothing: leave out --cuts");
    }
    return new PowerOptions(length, cuts, tests, seed);
  }

  private static List<String> names(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs names");
    }
    return List.of(rest.next().strip().split("[ ,]+"));
  }

  private static long number(String option, Iterator<String> rest) {
    try {
      return Long.parseLong(rest.next());
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(option + " needs a number", e);
    }
  }
}
