package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The time to open a large heap, after its process was killed with a full log, and after it was
 * closed. Each round opens a fresh copy in a fresh JVM.
 */
final class RecoveryPart implements Part {
  static final String KILLED = "open/killed-first-get";
  static final String CLOSED = "open/closed-first-get";

  private static final String SUFFIX_PUT = "-first-put";
  private static final String SUFFIX_JVM = "-with-jvm-start";
  private static final long ENTRIES = 10_000_000;
  private static final long ENTRIES_QUICK = 1_000_000;

  @Override
  public String name() {
    return "open";
  }

  @Override
  public int steps(Run run) {
    boolean wanted = run.settings().wants(KILLED) || run.settings().wants(CLOSED);
    return wanted ? 2 * run.settings().rounds() + 2 : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    long entries = run.settings().quick() ? ENTRIES_QUICK : ENTRIES;
    Path directory = Directories.create(run.disk());
    Path closed = directory.resolve("closed");
    Path killed = directory.resolve("killed");
    run.progress().step("open: filling a map with " + entries + " entries");
    try (WorkerProcess worker = worker(run, closed).ready()) {
      worker.ask("fill", entries);
    }
    run.progress().step("open: filling the log");
    Directories.copy(closed, killed);
    WorkerProcess victim = worker(run, killed).ready();
    try {
      victim.ask("load", entries);
    } finally {
      victim.kill();
    }
    for (int round = 1; run.goesOn(this, round, 1); round++) {
      run.progress().step("open: after a kill, round " + round);
      open(run, killed, directory.resolve("copy"), "open/killed");
      run.progress().step("open: after a close, round " + round);
      open(run, closed, directory.resolve("copy"), "open/closed");
    }
    Directories.delete(directory);
  }

  private static WorkerProcess worker(Run run, Path heap) throws IOException {
    return WorkerProcess.start(
        run.logs(), RecoverySubject.class, Map.of("directory", heap.toString()));
  }

  private static void open(Run run, Path heap, Path copy, String name) throws IOException {
    Directories.copy(heap, copy);
    long start = System.nanoTime();
    try (WorkerProcess worker = worker(run, copy).ready()) {
      Map<String, Double> times = worker.ask("open");
      double all = (System.nanoTime() - start) / 1e9;
      double put = times.getOrDefault("put", Double.NaN);
      double get = times.getOrDefault("seconds", Double.NaN);
      run.samples().add(what(name + "-first-get"), get);
      run.samples().add(what(name + SUFFIX_PUT), put);
      run.samples().add(what(name + "-first-get" + SUFFIX_JVM), all - (put - get));
    }
    Directories.delete(copy);
  }

  private static Case what(String name) {
    return new Case(name, Case.EVERHEAP, Level.P, "file", 1, Case.SECONDS, null);
  }
}
