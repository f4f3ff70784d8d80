package io.everheap.benchmarks.replication;

import static io.everheap.benchmarks.replication.Processes.value;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Updates of a heap whose log is archived, in turns with those of one whose log is not. */
final class ArchivePart implements Part {
  /** Updates with one thread. */
  static final String ARCHIVE = "writers/archive";

  @Override
  public String name() {
    return "archive";
  }

  @Override
  public int steps(Run run) {
    return run.settings().wants(ARCHIVE) ? 1 + run.settings().rounds() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Path directory = Directories.create(run.disk());
    run.progress().step("archive: making the records");
    try (WorkerProcess alone = worker(run, directory, false);
        WorkerProcess archived = worker(run, directory, true)) {
      alone.ask("load");
      archived.ask("load");
      long millis = run.settings().quick() ? 500 : 10_000;
      turn(alone, archived, millis); // to warm up
      for (int round = 1; run.goesOn(this, round, 1); round++) {
        run.progress().step("archive: round " + round);
        double[] ops = turn(alone, archived, millis);
        add(run, UpdatesPart.ALONE, ops[0]);
        add(run, Case.EVERHEAP, ops[1]);
      }
    } finally {
      Directories.delete(directory);
    }
  }

  private static double[] turn(WorkerProcess alone, WorkerProcess archived, long millis)
      throws IOException {
    return new double[] {
      value(alone.ask("write", millis), "ops"), value(archived.ask("write", millis), "ops")
    };
  }

  private static WorkerProcess worker(Run run, Path directory, boolean archive) throws IOException {
    return WorkerProcess.start(
            run.logs(),
            BackupSubject.class,
            Map.of(
                "directory", directory.resolve(archive ? "archived" : "alone").toString(),
                "archive", Boolean.toString(archive),
                "records", run.settings().quick() ? "20000" : "200000"))
        .ready();
  }

  private static void add(Run run, String peer, double ops) {
    run.samples().add(new Case(ARCHIVE, peer, Level.P, "file", 1, Case.OPS_PER_S, null), ops);
  }
}
