package io.everheap.benchmarks.cache;

import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.store.Entrant;
import io.everheap.benchmarks.store.PeerLaunch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Many small entries: loaded, killed, and served again. */
final class EntriesPart extends CachePart {
  static final String MILLIS = "ms";
  static final String BYTES_PER_ENTRY = "bytes_per_entry";
  static final String MEMORY = "entries/index-and-pins";
  static final List<String> PAUSES =
      List.of(
          "entries/longest-put",
          "entries/longest-get",
          "entries/longest-get-after-kill",
          "entries/longest-put-after-kill");

  private static final int VALUE_BYTES = 32;
  private static final String MACHINE = "-machine";

  private final CacheOptions options;

  EntriesPart(CacheOptions options, PeerLaunch launches) {
    super(launches);
    this.options = options;
  }

  @Override
  public String name() {
    return "entries";
  }

  @Override
  double bytes(boolean quick) {
    return options.entries(quick) * 128.0;
  }

  /** It takes long, and its figures are those of the longest pauses. */
  @Override
  int rounds(Run run) {
    return 1;
  }

  @Override
  List<Entrant> entrants(Run run) {
    return CachePeers.wanted(run, Case.EVERHEAP);
  }

  @Override
  void visit(Run run, Entrant entrant, Path directory, int round) throws IOException {
    boolean quick = run.settings().quick();
    int entries = options.entries(quick);
    long millis = options.millis(quick);
    try (WorkerProcess victim = worker(run, entrant, directory)) {
      Map<String, Double> filled = victim.ask("fill");
      add(run, entrant, "entries/put", Case.OPS_PER_S, entries / value(filled, "seconds"));
      pause(run, entrant, PAUSES.get(0), filled);
      add(run, entrant, MEMORY, BYTES_PER_ENTRY, value(filled, "own") / entries);
      double all = value(filled, "heap") + value(filled, "other");
      add(run, entrant, "entries/process", BYTES_PER_ENTRY, all / entries);
      victim.ask("run", "uniform", 0, THREADS, millis / 2);
      Map<String, Double> found = victim.ask("run", "uniform", 0, THREADS, millis);
      add(run, entrant, "entries/get", Case.OPS_PER_S, value(found, "rate"));
      pause(run, entrant, PAUSES.get(1), found);
      victim.ask("start", THREADS);
      victim.ask("run-on", millis / 10);
      victim.kill();
    }
    try (WorkerProcess heir = worker(run, entrant, directory)) {
      Map<String, Double> found = heir.ask("recover", THREADS, options.millisAfterKill(quick));
      add(run, entrant, "entries/open-after-kill", Case.SECONDS, value(found, "open"));
      add(run, entrant, "entries/all-known-after-kill", Case.SECONDS, value(found, "ready"));
      pause(run, entrant, PAUSES.get(2), found);
      add(run, entrant, PAUSES.get(3), MILLIS, value(found, "longestPut"));
    }
  }

  private WorkerProcess worker(Run run, Entrant entrant, Path directory) throws IOException {
    int entries = options.entries(run.settings().quick());
    return worker(run, launch(entrant), entrant, directory, entries, entries, VALUE_BYTES, 0);
  }

  private static void pause(Run run, Entrant entrant, String name, Map<String, Double> found) {
    add(run, entrant, name, MILLIS, value(found, "longest"));
    add(run, entrant, name + MACHINE, MILLIS, value(found, "machine"));
  }

  private static void add(Run run, Entrant entrant, String name, String metric, double value) {
    run.samples().add(entrant.row(name, THREADS, metric), value);
  }
}
