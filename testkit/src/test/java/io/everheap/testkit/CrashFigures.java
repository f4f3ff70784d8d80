package io.everheap.testkit;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;

/**
 * The figures of all crash tests of this run, in {@code target/crash-report.json}: the file is
 * written again after each suite, with the sums first. Several processes run the tests of a build
 * and add to one file.
 */
public final class CrashFigures {
  private static final Path FILE =
      Path.of(System.getProperty("everheap.crash.report", "target/crash-report.json"))
          .toAbsolutePath();

  /** The same in all processes of a build. */
  private static final String RUN =
      System.getProperty("everheap.crash.run", ProcessHandle.current().toString());

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

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
          Math.round((seconds + other.seconds) * 10) / 10.0,
          sums);
    }

    @JsonProperty
    long statesPerSecond() {
      return seconds < 0.001 ? 0 : Math.round(states / seconds);
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
    try {
      Files.createDirectories(FILE.getParent());
      Path turn = FILE.resolveSibling(FILE.getFileName() + ".lock");
      try (FileChannel file =
              FileChannel.open(turn, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = file.lock()) {
        Map<String, Figures> suites = read();
        suites.merge(suite, Figures.NONE.plus(figures), Figures::plus);
        Figures all = suites.values().stream().reduce(Figures.NONE, Figures::plus);
        ObjectNode report = JSON.createObjectNode().put("run", RUN);
        report.setAll(JSON.<ObjectNode>valueToTree(all));
        report.set("suites", JSON.valueToTree(suites));
        JSON.writeValue(FILE.toFile(), report);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the processes of this build have written so far. */
  private static Map<String, Figures> read() throws IOException {
    JsonNode report = Files.exists(FILE) ? JSON.readTree(FILE.toFile()) : JSON.nullNode();
    return report.path("run").asText().equals(RUN)
        ? JSON.convertValue(report.get("suites"), new TypeReference<TreeMap<String, Figures>>() {})
        : new TreeMap<>();
  }
}
