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
import java.util.List;
import java.util.Map;

/**
 * Appends to a journal with a replica, in turns with appends to one that has none; and how fast a
 * replica that was away stores what it missed.
 */
final class JournalPart implements Part {
  /** Appends that wait for nothing, with a replica that follows. */
  static final String ASYNC = "journal/async-append";

  /** Appends that wait for the disk, and for that of a replica. */
  static final String COPIES = "journal/copies-append-virtual";

  private static final String CATCH_UP = "journal/catch-up";

  private final boolean sync;

  private JournalPart(boolean sync) {
    this.sync = sync;
  }

  static List<Part> all() {
    return List.of(new JournalPart(false), new JournalPart(true));
  }

  @Override
  public String name() {
    return sync ? COPIES : ASYNC;
  }

  @Override
  public int steps(Run run) {
    boolean wanted = run.settings().wants(name()) || (!sync && run.settings().wants(CATCH_UP));
    return wanted ? run.settings().rounds() + 1 : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Path directory = Directories.create(run.disk());
    Processes processes = new Processes(run, directory, 0, sync, Records.LARGE_LOG, null);
    long millis = run.settings().quick() ? 500 : 10_000;
    run.progress().step(name() + ": making a replica");
    try (WorkerProcess alone = processes.journal("alone");
        WorkerProcess primary = processes.journal("primary");
        WorkerProcess replica = processes.journalReplica("replica", Processes.listen(primary))) {
      replica.ask("join");
      primary.ask("settle");
      if (sync) {
        primary.ask("copies", 1);
      }
      int threads = sync ? UpdatesPart.VIRTUAL : 1;
      String kind = sync ? "virtual" : "platform";
      primary.ask("run", kind, threads, millis / 2); // to warm up
      for (int round = 1; run.goesOn(this, round, 0.6); round++) {
        run.progress().step(name() + ": round " + round);
        double without = value(alone.ask("run", kind, threads, millis), "ops");
        double with = value(primary.ask("run", kind, threads, millis), "ops");
        add(run, name(), UpdatesPart.ALONE, threads, Case.OPS_PER_S, without);
        add(run, name(), Case.EVERHEAP, threads, Case.OPS_PER_S, with);
        primary.ask("settle");
        if (!sync) {
          catchUp(run, primary, replica, millis / 5);
        }
      }
    } finally {
      Directories.delete(directory);
    }
  }

  private void catchUp(Run run, WorkerProcess primary, WorkerProcess replica, long millis)
      throws IOException {
    replica.ask("leave");
    Map<String, Double> missed = primary.ask("burst", millis);
    double seconds = value(replica.ask("follow", value(missed, "lsn")), "seconds");
    double rate = value(missed, "log") / seconds / 1e6;
    add(run, CATCH_UP, Case.EVERHEAP, 1, KeepUpPart.MB_PER_S, rate);
    primary.ask("settle");
  }

  private void add(Run run, String name, String peer, int threads, String metric, double value) {
    Level level = sync ? Level.S : Level.P;
    run.samples().add(new Case(name, peer, level, "file", threads, metric, null), value);
  }
}
