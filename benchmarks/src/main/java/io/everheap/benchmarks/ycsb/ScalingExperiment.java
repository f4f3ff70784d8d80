package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Target;
import io.everheap.benchmarks.store.PeerLaunch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** What happens with more records, larger values and transactions, more threads, less memory. */
public final class ScalingExperiment implements Experiment {
  private static final int WRITERS = 16;
  private static final int MINUTES = 20;

  private final ScalingOptions options = new ScalingOptions();
  private final PeerLaunch launches = new PeerLaunch();

  /** Makes the experiment. */
  public ScalingExperiment() {}

  @Override
  public String name() {
    return "scaling";
  }

  @Override
  public String description() {
    return "cost by number of records, size of values and transactions, threads, and memory";
  }

  /** The fastest of each kind; others can be named. */
  @Override
  public Set<String> peers() {
    return Set.of("chm", "llpl", "chronicle", "rocksdb", "lmdb");
  }

  @Override
  public int minutes() {
    return MINUTES;
  }

  @Override
  public Object options() {
    return options;
  }

  @Override
  public List<Part> parts() {
    return List.of(
        ycsb("records", options::records),
        ycsb("values", options::values),
        ycsb("threads", options::threads),
        new TransactionPart(options, launches),
        ycsb("memory", options::memory));
  }

  private Part ycsb(String name, Function<Boolean, YcsbPlan> plans) {
    YcsbPart part = new YcsbPart(name, plans, launches);
    return new Part() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public int steps(Run run) {
        return options.wants(name, run.settings().quick()) ? part.steps(run) : 0;
      }

      @Override
      public void measure(Run run) throws Exception {
        part.measure(run);
      }
    };
  }

  @Override
  public List<Target> targets() {
    return List.of(
        Target.firstAtItsLevel(Case.OPS_PER_S, true),
        Target.firstAtItsLevel(YcsbExperiment.BYTES_PER_RECORD, false),
        Target.timesPeer("threads/A-200k-10x100", WRITERS, 3, "lmdb", Level.S));
  }

  @Override
  public Map<String, Object> facts(Run run) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("peers", launches.facts());
    return facts;
  }

  @Override
  public boolean prints(Measurement row) {
    return !row.metric().endsWith("_us");
  }
}
