package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.journal.Journal;
import io.everheap.replication.JournalReplica;
import io.everheap.support.tier.Processes;
import java.nio.file.Path;
import java.util.List;

/** Kills processes with journals and their replicas. */
@Processes
class KilledJournalReplicasTest extends KilledReplicasSuite {
  KilledJournalReplicasTest() {
    super(new Campaign(JournalPrimaryWorker.class, JournalReplicaWorker.class));
  }

  @Override
  List<String> primary(Path of, int copies) {
    return List.of(of.toString(), Integer.toString(copies));
  }

  @Override
  long promote(Path replica) {
    return JournalReplica.of(replica).promote();
  }

  @Override
  void requireWhole(Path promoted) {
    try (Journal journal = Journal.open(promoted)) {
      assertThat(JournalPrimaryWorker.count(journal)).hasSize(Counters.THREADS);
    }
  }
}
