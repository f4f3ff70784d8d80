package io.everheap.benchmarks.result;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The files in the output directory of a run: {@code results.jsonl}, one JSON object a line, the
 * first of which is the environment, and {@code results.tsv}.
 *
 * @param environment facts of the machine and the run, by name
 * @param rows the measurements
 */
public record ResultFiles(Map<String, Object> environment, List<Measurement> rows) {
  /** The name of the file with the results. */
  public static final String JSON_LINES = "results.jsonl";

  /** The name of the file with the same as a table. */
  public static final String TSV = "results.tsv";

  private static final String ENVIRONMENT = "environment";
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  /**
   * Writes both files, replacing those of an earlier run.
   *
   * @param directory where to
   * @param targets the experiment's
   * @throws IOException if that fails
   */
  public void write(Path directory, List<Target> targets) throws IOException {
    Files.createDirectories(directory);
    Files.write(directory.resolve(JSON_LINES), lines());
    Files.writeString(directory.resolve(TSV), new Table(rows, targets).tsv());
  }

  /** The lines of {@code results.jsonl}: the environment and the rows. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    Map<String, Object> first = new LinkedHashMap<>();
    first.put("experiment", ENVIRONMENT);
    first.putAll(environment);
    lines.add(GSON.toJson(first));
    rows.forEach(row -> lines.add(GSON.toJson(row)));
    return lines;
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @param directory where from
   * @return the results
   * @throws IOException if there are none or they cannot be understood
   */
  public static ResultFiles read(Path directory) throws IOException {
    Path file = directory.resolve(JSON_LINES);
    List<ResultFiles> runs = runs(file);
    if (runs.size() != 1) {
      throw new IOException(file + " has the results of " + runs.size() + " runs, not of one");
    }
    return runs.getFirst();
  }

  /**
   * Reads a file with the lines of several runs, one run after the other.
   *
   * @param file the file
   * @return the results of each run
   * @throws IOException if they cannot be read or understood
   */
  static List<ResultFiles> runs(Path file) throws IOException {
    List<ResultFiles> runs = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      try {
        JsonObject object = JsonParser.parseString(line).getAsJsonObject();
        if (object.get("experiment").getAsString().equals(ENVIRONMENT)) {
          Map<String, Object> environment = new LinkedHashMap<>();
          object.entrySet().forEach(e -> environment.put(e.getKey(), plain(e.getValue())));
          environment.remove("experiment");
          runs.add(new ResultFiles(environment, new ArrayList<>()));
        } else {
          runs.getLast().rows.add(GSON.fromJson(object, Measurement.class));
        }
      } catch (JsonParseException
          | IllegalStateException
          | NullPointerException
          | NoSuchElementException e) {
        throw new IOException(file + " has a line that is no result: " + line, e);
      }
    }
    return runs;
  }

  /** Texts as they are; numbers and objects as JSON, so that they are written again as such. */
  private static Object plain(JsonElement value) {
    boolean text = value.isJsonPrimitive() && value.getAsJsonPrimitive().isString();
    return text ? value.getAsString() : value;
  }
}
