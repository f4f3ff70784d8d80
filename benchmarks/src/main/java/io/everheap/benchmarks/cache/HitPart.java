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
      for (String way : List.of("read", "copy")) {
        Set<String> others = way.equals("read") ? COPY_ONLY : READ_ONLY;
        if (!others.contains(entrant.peer().name()) && run.settings().wants(name(size, way))) {
          measure(run, entrant, directory.resolve(way + size.name()), size, way);
        }
      }
    }
  }

  private void measure(Run run, Entrant entrant, Path directory, Size size, String way)
      throws IOException {
    long millis = options.millis(run.settings().quick());
    try (WorkerProcess worker =
        worker(run, entrant, directory, size.entries(), 2L * size.entries(), size.bytes(), 0)) {
      worker.ask("fill");
      for (int threads = 1; threads <= THREADS; threads++) {
        worker.ask("hits", way, threads, millis / 2);
        Map<String, Double> found = worker.ask("hits", way, threads, millis / 2);
        run.samples()
            .add(entrant.row(name(size, way), threads, Case.NS_PER_OP), value(found, "nanos"));
        run.samples().add(entrant.row(name(size, way), threads, CPU_NS), value(found, "processor"));
      }
    }
  }
}
