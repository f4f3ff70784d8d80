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

/**
 * Kudu's case: blocks of 64 KiB, 1.27 times as many as the Java heap's cache holds, in front of a
 * source with a latency.
 */
final class ReadThroughPart extends CachePart {
  static final int BLOCK_BYTES = 64 << 10;
  static final String P50_US = "p50_us";
  static final String P95_US = "p95_us";

  private static final double DATA_BY_HEAP = 1.27;
  private static final String FIT = "read-through/both-fit";

  /**
   * What is asked for, and what each operation costs besides.
   *
   * @param name of the case
   * @param distribution of the keys
   * @param fixedNanos of each operation
   */
  private record Load(String name, String distribution, long fixedNanos) {}

  private static final List<Load> LOADS =
      List.of(
          new Load("read-through/uniform", "uniform", 0),
          new Load("read-through/uniform-25us", "uniform", 25_000),
          new Load("read-through/zipf", "zipf", 0),
          new Load("read-through/zipf-25us", "zipf", 25_000));

  private final CacheOptions options;

  ReadThroughPart(CacheOptions options, PeerLaunch launches) {
    super(launches);
    this.options = options;
  }

  @Override
  public String name() {
    return "read-through";
  }

  @Override
  boolean isWanted(Run run) {
    return run.settings().wants(FIT)
        || LOADS.stream().anyMatch(load -> run.settings().wants(load.name()));
  }

  @Override
  double bytes(boolean quick) {
    return (double) options.blocks(quick) * BLOCK_BYTES;
  }

  @Override
  List<Entrant> entrants(Run run) {
    return CachePeers.wanted(
        run,
        Case.EVERHEAP,
        CachePeers.TIERS,
        CachePeers.CAFFEINE,
        CachePeers.CACHE2K,
        CachePeers.OHC,
        CachePeers.EHCACHE_OFF_HEAP,
        CachePeers.EHCACHE_DISK);
  }

  /** How many blocks the Java heap holds. */
  static long inHeap(long blocks) {
    return Math.round(blocks / DATA_BY_HEAP);
  }

  @Override
  void visit(Run run, Entrant entrant, Path directory, int round) throws IOException {
    int blocks = options.blocks(run.settings().quick());
    List<Load> loads = LOADS.stream().filter(load -> run.settings().wants(load.name())).toList();
    visit(run, entrant, directory.resolve("larger"), inHeap(blocks), loads);
    if (run.settings().wants(FIT)) {
      visit(run, entrant, directory.resolve("fits"), blocks, List.of(new Load(FIT, "uniform", 0)));
    }
  }

  private void visit(Run run, Entrant entrant, Path directory, long inHeap, List<Load> loads)
      throws IOException {
    if (loads.isEmpty()) {
      return;
    }
    boolean quick = run.settings().quick();
    long millis = options.millis(quick);
    try (WorkerProcess worker =
        worker(
            run,
            launch(entrant),
            entrant,
            directory,
            options.blocks(quick),
            inHeap,
            BLOCK_BYTES,
            options.latencyNanos())) {
      worker.ask("fill");
      for (Load load : loads) {
        worker.ask("run", load.distribution(), load.fixedNanos(), THREADS, millis / 2);
        Map<String, Double> found =
            worker.ask("run", load.distribution(), load.fixedNanos(), THREADS, millis);
        add(run, entrant, load, Case.OPS_PER_S, value(found, "rate"));
        add(run, entrant, load, P50_US, value(found, "p50"));
        add(run, entrant, load, P95_US, value(found, "p95"));
        add(run, entrant, load, Case.P99_US, value(found, "p99"));
        add(run, entrant, load, Case.HIT_PERCENT, value(found, "hits"));
      }
    }
  }

  private static void add(Run run, Entrant entrant, Load load, String metric, double value) {
    run.samples().add(entrant.row(load.name(), THREADS, metric), value);
  }
}
