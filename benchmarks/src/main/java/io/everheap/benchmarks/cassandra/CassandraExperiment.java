package io.everheap.benchmarks.cassandra;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Target;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A table of Cassandra whose storage is the memtable, beside tables with stock ones. */
public final class CassandraExperiment implements Experiment {
  private static final double READS = 8;

  /** Makes the experiment. */
  public CassandraExperiment() {}

  @Override
  public String name() {
    return "cassandra";
  }

  @Override
  public String description() {
    return "a durable memtable of Cassandra beside stock memtables and SSTables, in process and by its"
        + " driver";
  }

  @Override
  public Set<String> peers() {
    return Set.copyOf(TablesPart.PEERS);
  }

  @Override
  public List<Part> parts() {
    return List.of(new TablesPart(), new DriverPart(), new RestartPart());
  }

  @Override
  public Map<String, Object> facts(Run run) {
    return Map.of(
        "peers",
        Map.of(
            "trie, skiplist",
            "stock memtables with the commit log, synced every 10 s",
            "sstables",
            "a stock table, flushed and compacted; its file in memory"));
  }

  @Override
  public List<Target> targets() {
    return List.of(
        Target.timesFasterThan(TablesPart.READ, READS, TablesPart.SSTABLES),
        Target.atMostTimesPeer(TablesPart.READ, 1, 1, "skiplist"),
        Target.below(RestartPart.RESTART, Case.SECONDS, 20));
  }
}
