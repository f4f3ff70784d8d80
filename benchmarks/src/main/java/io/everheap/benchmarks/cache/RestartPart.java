package io.everheap.benchmarks.cache;

import io.everheap.benchmarks.harness.AotCache;
import io.everheap.benchmarks.harness.Curve;
import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Launch;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.harness.WorkerProcess;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Series;
import io.everheap.benchmarks.store.Entrant;
import io.everheap.benchmarks.store.PeerLaunch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** A process whose cache is full and warm is killed; a new one goes on with what is left of it. */
final class RestartPart extends CachePart {
  static final String FULL_SPEED = "restart/full-speed-from-open";

  private static final String FULL_SPEED_FROM_START = "restart/full-speed-from-jvm-start";
  private static final String BEFORE = "restart/before-the-kill";
  private static final String FIRST_SECOND = "restart/first-second";
  private static final String ALL_SECONDS = "restart/all-seconds";
  private static final String OPEN = "restart/open";
  private static final int BUCKETS_PER_SECOND = 10;
  private static final double PERCENT = 100;

  private final CacheOptions options;
  private final List<Series> series = new ArrayList<>();

  RestartPart(CacheOptions options, PeerLaunch launches) {
    super(launches);
    this.options = options;
  }

  @Override
  public String name() {
    return "restart";
  }

  @Override
  double bytes(boolean quick) {
    return (double) options.blocks(quick) * ReadThroughPart.BLOCK_BYTES;
  }

  @Override
  List<Entrant> entrants(Run run) {
    return CachePeers.wanted(
        run,
        Case.EVERHEAP,
        CachePeers.AOT,
        CachePeers.TIERS,
        CachePeers.CAFFEINE,
        CachePeers.EHCACHE_DISK);
  }

  @Override
  void visit(Run run, Entrant entrant, Path directory, int round) throws IOException {
    boolean quick = run.settings().quick();
    long millis = options.millis(quick);
    Launch launch = launch(entrant);
    Launch heirs = launch;
    if (entrant.peer().name().equals(CachePeers.AOT)) {
      AotCache aot = new AotCache(Files.createDirectory(directory.resolve("aot")));
      train(run, launch, entrant, directory.resolve("training"), aot);
      heirs = aot.using(launch);
    }
    Path cache = directory.resolve("cache");
    double full;
    try (WorkerProcess victim = worker(run, launch, entrant, cache)) {
      victim.ask("fill");
      victim.ask("run", "uniform", 0, THREADS, millis / 2);
      full = value(victim.ask("run", "uniform", 0, THREADS, millis), "rate");
      victim.ask("start", THREADS);
      victim.ask("run-on", millis / 10);
      victim.kill();
    }
    try (WorkerProcess heir = worker(run, heirs, entrant, cache)) {
      Map<String, Double> found = heir.ask("recover", THREADS, options.millisAfterKill(quick));
      add(run, entrant, full, found);
      if (round == 1) {
        series.add(series(entrant, "operations after a kill", Curve.read(found)));
        series.add(series(entrant, "hits after a kill", Curve.read(found, "hits")));
        Series.write(run.logs().resolveSibling(""), series);
      }
    }
  }

  /**
   * A process does what the heir will, and ends in order: that leaves what later ones start with.
   */
  private void train(Run run, Launch launch, Entrant entrant, Path directory, AotCache aot)
      throws IOException {
    boolean quick = run.settings().quick();
    try (WorkerProcess victim = worker(run, launch, entrant, directory)) {
      victim.ask("fill");
      victim.kill();
    }
    try (WorkerProcess heir = worker(run, aot.training(launch), entrant, directory)) {
      heir.ask("recover", THREADS, options.millisAfterKill(quick));
    }
    Directories.delete(directory);
  }

  private WorkerProcess worker(Run run, Launch launch, Entrant entrant, Path directory)
      throws IOException {
    int blocks = options.blocks(run.settings().quick());
    return worker(
        run,
        launch,
        entrant,
        directory,
        blocks,
        ReadThroughPart.inHeap(blocks),
        ReadThroughPart.BLOCK_BYTES,
        options.latencyNanos());
  }

  private static void add(Run run, Entrant entrant, double full, Map<String, Double> found) {
    double[] operations = Curve.read(found);
    double[] hits = Curve.read(found, "hits");
    int second = Math.min(BUCKETS_PER_SECOND, operations.length);
    add(run, entrant, BEFORE, Case.OPS_PER_S, full);
    add(run, entrant, OPEN, Case.SECONDS, value(found, "open"));
    add(run, entrant, FIRST_SECOND, Case.OPS_PER_S, mean(operations, second));
    add(run, entrant, ALL_SECONDS, Case.OPS_PER_S, mean(operations, operations.length));
    add(run, entrant, FIRST_SECOND, Case.HIT_PERCENT, share(hits, operations, second));
    add(run, entrant, ALL_SECONDS, Case.HIT_PERCENT, share(hits, operations, operations.length));
    OptionalDouble reached = Curve.fullSpeed(operations, full);
    if (reached.isPresent()) {
      add(run, entrant, FULL_SPEED, Case.SECONDS, reached.getAsDouble());
      add(
          run,
          entrant,
          FULL_SPEED_FROM_START,
          Case.SECONDS,
          value(found, "age") + reached.getAsDouble());
    } else {
      run.samples()
          .notRun(
              entrant.label() + " " + FULL_SPEED,
              String.format(
                  Locale.ROOT,
                  "in a round it did not reach 90 %% of its earlier speed within %.0f s",
                  operations.length * Curve.SECONDS));
    }
  }

  private static double mean(double[] rates, int buckets) {
    return Arrays.stream(rates, 0, buckets).average().orElse(0);
  }

  private static double share(double[] hits, double[] operations, int buckets) {
    return PERCENT * mean(hits, buckets) / Math.max(1, mean(operations, buckets));
  }

  private static void add(Run run, Entrant entrant, String name, String metric, double value) {
    run.samples().add(entrant.row(name, THREADS, metric), value);
  }

  private static Series series(Entrant entrant, String name, double[] rates) {
    List<List<Double>> points = new ArrayList<>();
    for (int i = 0; i < rates.length; i++) {
      points.add(List.of(Math.round(i * Curve.SECONDS * 10) / 10.0, rates[i]));
    }
    return new Series(
        "cache",
        name,
        entrant.peer().name(),
        entrant.mode().level(),
        entrant.mode().medium(),
        "seconds",
        "per second",
        points);
  }
}
