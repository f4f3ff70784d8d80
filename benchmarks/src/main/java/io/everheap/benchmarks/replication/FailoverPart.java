package io.everheap.benchmarks.replication;

import static io.everheap.benchmarks.replication.Processes.value;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Each round a replica joins, the primary writes at full speed and is killed, the replica promoted.
 */
final class FailoverPart implements Part {
  /** The time from the call that promotes until the first commit has returned. */
  static final String FAILOVER = "failover/first-commit";

  /** Bytes of the heap that is copied, in a second. */
  static final String JOIN = "join/copy";

  private static final String NAME = "failover";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int steps(Run run) {
    boolean wanted = run.settings().wants(FAILOVER) || run.settings().wants(JOIN);
    return wanted ? 1 + run.settings().rounds() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Path directory = Directories.create(run.disk());
    Processes processes =
        new Processes(
            run,
            directory,
            run.settings().quick() ? 20_000 : 1_000_000,
            false,
            Records.DEFAULT_LOG,
            null);
    run.progress().step("failover: making the records");
    try {
      processes.primary("primary", Launch.PLAIN, false).close();
      for (int round = 1; run.goesOn(this, round, 0.9); round++) {
        run.progress().step("failover: round " + round);
        round(run, processes);
        Directories.delete(directory.resolve("replica"));
      }
    } finally {
      Directories.delete(directory);
    }
  }

  private static void round(Run run, Processes processes) throws IOException {
    try (WorkerProcess primary = processes.primary("primary", Launch.PLAIN, false);
        WorkerProcess replica =
            processes.replica("replica", Launch.PLAIN, Processes.listen(primary))) {
      Map<String, Double> joined = replica.ask("join");
      add(run, JOIN, KeepUpPart.MB_PER_S, value(joined, "bytes") / value(joined, "seconds") / 1e6);
      primary.ask("settle");
      primary.ask("run", "platform", 1, run.settings().quick() ? 500 : 5_000);
      primary.kill();
      add(run, FAILOVER, Case.SECONDS, value(replica.ask("promote"), "seconds"));
    }
  }

  private static void add(Run run, String name, String metric, double value) {
    run.samples().add(new Case(name, Case.EVERHEAP, Level.S, "file", 1, metric, null), value);
  }
}
