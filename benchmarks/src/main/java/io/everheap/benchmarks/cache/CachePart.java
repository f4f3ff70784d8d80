package io.everheap.benchmarks.cache;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.store.Entrant;
import io.everheap.benchmarks.store.PeerLaunch;
import io.everheap.benchmarks.store.Rounds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Cases in which each visit of a cache has an empty directory and fresh JVMs, one at a time. Rounds
 * visit all caches.
 */
abstract class CachePart implements Part {
  static final int THREADS = 2;

  private static final double ROOM = 3;
  private static final String HEAP = "3g";

  private final PeerLaunch launches;

  CachePart(PeerLaunch launches) {
    this.launches = launches;
  }

  /** The caches that take part. */
  abstract List<Entrant> entrants(Run run);

  /** Measures one of them, in a directory that is empty. */
  abstract void visit(Run run, Entrant entrant, Path directory, int round) throws IOException;

  /** How many bytes of values it holds at a time. */
  abstract double bytes(boolean quick);

  /** How many rounds there are. */
  int rounds(Run run) {
    return run.settings().rounds();
  }

  /** Whether one of its cases was asked for. */
  boolean isWanted(Run run) {
    return run.settings().wants(name());
  }

  @Override
  public int steps(Run run) {
    return isWanted(run) ? rounds(run) * entrants(run).size() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    double needed = ROOM * bytes(run.settings().quick());
    if (run.disk().toFile().getUsableSpace() < needed) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s has not the %.1f GiB that it may take",
              run.disk(),
              needed / (1 << 30)));
    }
    Rounds.run(
        run,
        name(),
        label -> name() + " " + label,
        rounds(run),
        launches.available(run, entrants(run), Entrant::peer),
        (entrant, round) -> {
          Path directory = Directories.create(run.disk());
          try {
            visit(run, entrant, directory, round);
          } finally {
            Directories.delete(directory);
          }
        });
  }

  /** How the JVM of a cache starts. */
  Launch launch(Entrant entrant) {
    return launches.of(entrant.peer(), entrant.label(), HEAP, false, null);
  }

  /** Starts a process that will have a cache of so many entries. */
  WorkerProcess worker(
      Run run,
      Launch launch,
      Entrant entrant,
      Path directory,
      long entries,
      long inHeap,
      int valueBytes,
      long latencyNanos)
      throws IOException {
    return WorkerProcess.start(
            run.logs(),
            launch,
            CacheSubject.class,
            Map.of(
                "binding", entrant.peer().binding(),
                "directory", directory.toString(),
                "entries", Long.toString(entries),
                "inHeap", Long.toString(inHeap),
                "valueBytes", Integer.toString(valueBytes),
                "latency", Long.toString(latencyNanos)))
        .within(run.progress().left())
        .ready();
  }

  static double value(Map<String, Double> found, String name) {
    return found.getOrDefault(name, Double.NaN);
  }
}
