package io.everheap.support.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of all crash tests of a run, from files {@code crash-report.json}.
 *
 * <p>If several files have one suite, the largest value of each number counts: both tiers of a
 * suite may have tried the same states, so a sum could count a state twice. The total is the sum
 * over the suites.
 */
final class CrashTotals {
  private static final List<String> NUMBERS =
      List.of("states", "points", "powerPoints", "mutants", "mutantsKilled", "errorPlaces");
  private static final String CHAINS = "chains";

  private final Map<String, Map<String, Long>> suites = new TreeMap<>();

  /**
   * Adds a file.
   *
   * @throws IOException if the file cannot be read or is no crash report
   */
  void add(Path file) throws IOException {
    try {
      Object report = Json.parse(Files.readString(file));
      for (Map.Entry<?, ?> suite : members(members(report).get("suites")).entrySet()) {
        Map<String, Long> numbers =
            suites.computeIfAbsent((String) suite.getKey(), name -> new TreeMap<>());
        numbers(members(suite.getValue()))
            .forEach((name, value) -> numbers.merge(name, value, Math::max));
      }
    } catch (IllegalArgumentException | ClassCastException e) {
      throw new IOException(file + " is no crash report: " + e.getMessage(), e);
    }
  }

  private static Map<String, Long> numbers(Map<?, ?> suite) {
    Map<String, Long> numbers = new TreeMap<>();
    for (String name : NUMBERS) {
      if (suite.get(name) instanceof Double value) {
        numbers.put(name, value.longValue());
      }
    }
    if (suite.get(CHAINS) instanceof Map<?, ?> chains) {
      chains.forEach(
          (chain, value) -> numbers.put(CHAINS + " " + chain, ((Double) value).longValue()));
    }
    return numbers;
  }

  private static Map<?, ?> members(@Nullable Object value) {
    if (value instanceof Map<?, ?> members) {
      return members;
    }
    throw new IllegalArgumentException("an object is missing");
  }

  Set<String> suites() {
    return suites.keySet();
  }

  /** Returns the names of the numbers of two runs, the chains last. */
  static Set<String> names(CrashTotals before, CrashTotals after) {
    Set<String> names = new LinkedHashSet<>(NUMBERS);
    var chains = new TreeSet<String>();
    for (CrashTotals totals : List.of(before, after)) {
      totals.suites.values().forEach(numbers -> chains.addAll(numbers.keySet()));
    }
    names.addAll(chains);
    return names;
  }

  /** Returns the sum of a number over all suites. */
  long sum(String name) {
    return suites.values().stream().mapToLong(numbers -> numbers.getOrDefault(name, 0L)).sum();
  }
}
