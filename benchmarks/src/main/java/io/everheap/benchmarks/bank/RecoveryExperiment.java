package io.everheap.benchmarks.bank;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Target;
import io.everheap.benchmarks.store.Entrant;
import io.everheap.benchmarks.store.Peer;
import io.everheap.benchmarks.store.PeerLaunch;
import io.everheap.benchmarks.store.Peers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A bank whose process is killed: how long until it works again, and whether money is lost. */
public final class RecoveryExperiment implements Experiment {
  private final BankOptions options = new BankOptions();
  private final PeerLaunch launches = new PeerLaunch();

  /** Makes the experiment. */
  public RecoveryExperiment() {}

  @Override
  public String name() {
    return "recovery";
  }

  @Override
  public String description() {
    return "a bank whose process is killed: its speed before, the time until it works, its money";
  }

  @Override
  public Set<String> peers() {
    return Peers.names();
  }

  @Override
  public Object options() {
    return options;
  }

  @Override
  public List<Part> parts() {
    return List.of(new BankPart("recovery", options::plan, RecoveryExperiment::entrants, launches));
  }

  private static List<Entrant> entrants(Run run) {
    for (Peer peer : Entrant.wanted(run)) {
      if (!peer.pairs()) {
        run.samples().notRun(peer.name(), "it cannot replace two values atomically");
      }
    }
    return Entrant.atomic(run, true);
  }

  @Override
  public List<Target> targets() {
    return List.of(
        Target.below(BankPart.OPEN, Case.SECONDS, 1),
        Target.firstAtItsLevel(Case.SECONDS, false),
        Target.firstAtItsLevel(Case.OPS_PER_S, true));
  }

  @Override
  public Map<String, Object> facts(Run run) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("worker_java_heap", options.plan(run.settings().quick()).heap());
    facts.put("peers", launches.facts());
    return facts;
  }
}
