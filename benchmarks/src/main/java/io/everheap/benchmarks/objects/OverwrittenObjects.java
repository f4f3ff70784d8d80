package io.everheap.benchmarks.objects;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.benchmarks.harness.Directories;
import io.everheap.report.CollectReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * What objects that a program replaces in a map leave: 5,000 objects are stored under the same keys
 * again and again, with and without automatic collection.
 *
 * <pre>
 * java -cp CLASSES io.everheap.benchmarks.objects.OverwrittenObjects DIRECTORY [ROUNDS]
 * </pre>
 */
public final class OverwrittenObjects {
  private static final int KEYS = 5_000;

  private OverwrittenObjects() {}

  /**
   * Measures and prints a line for each setting.
   *
   * @param arguments the directory in which heaps are made, and how often all objects are replaced
   * @throws IOException if a heap cannot be deleted
   */
  public static void main(String[] arguments) throws IOException {
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
    for (double growth : new double[] {0, 0.5, 0, 0.5}) {
      Path directory = Directories.create(Path.of(arguments[0]));
      HeapBuilder builder =
          Heap.builder(directory).durability(Durability.async(Duration.ofMillis(100)));
      if (growth > 0) {
        builder.collectAutomatically(growth);
      }
      try (Heap heap = builder.open()) {
        run(heap, growth, rounds);
      }
      Directories.delete(directory);
    }
  }

  private static void run(Heap heap, double growth, int rounds) {
    Map<Integer, Branch> map = heap.map("objects", Integer.class, Branch.class);
    long start = System.nanoTime();
    for (int round = 0; round < rounds; round++) {
      for (int key = 0; key < KEYS; key++) {
        int number = key;
        heap.transact(
            () -> {
              Branch object = heap.create(Branch.class);
              object.number(number);
              map.put(number, object);
            });
      }
    }
    double micros = (System.nanoTime() - start) / 1e3 / rounds / KEYS;
    long used = heap.stats().usedBytes();
    CollectReport report = heap.collect();
    System.out.printf(
        Locale.ROOT,
        "growth %.1f: %.1f us for each replacement, %d KiB used, %d objects left to collect in %d"
            + " ms, %d KiB used after it%n",
        growth,
        micros,
        used >> 10,
        report.objects(),
        report.duration().toMillis(),
        heap.stats().usedBytes() >> 10);
  }
}
