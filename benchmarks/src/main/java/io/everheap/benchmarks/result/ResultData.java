package io.everheap.benchmarks.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The newest figures of an experiment, kept in one file of JSON lines: of each run its environment
 * and those of its rows that no later run measured again. Figures are compared within a run only.
 *
 * @param runs the runs, the oldest first
 */
public record ResultData(List<ResultFiles> runs) {
  /** The extension of such a file, whose name is that of the experiment. */
  public static final String EXTENSION = ".jsonl";

  /** The identity of a row: two measurements of one key measure the same. */
  private record Key(
      String name, String peer, Level durability, String medium, int threads, String metric) {
    private static Key of(Measurement row) {
      return new Key(
          row.name(), row.peer(), row.durability(), row.medium(), row.threads(), row.metric());
    }
  }

  /**
   * Reads the data.
   *
   * @param file the file
   * @return the runs; none if there is no file
   * @throws IOException if it cannot be read or understood
   */
  public static ResultData read(Path file) throws IOException {
    return new ResultData(Files.exists(file) ? ResultFiles.runs(file) : List.of());
  }

  /**
   * Adds a run.
   *
   * @param newer the run
   * @return the data, in which the rows of this run replace those of older runs
   */
  public ResultData with(ResultFiles newer) {
    Set<Key> replaced = new HashSet<>();
    newer.rows().forEach(row -> replaced.add(Key.of(row)));
    List<ResultFiles> merged = new ArrayList<>();
    for (ResultFiles run : runs) {
      List<Measurement> kept =
          run.rows().stream().filter(row -> !replaced.contains(Key.of(row))).toList();
      if (!kept.isEmpty()) {
        merged.add(new ResultFiles(run.environment(), kept));
      }
    }
    merged.add(newer);
    return new ResultData(merged);
  }

  /**
   * Writes the data.
   *
   * @param file the file
   * @throws IOException if that fails
   */
  public void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    runs.forEach(run -> lines.addAll(run.lines()));
    Files.write(file, lines);
  }
}
