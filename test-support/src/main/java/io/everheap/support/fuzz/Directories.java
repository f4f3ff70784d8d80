package io.everheap.support.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Directories as inputs of fuzzers. */
public final class Directories {
  /** Files that belong to the process that has a directory open, not to the data. */
  private static final Set<String> OF_A_PROCESS = Set.of("lock", "owner", "counters");

  private Directories() {}

  /**
   * Reads all files but those that belong to a process.
   *
   * @param directory the directory
   * @return their contents, by their names with slashes
   */
  public static SequencedMap<String, byte[]> read(Path directory) {
    var files = new TreeMap<String, byte[]>();
    try {
      for (Path file : files(directory)) {
        files.put(name(directory, file), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  /**
   * Finds the files of a directory that belong to the data, not to a process.
   *
   * @param directory the directory
   * @return the files, in the order of their paths
   */
  public static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> !OF_A_PROCESS.contains(file.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  /**
   * Returns the name of a file below a directory, with slashes.
   *
   * @param directory the directory
   * @param file the file
   * @return its name
   */
  public static String name(Path directory, Path file) {
    return directory.relativize(file).toString().replace('\\', '/');
  }

  /**
   * Makes a directory with files, in the place of one that may be there.
   *
   * @param files their contents, by their names with slashes
   * @param directory the directory
   * @return the directory
   */
  public static Path write(Map<String, byte[]> files, Path directory) {
    delete(directory);
    try {
      Files.createDirectories(directory);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Path path = directory.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.write(path, file.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return directory;
  }

  /**
   * Deletes a directory, if it is there.
   *
   * @param directory the directory
   */
  public static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
