package io.everheap.benchmarks.replication;

import static io.everheap.benchmarks.replication.Processes.value;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.report.Backup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Backups of a heap, beside reading its file and beside copying it. All rates are of the same
 * bytes, those of the pages that are not zeros. Cold is a file none of whose pages are in memory,
 * in a process that has just opened it.
 */
final class BackupPart implements Part {
  /** A full backup of a heap whose file is in memory, or is not. */
  static final String WARM = "full/warm";

  /** The same when it has to be read from the disk. */
  static final String COLD = "full/cold";

  /** An incremental backup after one page in a hundred was changed. */
  static final String INCREMENTAL = "incremental/one-percent";

  /** Updates while a full backup is made. */
  static final String WRITERS = "writers/full-backup";

  /** The same with a limit of what the backup writes. */
  static final String WRITERS_LIMITED = "writers/full-backup-200-mb-per-s";

  /** The peer that only reads the file. */
  static final String READ = "read";

  /** The peer that also writes it to another one and syncs that. */
  static final String COPY = "copy";

  private static final int INCREMENTS = 5; // of a round, one after the other
  private static final long BYTES_PER_SECOND = 200_000_000;
  private static final String VERIFY = "verify/full";
  private static final String RESTORE = "restore/full";

  @Override
  public String name() {
    return "backup";
  }

  @Override
  public int steps(Run run) {
    boolean wanted =
        List.of(WARM, COLD, INCREMENTAL, WRITERS, WRITERS_LIMITED, VERIFY, RESTORE).stream()
            .anyMatch(run.settings()::wants);
    return wanted ? 1 + run.settings().rounds() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Path directory = Directories.create(run.disk());
    long records = run.settings().quick() ? 100_000 : 2_000_000;
    run.progress().step("backup: making the records");
    try {
      try (WorkerProcess loader = worker(run, directory, records)) {
        loader.ask("load");
      }
      for (int round = 1; run.goesOn(this, round, 0.6); round++) {
        run.progress().step("backup: round " + round);
        round(run, directory, records);
      }
    } finally {
      Directories.delete(directory);
    }
  }

  private static WorkerProcess worker(Run run, Path directory, long records) throws IOException {
    return WorkerProcess.start(
            run.logs(),
            BackupSubject.class,
            Map.of("directory", directory.toString(), "records", Long.toString(records)))
        .ready();
  }

  private static void round(Run run, Path directory, long records) throws IOException {
    double cold;
    double bytes;
    evict(directory);
    try (WorkerProcess worker = worker(run, directory, records)) {
      Map<String, Double> made = worker.ask("take", Backup.Kind.FULL);
      cold = value(made, "seconds");
      bytes = value(made, "home");
      rate(run, COLD, Case.EVERHEAP, bytes, cold);
      Directories.delete(directory.resolve("backups"));

      double seconds = value(worker.ask("take", Backup.Kind.FULL), "seconds");
      rate(run, WARM, Case.EVERHEAP, bytes, seconds);
      add(run, WARM, Case.EVERHEAP, Case.SECONDS, seconds);
      rate(run, VERIFY, Case.EVERHEAP, bytes, value(worker.ask("verify"), "seconds"));
      rate(run, RESTORE, Case.EVERHEAP, bytes, value(worker.ask("restore"), "seconds"));
      Directories.delete(directory.resolve("restored"));

      for (int i = 0; i < INCREMENTS; i++) {
        worker.ask("touch");
        Map<String, Double> changed = worker.ask("take", Backup.Kind.INCREMENTAL);
        add(run, INCREMENTAL, Case.EVERHEAP, Case.SECONDS, value(changed, "seconds"));
        add(run, INCREMENTAL, Case.EVERHEAP, "pages", value(changed, "pages"));
      }
      Directories.delete(directory.resolve("backups"));

      writers(run, directory, worker);
    }
    for (String name : List.of(COLD, WARM)) {
      for (String peer : List.of(READ, COPY)) {
        if (name.equals(COLD)) {
          evict(directory);
        }
        try (WorkerProcess worker = worker(run, directory, records)) {
          rate(run, name, peer, bytes, value(worker.ask(peer), "seconds"));
        }
      }
    }
  }

  /** Updates before, during and after a backup, when the pages that they change are private. */
  private static void writers(Run run, Path directory, WorkerProcess worker) throws IOException {
    long millis = run.settings().quick() ? 200 : 2_000;
    worker.ask("write", 5 * millis); // to warm up
    double before = value(worker.ask("write", millis), "ops");
    for (String name : List.of(WRITERS, WRITERS_LIMITED)) {
      double meanwhile =
          value(
              worker.ask("take-while-writing", name.equals(WRITERS) ? 0 : BYTES_PER_SECOND), "ops");
      double after = value(worker.ask("write", millis), "ops");
      add(run, name, UpdatesPart.ALONE, Case.OPS_PER_S, (before + after) / 2);
      add(run, name, Case.EVERHEAP, Case.OPS_PER_S, meanwhile);
      before = after;
      Directories.delete(directory.resolve("backups"));
    }
  }

  private static void evict(Path directory) throws IOException {
    Directories.evict(directory.resolve("heap"));
  }

  private static void rate(Run run, String name, String peer, double bytes, double seconds) {
    add(run, name, peer, KeepUpPart.MB_PER_S, bytes / seconds / 1e6);
  }

  private static void add(Run run, String name, String peer, String metric, double value) {
    run.samples().add(new Case(name, peer, Level.P, "file", 1, metric, null), value);
  }
}
