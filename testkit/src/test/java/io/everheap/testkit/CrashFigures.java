package io.everheap.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The figures of all crash tests of this run, in {@code target/crash-report.json}: the file is
 * written again after each suite, with the sums first.
 */
public final class CrashFigures {
  private static final Path FILE =
      Path.of(System.getProperty("everheap.crash.report", "target/crash-report.json"));
  private static final Map<String, Figures> SUITES = new TreeMap<>();

  /** What one suite tried. */
  private record Figures(
      long states,
      long points,
      long powerPoints,
      long exhaustivePoints,
      long repeatedStates,
      long mutants,
      long mutantsKilled,
      long errorPlaces,
      long errors,
      long errorsPoisoned,
      double seconds,
      Map<String, Long> chains) {
    static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of());

    Figures plus(Figures other) {
      Map<String, Long> sums = new TreeMap<>(chains);
      other.chains.forEach((chain, count) -> sums.merge(chain, count, Long::sum));
      return new Figures(
          states + other.states,
          points + other.points,
          powerPoints + other.powerPoints,
          exhaustivePoints + other.exhaustivePoints,
          repeatedStates + other.repeatedStates,
          mutants + other.mutants,
          mutantsKilled + other.mutantsKilled,
          errorPlaces + other.errorPlaces,
          errors + other.errors,
          errorsPoisoned + other.errorsPoisoned,
          seconds + other.seconds,
          sums);
    }

    /** The members of a JSON object. */
    String members(String indent) {
      Map<String, Object> members = new LinkedHashMap<>();
      members.put("states", states);
      members.put("points", points);
      members.put("powerPoints", powerPoints);
      members.put("exhaustivePoints", exhaustivePoints);
      members.put("repeatedStates", repeatedStates);
      members.put("mutants", mutants);
      members.put("mutantsKilled", mutantsKilled);
      members.put("errorPlaces", errorPlaces);
      members.put("errors", errors);
      members.put("errorsPoisoned", errorsPoisoned);
      members.put("seconds", String.format(Locale.ROOT, "%.1f", seconds));
      members.put("statesPerSecond", seconds < 0.001 ? 0 : Math.round(states / seconds));
      members.put(
          "chains",
          new TreeMap<>(chains)
              .entrySet().stream()
                  .map(
                      chain ->
                          String.format(
                              Locale.ROOT, "\"%s\": %d", chain.getKey(), chain.getValue()))
                  .collect(Collectors.joining(", ", "{", "}")));
      return members.entrySet().stream()
          .map(
              member ->
                  String.format(
                      Locale.ROOT, "%s\"%s\": %s", indent, member.getKey(), member.getValue()))
          .collect(Collectors.joining(",\n"));
    }
  }

  private CrashFigures() {}

  /**
   * Adds what a suite tried, and prints it.
   *
   * @param suite its name; figures of the same suite are added up
   */
  public static void add(String suite, CrashReport report) {
    System.out.println(suite + ": " + report);
    add(
        suite,
        new Figures(
            report.states(),
            report.points(),
            report.powerPoints(),
            report.exhaustivePoints(),
            report.repeatedStates(),
            0,
            0,
            0,
            0,
            0,
            report.seconds(),
            report.chains()));
  }

  /**
   * Adds how many deliberate mistakes were made in the code under test, and how many of them some
   * test found.
   */
  public static void addMutants(String suite, long mutants, long killed, double seconds) {
    add(suite, new Figures(0, 0, 0, 0, 0, mutants, killed, 0, 0, 0, seconds, Map.of()));
  }

  /**
   * Adds how many errors of the virtual machine struck a program, and what became of them.
   *
   * @param places instructions at which one struck for the first time in any program
   * @param errors runs that one struck
   * @param poisoned runs after which nothing could be used before it was opened again; the others
   *     went on
   */
  public static void addErrors(
      String suite, long places, long errors, long poisoned, double seconds) {
    add(suite, new Figures(0, 0, 0, 0, 0, 0, 0, places, errors, poisoned, seconds, Map.of()));
  }

  private static synchronized void add(String suite, Figures figures) {
    SUITES.merge(suite, figures, Figures::plus);
    Figures all = SUITES.values().stream().reduce(Figures.NONE, Figures::plus);
    String suites =
        SUITES.entrySet().stream()
            .map(
                e ->
                    String.format(
                        Locale.ROOT,
                        "    \"%s\": {\n%s\n    }",
                        e.getKey(),
                        e.getValue().members("      ")))
            .collect(Collectors.joining(",\n"));
    try {
      Files.createDirectories(FILE.toAbsolutePath().getParent());
      Files.writeString(
          FILE,
          String.format(
              Locale.ROOT, "{\n%s,\n  \"suites\": {\n%s\n  }\n}\n", all.members("  "), suites));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
