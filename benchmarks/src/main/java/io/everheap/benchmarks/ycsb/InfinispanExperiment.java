package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.bank.BankPart;
import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Target;
import io.everheap.benchmarks.store.InfinispanPeers;
import io.everheap.benchmarks.store.PeerLaunch;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * YCSB's workloads through an embedded cache of Infinispan that holds a tenth of the records and
 * writes through to a store, and a bank in a transactional cache whose process is killed: the
 * experiments of J-NVM, at equal durability.
 */
public final class InfinispanExperiment implements Experiment {
  private static final double TIMES_THE_FILE = 10.5;

  private final InfinispanOptions options = new InfinispanOptions();
  private final PeerLaunch launches = new PeerLaunch();

  /** Makes the experiment. */
  public InfinispanExperiment() {}

  @Override
  public String name() {
    return "infinispan";
  }

  @Override
  public String description() {
    return "YCSB's workloads through a cache of Infinispan, on this library's store and others";
  }

  @Override
  public Set<String> peers() {
    return Set.of();
  }

  @Override
  public Object options() {
    return options;
  }

  @Override
  public List<Part> parts() {
    return List.of(
        new YcsbPart("infinispan", this::plan, launches),
        new BankPart("bank", options::bank, run -> InfinispanPeers.BANKS, launches));
  }

  private YcsbPlan plan(boolean quick) {
    return new YcsbPlan(
        "",
        List.of(new RecordShape(options.records(quick), 10, 100)),
        options.workloads(),
        options.threads(),
        EnumSet.allOf(Level.class),
        "",
        options.millis(quick),
        options.heap(),
        null,
        false,
        InfinispanPeers.ALL);
  }

  @Override
  public List<Target> targets() {
    return List.of(
        Target.firstAtItsLevel(Case.OPS_PER_S, true),
        Target.firstAtItsLevel(Case.SECONDS, false),
        Target.timesPeer("A-200k-10x100", 2, TIMES_THE_FILE, "file", Level.P),
        Target.below(options.bank(false).prefix() + BankPart.OPEN, Case.SECONDS, 1));
  }

  @Override
  public Map<String, Object> facts(Run run) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("worker_java_heap", options.heap());
    facts.put("worker_java_heap_bank", options.bank(run.settings().quick()).heap());
    facts.put("cached", "a tenth of the records");
    facts.put("peers", launches.facts());
    return facts;
  }

  @Override
  public boolean prints(Measurement row) {
    return !row.metric().endsWith("_us");
  }
}
