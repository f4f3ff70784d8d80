package io.everheap.benchmarks.tx;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.memory.DurableWrite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Commits that wait for the disk, alone and in groups, next to the raw durable writes. */
final class SyncPart implements Part {
  static final String LATENCY = "sync/latency";
  static final String UPDATE = "sync/update";
  static final String UPDATE_VIRTUAL = "sync/update-virtual";
  static final int PLATFORM = 16;
  static final int VIRTUAL = 256;

  private static final String FLOOR = "sync/floor-";

  @Override
  public String name() {
    return "sync";
  }

  @Override
  public int steps(Run run) {
    boolean wanted =
        run.settings().wants(LATENCY)
            || run.settings().wants(UPDATE)
            || run.settings().wants(UPDATE_VIRTUAL);
    return wanted ? run.settings().rounds() + 1 : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Path directory = Directories.create(run.disk());
    long millis = run.settings().quick() ? 200 : 2000;
    run.progress().step("sync: warming up");
    try (WorkerProcess worker =
        WorkerProcess.start(
                run.logs(), SyncSubject.class, Map.of("directory", directory.toString()))
            .ready()) {
      List<DurableWrite> ways = usable(worker);
      worker.ask("latency", millis);
      worker.ask("platform", PLATFORM, millis);
      worker.ask("virtual", VIRTUAL, millis);
      for (int round = 1; run.goesOn(this, round, 0.8); round++) {
        run.progress().step("sync: durable writes, 1, 16 and 256 writers, round " + round);
        for (DurableWrite way : ways) {
          Map<String, Double> floor = worker.ask("floor", way, millis);
          String name = FLOOR + way.name().toLowerCase(Locale.ROOT).replace('_', '-');
          add(run, floor, "mean_ns", name, Case.FLOOR, 1, Case.NS_PER_OP);
        }
        Map<String, Double> one = worker.ask("latency", millis);
        add(run, one, "mean_ns", LATENCY, Case.EVERHEAP, 1, Case.NS_PER_OP);
        add(run, one, "p99_us", LATENCY, Case.EVERHEAP, 1, Case.P99_US);
        add(run, one, "ops", UPDATE, Case.EVERHEAP, 1, Case.OPS_PER_S);
        Map<String, Double> platform = worker.ask("platform", PLATFORM, millis);
        add(run, platform, "ops", UPDATE, Case.EVERHEAP, PLATFORM, Case.OPS_PER_S);
        Map<String, Double> virtual = worker.ask("virtual", VIRTUAL, millis);
        add(run, virtual, "ops", UPDATE_VIRTUAL, Case.EVERHEAP, VIRTUAL, Case.OPS_PER_S);
      }
    }
    Directories.delete(directory);
  }

  /** The ways that the file system has. */
  private static List<DurableWrite> usable(WorkerProcess worker) {
    List<DurableWrite> ways = new ArrayList<>();
    for (DurableWrite way : DurableWrite.values()) {
      try {
        worker.ask("floor", way, 1);
        ways.add(way);
      } catch (IOException e) {
        // Not here.
      }
    }
    return ways;
  }

  private static void add(
      Run run,
      Map<String, Double> values,
      String value,
      String name,
      String peer,
      int threads,
      String metric) {
    String floor = peer.equals(Case.FLOOR) ? null : FLOOR;
    Double found = values.get(value);
    if (found != null) {
      run.samples().add(new Case(name, peer, Level.S, "file", threads, metric, floor), found);
    }
  }
}
