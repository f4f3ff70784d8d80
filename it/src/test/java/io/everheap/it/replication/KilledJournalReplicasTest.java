package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cli.demo.WorkerProcess;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.replication.JournalReplica;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A primary of a journal and its replica in processes of their own, which are killed at random
 * moments. When both are killed, the replica may take over, and the former primary becomes the
 * replica. With one copy no acknowledged record is ever lost; without, what remains is a prefix
 * that has all of which the status said that a replica has it.
 */
class KilledJournalReplicasTest {
  @TempDir private Path directory;

  private final Campaign campaign =
      new Campaign(JournalPrimaryWorker.class, JournalReplicaWorker.class);

  @ParameterizedTest
  @ValueSource(ints = {1, 0})
  void whatWasCopiedIsNeverLost(int copies) throws Exception {
    Path primaryDir = directory.resolve("a");
    Path replicaDir = directory.resolve("b");
    int failovers = 0;
    WorkerProcess primary = startPrimary(primaryDir, copies, true);
    WorkerProcess replica = campaign.startReplica(replicaDir.toString());
    try {
      for (int round = 0; round < Campaign.ROUNDS; round++) {
        campaign.awaitCommits(campaign.random.nextInt(10, 400), primary, replica);
        switch (campaign.random.nextInt(3)) {
          case 0 -> {
            replica.kill();
            replica = campaign.startReplica(replicaDir.toString());
          }
          case 1 -> {
            primary.kill();
            replica.kill();
            primary = startPrimary(primaryDir, copies, true);
            replica = campaign.startReplica(replicaDir.toString());
          }
          default -> {
            failovers++;
            primary.kill();
            replica.kill();
            assertThat(JournalReplica.of(replicaDir).promote()).isEqualTo(failovers);
            Path former = primaryDir;
            primaryDir = replicaDir;
            replicaDir = former;
            primary = startPrimary(primaryDir, copies, copies > 0);
            replica = campaign.startReplica(replicaDir.toString());
          }
        }
      }
      campaign.awaitCommits(50, primary, replica);
    } finally {
      primary.close();
      replica.close();
    }
    assertThat(campaign.copied()).isPositive();
    JournalReplica.of(replicaDir).promote();
    try (Journal journal = Journal.open(replicaDir);
        JournalReader reader = journal.reader()) {
      long[] last = new long[PrimaryWorker.THREADS];
      while (reader.next()) {
        JournalPrimaryWorker.count(last, reader.bytes());
      }
    }
    System.out.printf(
        "%d copies: %d kills, %d failovers, %,d records acknowledged%n",
        copies, Campaign.ROUNDS, failovers, campaign.commits());
  }

  private WorkerProcess startPrimary(Path journal, int copies, boolean hasAll) throws Exception {
    return campaign.startPrimary(List.of(journal.toString(), Integer.toString(copies)), hasAll);
  }
}
