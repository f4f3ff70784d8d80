package io.everheap.benchmarks.replication;

import static io.everheap.benchmarks.replication.Processes.value;

import io.everheap.benchmarks.harness.Curve;
import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.result.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A writer at full speed: how far behind the replica is in each tenth of a second, and how long
 * after the last commit it has all; then how fast a replica that was away applies what it missed.
 * The primary has an archive, so that a replica that is too late goes on from there.
 */
final class KeepUpPart implements Part {
  /** The time from the last commit until the replica has everything. */
  static final String BEHIND = "keep-up/behind-the-last-commit";

  /** MiB of log that the replica has not: the median of the later half, and the most. */
  static final String MIB = "mib";

  /** Millions of bytes in a second. */
  static final String MB_PER_S = "mb_per_s";

  private static final String NAME = "keep-up";
  private static final String WRITER = "keep-up/writer";
  private static final String LAG = "keep-up/lag";
  private static final String MOST = "keep-up/lag-at-most";
  private static final String CATCH_UP = "catch-up/apply";
  private static final double MEBI = 1 << 20;

  private final List<Series> series = new ArrayList<>();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int steps(Run run) {
    boolean wanted =
        List.of(WRITER, LAG, BEHIND, CATCH_UP).stream().anyMatch(run.settings()::wants);
    return wanted ? 1 + run.settings().rounds() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Path directory = Directories.create(run.disk());
    Processes processes =
        new Processes(
            run,
            directory,
            run.settings().quick() ? 20_000 : 200_000,
            false,
            Records.LARGE_LOG,
            null);
    long millis = run.settings().quick() ? 1_000 : 10_000;
    run.progress().step("keep-up: making the records, and a replica");
    try (WorkerProcess primary = processes.primary("primary", Launch.PLAIN, true);
        WorkerProcess replica =
            processes.replica("replica", Launch.PLAIN, Processes.listen(primary))) {
      replica.ask("join");
      primary.ask("settle");
      primary.ask("lag", millis / 2); // to warm up
      for (int round = 1; run.goesOn(this, round, 0.75); round++) {
        run.progress().step("keep-up: round " + round);
        round(run, primary, replica, millis, round == 1);
      }
    } finally {
      Directories.delete(directory);
    }
  }

  private void round(
      Run run, WorkerProcess primary, WorkerProcess replica, long millis, boolean first)
      throws IOException {
    Map<String, Double> found = primary.ask("lag", millis);
    double[] lag = Curve.read(found, "lag");
    if (lag.length > 0) {
      add(run, WRITER, Case.OPS_PER_S, value(found, "ops"));
      add(run, WRITER, MB_PER_S, value(found, "rate") / 1e6);
      add(run, LAG, MIB, Curve.settled(lag) / MEBI);
      double most = 0;
      for (double bytes : lag) {
        most = Math.max(most, bytes);
      }
      add(run, MOST, MIB, most / MEBI);
    }
    add(run, BEHIND, Case.SECONDS, value(found, "settled"));
    if (first) {
      series.add(series(lag));
      Series.write(run.logs().resolveSibling(""), series);
    }
    replica.ask("leave");
    Map<String, Double> missed = primary.ask("burst", millis);
    double seconds = value(replica.ask("follow", value(missed, "lsn")), "seconds");
    add(run, CATCH_UP, MB_PER_S, value(missed, "log") / seconds / 1e6);
    add(run, CATCH_UP, Case.OPS_PER_S, value(missed, "transactions") / seconds);
    primary.ask("settle");
  }

  private static void add(Run run, String name, String metric, double value) {
    run.samples().add(new Case(name, Case.EVERHEAP, Level.P, "file", 1, metric, null), value);
  }

  private static Series series(double[] lag) {
    List<List<Double>> points = new ArrayList<>();
    for (int i = 0; i < lag.length; i++) {
      points.add(List.of(Math.round(i * Curve.SECONDS * 10) / 10.0, lag[i] / MEBI));
    }
    return new Series(
        ReplicationExperiment.NAME, LAG, Case.EVERHEAP, Level.P, "file", "seconds", MIB, points);
  }
}
