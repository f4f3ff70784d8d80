package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Target;
import io.everheap.benchmarks.store.DiskWrites;
import io.everheap.benchmarks.store.PeerLaunch;
import io.everheap.benchmarks.store.Peers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** YCSB's core workloads on this library and on what people use today. */
public final class YcsbExperiment implements Experiment {
  /** The metric of what a record takes. */
  static final String BYTES_PER_RECORD = "bytes_per_record";

  /** The metric of what an operation writes to the disk, see {@link DiskWrites}. */
  static final String WRITTEN = "written_bytes_per_op";

  private final YcsbOptions options = new YcsbOptions();
  private final PeerLaunch launches = new PeerLaunch();

  /** Makes the experiment. */
  public YcsbExperiment() {}

  @Override
  public String name() {
    return "ycsb";
  }

  @Override
  public String description() {
    return "YCSB's workloads A to F on this library and on other stores, each level for itself";
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
    return List.of(new YcsbPart("ycsb", options::plan, launches));
  }

  @Override
  public List<Target> targets() {
    return List.of(
        Target.firstAtItsLevel(Case.OPS_PER_S, true),
        Target.firstAtItsLevel(BYTES_PER_RECORD, false));
  }

  @Override
  public Map<String, Object> facts(Run run) {
    YcsbPlan plan = options.plan(run.settings().quick());
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("worker_java_heap", plan.heap());
    facts.put("worker_memory_limit", String.valueOf(plan.limit()));
    facts.put("distribution", plan.distribution().isEmpty() ? "zipfian" : plan.distribution());
    facts.put("peers", launches.facts());
    return facts;
  }

  @Override
  public boolean prints(Measurement row) {
    return !row.metric().endsWith("_us");
  }
}
