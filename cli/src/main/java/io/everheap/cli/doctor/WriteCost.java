package io.everheap.cli.doctor;

import io.everheap.Heap;
import io.everheap.HeapStats;
import io.everheap.collection.DurableMap;
import io.everheap.error.EverheapException;
import io.everheap.memory.NewFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Measures what a durable commit costs, with a heap of its own that it deletes. */
final class WriteCost {
  private static final int COMMITS = 200;

  /** A median below this is faster than any disk that has the bytes before it answers. */
  private static final long TOO_FAST_MICROS = 15;

  private static final long SLOW_MICROS = 5_000;

  private WriteCost() {}

  static List<Finding> measure(Path directory) throws IOException {
    Path own = NewFiles.createTempDirectory(directory, "everheap-doctor-");
    long[] nanos = new long[COMMITS];
    HeapStats stats;
    try (Heap heap = Heap.open(own.resolve("heap"))) {
      stats = heap.stats();
      DurableMap<Integer, Long> map = heap.map("numbers", Integer.class, Long.class);
      for (int i = 0; i < COMMITS; i++) {
        long start = System.nanoTime();
        map.put(i, start);
        nanos[i] = System.nanoTime() - start;
      }
    } catch (EverheapException e) {
      return List.of(
          Finding.problem(
              "durable write", String.valueOf(e.getMessage()), "a heap cannot be used here"));
    } finally {
      delete(own);
    }
    Arrays.sort(nanos);
    boolean dax = stats.medium().equals("dax");
    return List.of(
        Finding.ok(
            "medium",
            dax
                ? "DAX: MAP_SYNC works, a commit is durable when its cache lines are written back"
                : "files (no DAX with MAP_SYNC); the log is written with " + stats.durableWrite()),
        judge(dax, nanos[COMMITS / 2] / 1000, nanos[COMMITS * 99 / 100] / 1000));
  }

  static Finding judge(boolean dax, long median, long slow) {
    String name = "durable write";
    String detail =
        String.format(
            Locale.ROOT,
            "a commit takes %,d us (median), %,d us (99 of 100 take less)",
            median,
            slow);
    if (!dax && median < TOO_FAST_MICROS) {
      return Finding.warning(
          name,
          detail + ": no disk is that fast, so something below acknowledges what it does not have",
          "find out what is below: memory, a cache with a battery, or a host that ignores syncs");
    }
    if (median > SLOW_MICROS) {
      return Finding.warning(
          name,
          detail + ": slow",
          "several threads share one write; Durability.async(interval) waits for none; a disk with"
              + " power-loss protection is faster");
    }
    return Finding.ok(name, detail);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
