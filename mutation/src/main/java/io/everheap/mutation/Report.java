package io.everheap.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * For each package: how many mutants there were, how many were killed, equivalent, and survived.
 */
final class Report {
  private static final class Counts {
    int mutants;
    int killed;
    int equivalent;
    int unreached;
    int survived;
  }

  private final Map<String, Counts> packages = new TreeMap<>();
  private final List<Survivor> survivors = new ArrayList<>();

  /** Adds the results of a scope, whose sources are in a directory. */
  void add(List<MutantResult> results, Path sources, Equivalents equivalents) throws IOException {
    List<MutantResult> sorted = new ArrayList<>(results);
    sorted.sort(
        Comparator.comparing(MutantResult::className)
            .thenComparingInt(MutantResult::line)
            .thenComparing(MutantResult::mutator)
            .thenComparing(MutantResult::method)
            .thenComparingInt(MutantResult::index));
    Map<String, List<String>> files = new HashMap<>();
    for (MutantResult result : sorted) {
      Counts counts = packages.computeIfAbsent(result.packageName(), name -> new Counts());
      counts.mutants++;
      if (result.isKilled()) {
        counts.killed++;
        continue;
      }
      List<String> source = files.get(result.outerClass());
      if (source == null) {
        source = sourceOf(sources, result.outerClass());
        files.put(result.outerClass(), source);
      }
      Survivor survivor = new Survivor(result, source.get(result.line() - 1).strip());
      if (equivalents.contain(survivor)) {
        counts.equivalent++;
      } else {
        survivors.add(survivor);
        if (result.status().hasCoverage()) {
          counts.survived++;
        } else {
          counts.unreached++;
        }
      }
    }
  }

  /** Adds mutants of a package that an earlier run killed. */
  void addKilled(String packageName, int mutants) {
    Counts counts = packages.computeIfAbsent(packageName, name -> new Counts());
    counts.mutants += mutants;
    counts.killed += mutants;
  }

  List<Survivor> survivors() {
    return survivors;
  }

  String format() {
    StringBuilder table = new StringBuilder();
    String row = "%-40s %8s %8s %11s %9s %12s%n";
    table.append(
        String.format(
            Locale.ROOT,
            row,
            "package",
            "mutants",
            "killed",
            "equivalent",
            "survived",
            "not reached"));
    packages.forEach((name, counts) -> table.append(format(row, name, counts)));
    if (packages.size() > 1) {
      Counts sum = new Counts();
      for (Counts counts : packages.values()) {
        sum.mutants += counts.mutants;
        sum.killed += counts.killed;
        sum.equivalent += counts.equivalent;
        sum.survived += counts.survived;
        sum.unreached += counts.unreached;
      }
      table.append(format(row, "together", sum));
    }
    return table.toString();
  }

  private static String format(String row, String name, Counts counts) {
    return String.format(
        Locale.ROOT,
        row,
        name,
        counts.mutants,
        counts.killed,
        counts.equivalent,
        counts.survived,
        counts.unreached);
  }

  private static List<String> sourceOf(Path sources, String className) throws IOException {
    return Files.readAllLines(sources.resolve(className.replace('.', '/') + ".java"));
  }
}
