package io.everheap.benchmarks.store;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much memory this process uses.
 *
 * @param heap bytes of live Java objects
 * @param other bytes that are neither the Java heap's, nor the JVM's own for classes and code, nor
 *     a file's
 * @param mapped bytes of files in memory, which the system can take back
 */
public record Footprint(double heap, double other, double mapped) {
  private static final Path STATUS = Path.of("/proc/self/status");

  /**
   * Collects garbage and measures. Differences of two measurements mean something if the JVM
   * touches its whole heap when it starts, and keeps it.
   *
   * @return the use; 0 for values that the system does not report
   * @throws IOException if it cannot be asked
   */
  public static Footprint now() throws IOException {
    System.gc();
    System.gc();
    var memory = ManagementFactory.getMemoryMXBean();
    double own = memory.getNonHeapMemoryUsage().getCommitted();
    return new Footprint(
        memory.getHeapMemoryUsage().getUsed(),
        status("RssAnon") - own,
        status("RssFile") + status("RssShmem"));
  }

  /**
   * Subtracts.
   *
   * @param earlier an earlier measurement of this process
   * @return what was added since; nothing is less than 0
   */
  public Footprint since(Footprint earlier) {
    return new Footprint(
        Math.max(0, heap - earlier.heap),
        Math.max(0, other - earlier.other),
        Math.max(0, mapped - earlier.mapped));
  }

  private static double status(String name) throws IOException {
    if (Files.exists(STATUS)) {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(name + ":")) {
          return 1024.0 * Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
    }
    return 0;
  }

  /**
   * Asks how much of a disk a directory takes, holes not counted.
   *
   * @param directory exists
   * @return bytes
   * @throws IOException if it cannot be asked
   */
  public static double onDisk(Path directory) throws IOException {
    Process process = new ProcessBuilder("du", "-sk", directory.toString()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("du failed");
    }
    return 1024.0 * Long.parseLong(output.split("\\s", 2)[0]);
  }
}
