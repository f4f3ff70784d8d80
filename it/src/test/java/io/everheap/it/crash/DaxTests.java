package io.everheap.it.crash;

import io.everheap.Heap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs tests of the library with their temporary files, and so their heaps, on persistent memory.
 * To be run in the virtual machine.
 */
public final class DaxTests {
  private DaxTests() {}

  /**
   * Runs them; the exit code tells whether all passed.
   *
   * @param arguments names of packages, ending in {@code .*}, and of classes
   */
  public static void main(String[] arguments) throws Exception {
    Path temporary = Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
    requireDax(temporary.resolve("probe"));
    System.exit(NamedTests.run(List.of(arguments)) ? 0 : 1);
  }

  /** A heap where tests will put theirs is really on persistent memory. */
  private static void requireDax(Path directory) {
    try (Heap heap = Heap.open(directory)) {
      String medium = heap.stats().medium();
      if (!medium.equals("dax")) {
        throw new AssertionError(directory + " is on the medium " + medium);
      }
    }
  }
}
