package io.everheap.support.report;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds the reports of a checkout: {@code MODULE/BUILD/*reports*}{@code /TEST-*.xml}. A module is a
 * directory in the checkout or in its directory {@code samples}.
 */
final class ReportFiles {
  private static final String SAMPLES = "samples";

  private ReportFiles() {}

  /**
   * Returns the reports of each module, both sorted by name.
   *
   * @param since if present, reports count only if they are newer than this file
   */
  static Map<String, List<Path>> find(Path root, String build, Optional<Path> since)
      throws IOException {
    Map<String, Path> modules = new TreeMap<>();
    for (Path module : directories(root, "*")) {
      modules.put(module.getFileName().toString(), module);
    }
    if (Files.isDirectory(root.resolve(SAMPLES))) {
      for (Path sample : directories(root.resolve(SAMPLES), "*")) {
        modules.put(SAMPLES + "/" + sample.getFileName(), sample);
      }
    }
    Optional<FileTime> start =
        since.isPresent() ? Optional.of(Files.getLastModifiedTime(since.get())) : Optional.empty();
    Map<String, List<Path>> reports = new TreeMap<>();
    for (Map.Entry<String, Path> module : modules.entrySet()) {
      Path buildDirectory = module.getValue().resolve(build);
      if (Files.isDirectory(buildDirectory)) {
        reports.put(module.getKey(), reports(buildDirectory, start));
      }
    }
    return reports;
  }

  private static List<Path> reports(Path buildDirectory, Optional<FileTime> start)
      throws IOException {
    var reports = new ArrayList<Path>();
    for (Path directory : directories(buildDirectory, "*reports*")) {
      for (Path file : entries(directory, "TEST-*.xml")) {
        if (start.isEmpty() || Files.getLastModifiedTime(file).compareTo(start.get()) > 0) {
          reports.add(file);
        }
      }
    }
    return reports;
  }

  private static List<Path> directories(Path parent, String glob) throws IOException {
    return entries(parent, glob).stream().filter(Files::isDirectory).toList();
  }

  private static List<Path> entries(Path parent, String glob) throws IOException {
    var entries = new ArrayList<Path>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent, glob)) {
      stream.forEach(entries::add);
    }
    entries.sort(null);
    return entries;
  }
}
