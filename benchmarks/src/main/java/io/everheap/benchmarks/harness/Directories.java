package io.everheap.benchmarks.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories that hold heaps while they are measured. */
public final class Directories {
  private static final List<String> IN_MEMORY = List.of("tmpfs", "ramfs");

  private Directories() {}

  /**
   * Tells what kind of file system a directory is on.
   *
   * @param directory exists
   * @return for example {@code ext4 on /dev/sda1}
   * @throws IOException if it cannot be asked
   */
  public static String fileSystem(Path directory) throws IOException {
    var store = Files.getFileStore(directory);
    return store.type() + " on " + store.name();
  }

  /**
   * Tells whether a directory's files are in memory only.
   *
   * @param directory exists
   * @return whether a power loss erases them
   * @throws IOException if it cannot be asked
   */
  public static boolean inMemory(Path directory) throws IOException {
    return IN_MEMORY.contains(Files.getFileStore(directory).type());
  }

  /**
   * Makes a temporary directory.
   *
   * @param parent is made if it is missing
   * @return the directory
   * @throws IOException if that fails
   */
  public static Path create(Path parent) throws IOException {
    Files.createDirectories(parent);
    return Files.createTempDirectory(parent, "everheap-bench-");
  }

  /**
   * Copies a directory, with holes in files where they are and no others, and waits until the copy
   * is on the disk, so that writing it does not disturb the next measurement.
   *
   * @param from exists
   * @param to does not exist
   * @throws IOException if that fails
   */
  public static void copy(Path from, Path to) throws IOException {
    run("cp", "-a", "--sparse=auto", from.toString(), to.toString());
    run("sync", "-f", to.toString());
  }

  /**
   * Drops the cached pages of files, which must have been written to the disk.
   *
   * @param directory exists
   * @throws IOException if that fails
   */
  public static void evict(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path file : paths.filter(Files::isRegularFile).toList()) {
        run("dd", "if=" + file, "iflag=nocache", "count=0", "status=none");
      }
    }
  }

  /**
   * Deletes a directory with its contents, if it exists.
   *
   * @param directory what
   * @throws IOException if that fails
   */
  public static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + " failed: " + output.strip());
    }
  }
}
