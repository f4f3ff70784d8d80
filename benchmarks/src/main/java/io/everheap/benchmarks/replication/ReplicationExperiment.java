package io.everheap.benchmarks.replication;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Replicas: what they cost a primary, whether they keep up, failover and joining. */
public final class ReplicationExperiment implements Experiment {
  /** The name of the experiment. */
  public static final String NAME = "replication";

  private static final double ASYNC_AT_LEAST = 0.9;
  private static final double COPIES_AT_LEAST = 0.6;

  private final PostgresPart postgres = new PostgresPart();

  /** Makes the experiment. */
  public ReplicationExperiment() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "replicas: what they cost a primary, whether they keep up, failover, joining";
  }

  @Override
  public Set<String> peers() {
    return Set.of(PostgresPart.PEER);
  }

  @Override
  public List<Part> parts() {
    List<Part> parts = new ArrayList<>(UpdatesPart.all());
    parts.add(new KeepUpPart());
    parts.add(new FailoverPart());
    parts.addAll(JournalPart.all());
    parts.add(postgres);
    return parts;
  }

  @Override
  public Map<String, Object> facts(Run run) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("network", "loopback: primary, replica and clients share the machine");
    facts.put(
        "peers",
        Map.of(
            PostgresPart.PEER,
            postgres.version()
                + ", pgbench over a Unix socket, hot standby over loopback. P: synchronous_commit"
                + " off. S: on, with a synchronous standby; remote-write: the standby has written"
                + " but not synced it"));
    return facts;
  }

  @Override
  public List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (String name : List.of(UpdatesPart.ASYNC, UpdatesPart.ASYNC_APART)) {
      for (int threads : UpdatesPart.THREADS) {
        targets.add(Ratios.ofAlone(name, threads, ASYNC_AT_LEAST));
      }
    }
    for (String name : List.of(UpdatesPart.COPIES, UpdatesPart.COPIES_IN_MEMORY)) {
      targets.add(Ratios.ofAlone(name, UpdatesPart.VIRTUAL, COPIES_AT_LEAST));
    }
    targets.add(Target.below(KeepUpPart.BEHIND, Case.SECONDS, 1));
    targets.add(Target.below(FailoverPart.FAILOVER, Case.SECONDS, 1));
    return targets;
  }
}
