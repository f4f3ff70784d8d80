package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.cli.demo.WorkerProcess;
import io.everheap.replication.Replica;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A primary and its replica in processes of their own, which are killed at random moments: the
 * replica, the primary, or both. When the primary is killed, the replica takes over, and the former
 * primary becomes the replica. With one copy nothing that was acknowledged is ever lost; without,
 * what remains is a prefix that has all of which the status said that a replica has it.
 */
class KilledReplicasTest {
  @TempDir private Path directory;

  private final Campaign campaign = new Campaign();

  @ParameterizedTest
  @ValueSource(ints = {1, 0})
  void whatWasCopiedIsNeverLost(int copies) throws Exception {
    Path primaryDir = directory.resolve("a");
    Path replicaDir = directory.resolve("b");
    int failovers = 0;
    WorkerProcess primary = startPrimary(primaryDir, copies, true);
    WorkerProcess replica = startReplica(replicaDir);
    try {
      for (int round = 0; round < Campaign.ROUNDS; round++) {
        campaign.awaitCommits(campaign.random.nextInt(10, 400), primary, replica);
        switch (campaign.random.nextInt(3)) {
          case 0 -> {
            replica.kill();
            replica = startReplica(replicaDir);
          }
          case 1 -> {
            primary.kill();
            replica.kill();
            primary = startPrimary(primaryDir, copies, true);
            replica = startReplica(replicaDir);
          }
          default -> {
            failovers++;
            primary.kill();
            replica.kill();
            assertThat(Replica.of(replicaDir).promote()).isEqualTo(failovers);
            Path former = primaryDir;
            primaryDir = replicaDir;
            replicaDir = former;
            primary = startPrimary(primaryDir, copies, copies > 0);
            replica = startReplica(replicaDir);
          }
        }
      }
      campaign.awaitCommits(50, primary, replica);
    } finally {
      primary.close();
      replica.close();
    }
    assertThat(campaign.copied()).isPositive();
    Replica.of(replicaDir).promote();
    try (Heap heap = Heap.open(replicaDir)) {
      assertThat(heap.verify().problems()).isEmpty();
    }
    System.out.printf(
        "%d copies: %d kills, %d failovers, %,d commits acknowledged%n",
        copies, Campaign.ROUNDS, failovers, campaign.commits());
  }

  private WorkerProcess startPrimary(Path heap, int copies, boolean hasAll) throws Exception {
    String archives = directory.resolve("archives").toString();
    return campaign.startPrimary(
        List.of(heap.toString(), archives, Integer.toString(copies)), hasAll);
  }

  private WorkerProcess startReplica(Path heap) throws Exception {
    return campaign.startReplica(heap.toString());
  }
}
