package io.everheap.benchmarks.result;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A curve, one line of {@code series.jsonl}.
 *
 * @param experiment the experiment
 * @param name the case
 * @param peer whose it is
 * @param durability what its data survives
 * @param medium where that is
 * @param x what the first numbers are
 * @param y what the second numbers are
 * @param points pairs of numbers
 */
public record Series(
    String experiment,
    String name,
    String peer,
    Level durability,
    String medium,
    String x,
    String y,
    List<List<Double>> points) {
  /** The name of the file, next to the results. */
  public static final String FILE = "series.jsonl";

  private static final Gson GSON = new Gson();

  /**
   * Writes curves, replacing those of an earlier run.
   *
   * @param directory where to
   * @param series the curves
   * @throws IOException if that fails
   */
  public static void write(Path directory, List<Series> series) throws IOException {
    Files.write(
        directory.resolve(FILE),
        series.stream().map(GSON::toJson).toList(),
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE);
  }

  /**
   * Reads the curves of a run.
   *
   * @param directory where from
   * @return the curves; none if it left none
   * @throws IOException if that fails
   */
  public static List<Series> read(Path directory) throws IOException {
    List<Series> series = new ArrayList<>();
    Path file = directory.resolve(FILE);
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        series.add(GSON.fromJson(line, Series.class));
      }
    }
    return series;
  }
}
