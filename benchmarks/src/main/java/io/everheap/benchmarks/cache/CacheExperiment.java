package io.everheap.benchmarks.cache;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Target;
import io.everheap.benchmarks.store.PeerLaunch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Caches: a block cache in front of a slow source, restarts, hits, many entries, policies. */
public final class CacheExperiment implements Experiment {
  /** The name of the experiment. */
  public static final String NAME = "cache";

  private static final String FIXED_COST = "read-through/uniform-25us";
  private static final double MOST_PAUSE_MILLIS = 100;
  private static final double MOST_BYTES = 24;

  private final CacheOptions options = new CacheOptions();
  private final PeerLaunch launches = new PeerLaunch();

  /** Makes the experiment. */
  public CacheExperiment() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "caches: in front of a slow source, after a kill, hits, many entries, segments, policies";
  }

  @Override
  public Set<String> peers() {
    return CachePeers.names();
  }

  @Override
  public Object options() {
    return options;
  }

  @Override
  public List<Part> parts() {
    return List.of(
        new ReadThroughPart(options, launches),
        new RestartPart(options, launches),
        new HitPart(options, launches),
        new EntriesPart(options, launches),
        new SegmentsPart(),
        new PolicyPart());
  }

  @Override
  public Map<String, Object> facts(Run run) {
    return Map.of("peers", launches.facts());
  }

  @Override
  public List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    targets.add(timesCaffeine(Case.OPS_PER_S, 2));
    targets.add(timesCaffeine(ReadThroughPart.P95_US, 2.5));
    targets.add(within(RestartPart.FULL_SPEED, Case.SECONDS, 1));
    for (String size : List.of("100", "64k")) {
      for (int threads = 1; threads <= CachePart.THREADS; threads++) {
        targets.add(Target.atMostTimesPeer("hit/read-" + size, threads, 1.5, CachePeers.OHC));
      }
      targets.add(scales("hit/read-" + size));
    }
    for (String pause : EntriesPart.PAUSES) {
      targets.add(within(pause, EntriesPart.MILLIS, MOST_PAUSE_MILLIS));
    }
    targets.add(within(EntriesPart.MEMORY, EntriesPart.BYTES_PER_ENTRY, MOST_BYTES));
    targets.addAll(SegmentsPart.targets());
    return targets;
  }

  /** Better than Caffeine with as many blocks as the Java heap holds. */
  private static Target timesCaffeine(String metric, double factor) {
    boolean rate = metric.equals(Case.OPS_PER_S);
    return new Target(
        FIXED_COST,
        CachePart.THREADS,
        metric,
        ">= " + factor + " x better than caffeine",
        false,
        factor,
        (row, all) ->
            all.stream()
                .filter(m -> m.name().equals(FIXED_COST) && m.metric().equals(metric))
                .filter(m -> m.peer().equals(CachePeers.CAFFEINE))
                .map(m -> rate ? row.value() / m.value() : m.value() / row.value())
                .findFirst()
                .orElse(null));
  }

  /** Two threads make at least 1.7 times the hits of one. */
  private static Target scales(String name) {
    return new Target(
        name,
        CachePart.THREADS,
        Case.NS_PER_OP,
        ">= 1.7 x one thread",
        false,
        1.7,
        (row, all) ->
            all.stream()
                .filter(m -> m.name().equals(name) && m.peer().equals(row.peer()))
                .filter(m -> m.threads() == 1 && m.metric().equals(Case.NS_PER_OP))
                .map(m -> CachePart.THREADS * m.value() / row.value())
                .findFirst()
                .orElse(null));
  }

  private static Target within(String name, String metric, double limit) {
    return new Target(
        name,
        CachePart.THREADS,
        metric,
        "<= " + limit,
        true,
        limit,
        (Measurement row, List<Measurement> all) -> row.value());
  }
}
