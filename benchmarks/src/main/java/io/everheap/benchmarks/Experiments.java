package io.everheap.benchmarks;

import io.everheap.benchmarks.bank.RecoveryExperiment;
import io.everheap.benchmarks.cache.CacheExperiment;
import io.everheap.benchmarks.cassandra.CassandraExperiment;
import io.everheap.benchmarks.collections.CollectionsExperiment;
import io.everheap.benchmarks.encryption.EncryptionExperiment;
import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.journal.JournalExperiment;
import io.everheap.benchmarks.objects.ObjectsExperiment;
import io.everheap.benchmarks.replication.BackupExperiment;
import io.everheap.benchmarks.replication.ReplicationExperiment;
import io.everheap.benchmarks.result.Target;
import io.everheap.benchmarks.tx.TxExperiment;
import io.everheap.benchmarks.ycsb.InfinispanExperiment;
import io.everheap.benchmarks.ycsb.ScalingExperiment;
import io.everheap.benchmarks.ycsb.YcsbExperiment;
import java.util.List;

/** All experiments. */
final class Experiments {
  static final List<Experiment> ALL =
      List.of(
          new TxExperiment(),
          new CollectionsExperiment(),
          new ObjectsExperiment(),
          new JournalExperiment(),
          new YcsbExperiment(),
          new ScalingExperiment(),
          new RecoveryExperiment(),
          new InfinispanExperiment(),
          new CacheExperiment(),
          new ReplicationExperiment(),
          new BackupExperiment(),
          new CassandraExperiment(),
          new EncryptionExperiment());

  private Experiments() {}

  /** The targets of an experiment; none for one that is not here. */
  static List<Target> targets(String name) {
    return ALL.stream()
        .filter(e -> e.name().equals(name))
        .flatMap(e -> e.targets().stream())
        .toList();
  }
}
