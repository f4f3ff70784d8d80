package io.everheap.benchmarks.cache;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.result.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures the processor time of a put into a full cache, for several sizes of segments and values.
 * If the time grows with the number of entries in a segment, it exceeds that of the default size.
 */
final class SegmentsPart implements Part {
  /** Nanoseconds of processor time of the process for one put; other processes do not count. */
  static final String CPU_NS = "cpu_ns_per_op";

  private static final String PREFIX = "segments/";
  private static final String DEFAULT = "default";
  private static final List<Integer> VALUES = List.of(100, 1000, 8000);
  private static final Map<String, Integer> SIZES =
      Map.of(DEFAULT, 0, "64k", 64 << 10, "256k", 256 << 10, "1m", 1 << 20, "16m", 16 << 20);
  private static final List<String> NAMES = List.of(DEFAULT, "64k", "256k", "1m", "16m");
  private static final double MAX_RATIO = 4;
  private static final long CAPACITY = 64 << 20;

  @Override
  public String name() {
    return "segments";
  }

  private static String name(int valueBytes, String size) {
    return PREFIX + size + "-" + valueBytes;
  }

  private boolean isWanted(Run run) {
    return run.settings().wants(name());
  }

  @Override
  public int steps(Run run) {
    return isWanted(run) ? run.settings().rounds() * VALUES.size() * NAMES.size() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    if (!isWanted(run)) {
      return;
    }
    for (int round = 0; round < run.settings().rounds(); round++) {
      for (int valueBytes : VALUES) {
        for (String size : NAMES) {
          run.progress().step(name(valueBytes, size));
          Path directory = Directories.create(run.disk());
          try {
            visit(run, directory, valueBytes, size);
          } finally {
            Directories.delete(directory);
          }
        }
      }
      run.keep();
    }
  }

  private static void visit(Run run, Path directory, int valueBytes, String size)
      throws IOException {
    Map<String, String> parameters =
        Map.of(
            "directory",
            directory.resolve("cache").toString(),
            "capacity",
            Long.toString(CAPACITY),
            "segment",
            Integer.toString(SIZES.getOrDefault(size, 0)),
            "valueBytes",
            Integer.toString(valueBytes));
    try (WorkerProcess worker =
        WorkerProcess.start(run.logs(), Launch.PLAIN, SegmentsSubject.class, parameters)
            .within(run.progress().left())
            .ready()) {
      double nanos =
          worker
              .ask("puts", run.settings().quick() ? 2 : 6)
              .getOrDefault(SegmentsSubject.NANOS, Double.NaN);
      run.samples().add(row(valueBytes, size), nanos);
    }
  }

  private static Case row(int valueBytes, String size) {
    return new Case(name(valueBytes, size), Case.EVERHEAP, Level.P, "file", 1, CPU_NS, null);
  }

  /** No size takes more than a few times the processor time of the default size. */
  static List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (int valueBytes : VALUES) {
      for (String size : NAMES) {
        if (!size.equals(DEFAULT)) {
          targets.add(
              new Target(
                  name(valueBytes, size),
                  1,
                  CPU_NS,
                  "<= " + MAX_RATIO + " x the default segments",
                  true,
                  MAX_RATIO,
                  (row, all) ->
                      all.stream()
                          .filter(m -> m.name().equals(name(valueBytes, DEFAULT)))
                          .findFirst()
                          .map(m -> row.value() / m.value())
                          .orElse(null)));
        }
      }
    }
    return targets;
  }
}
