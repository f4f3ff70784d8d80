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
import java.util.Set;
import java.util.stream.Stream;

/** What a hit costs: small values and blocks, in place and copied, in one thread and in two. */
final class HitPart extends CachePart {
  /**
   * A size of values.
   *
   * @param name in cases
   * @param bytes of a value
   * @param entries how many there are
   */
  private record Size(String name, int bytes, int entries) {}

  /** Nanoseconds of a processor for one operation: what others on the machine do is not in it. */
  private static final String CPU_NS = "cpu_ns_per_op";

  /** How much longer than a case its warm-up is: compiling takes its time on a busy machine. */
  private static final int WARM_UP = 2;

  private static final List<Size> SIZES =
      List.of(new Size("100", 100, 100_000), new Size("64k", 64 << 10, 1024));

  /** Caches that give a value out only as an object that they make for the caller. */
  private static final Set<String> COPY_ONLY =
      Set.of(CachePeers.OBJECTS, CachePeers.EHCACHE_OFF_HEAP);

  /** Caches of the Java heap, which give out what they hold. */
  private static final Set<String> READ_ONLY = Set.of(CachePeers.CAFFEINE, CachePeers.CACHE2K);

  private final CacheOptions options;

  HitPart(CacheOptions options, PeerLaunch launches) {
    super(launches);
    this.options = options;
  }

  @Override
  public String name() {
    return "hit";
  }

  @Override
  boolean isWanted(Run run) {
    return SIZES.stream()
        .anyMatch(
            size ->
                run.settings().wants(name(size, "read"))
                    || run.settings().wants(name(size, "copy")));
  }

  @Override
  double bytes(boolean quick) {
    return SIZES.stream().mapToDouble(size -> (double) size.bytes() * size.entries()).sum();
  }

  @Override
  List<Entrant> entrants(Run run) {
    return CachePeers.wanted(
        run,
        Case.EVERHEAP,
        CachePeers.OBJECTS,
        CachePeers.CAFFEINE,
        CachePeers.CACHE2K,
        CachePeers.OHC,
        CachePeers.EHCACHE_OFF_HEAP);
  }

  private static String name(Size size, String way) {
    return "hit/" + way + "-" + size.name();
  }

  @Override
  void visit(Run run, Entrant entrant, Path directory, int round) throws IOException {
    for (Size size : SIZES) {
      List<String> ways =
          Stream.of("read", "copy")
              .filter(way -> run.settings().wants(name(size, way)))
              .filter(
                  way ->
                      !(way.equals("read") ? COPY_ONLY : READ_ONLY).contains(entrant.peer().name()))
              .toList();
      if (!ways.isEmpty()) {
        measure(run, entrant, directory.resolve(size.name()), size, ways);
      }
    }
  }

  private void measure(Run run, Entrant entrant, Path directory, Size size, List<String> ways)
      throws IOException {
    long millis = options.millis(run.settings().quick());
    try (WorkerProcess worker =
        worker(
            run,
            launch(entrant),
            entrant,
            directory,
            size.entries(),
            2L * size.entries(),
            size.bytes(),
            0)) {
      worker.ask("fill");
      for (String way : ways) {
        worker.ask("hits", way, THREADS, WARM_UP * millis);
        for (int threads = 1; threads <= THREADS; threads++) {
          Map<String, Double> found = worker.ask("hits", way, threads, millis / 2);
          add(run, entrant, name(size, way), threads, Case.NS_PER_OP, value(found, "nanos"));
          add(run, entrant, name(size, way), threads, CPU_NS, value(found, "processor"));
        }
      }
    }
  }

  private static void add(
      Run run, Entrant entrant, String name, int threads, String metric, double value) {
    run.samples().add(entrant.row(name, threads, metric), value);
  }
}
