package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cli.demo.WorkerProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A primary and its replica in processes of their own, which are killed at random moments: the
 * replica, the primary, or both. When the primary is killed, the replica takes over, and the former
 * primary becomes the replica. With one copy nothing that was acknowledged is ever lost; without,
 * what remains is a prefix that has all of which the status said that a replica has it.
 */
abstract class KilledReplicasSuite {
  @TempDir Path directory;

  private final Campaign campaign;

  KilledReplicasSuite(Campaign campaign) {
    this.campaign = campaign;
  }

  /** The arguments of a primary's program. */
  abstract List<String> primary(Path of, int copies);

  /** Promotes a replica; returns its new term. */
  abstract long promote(Path replica);

  /** Checks what is in a directory that was promoted. */
  abstract void requireWhole(Path promoted);

  @ParameterizedTest
  @ValueSource(ints = {1, 0})
  void whatWasCopiedIsNeverLost(int copies) throws Exception {
    Path primaryDir = directory.resolve("a");
    Path replicaDir = directory.resolve("b");
    int failovers = 0;
    long copied = 0; // before the replica started
    WorkerProcess primary = campaign.startPrimary(primary(primaryDir, copies), true);
    WorkerProcess replica = campaign.startReplica(replicaDir.toString());
    try {
      for (int round = 0; round < Campaign.ROUNDS; round++) {
        campaign.awaitCommits(campaign.random.nextInt(10, 400), primary, replica);
        int choice = campaign.random.nextInt(3);
        if (choice > 1) { // else one that is made anew might not have what its primary was told of
          campaign.awaitCopy(copied, primary, replica);
        }
        if (choice > 0) {
          primary.kill();
        }
        replica.kill();
        boolean hasAll = true;
        if (choice > 1) {
          failovers++;
          assertThat(promote(replicaDir) >>> Integer.SIZE).isEqualTo(failovers);
          Path former = primaryDir;
          primaryDir = replicaDir;
          replicaDir = former;
          hasAll = copies > 0;
        }
        if (choice > 0) {
          primary = campaign.startPrimary(primary(primaryDir, copies), hasAll);
        }
        copied = campaign.copied();
        replica = campaign.startReplica(replicaDir.toString());
      }
      campaign.awaitCommits(50, primary, replica);
      campaign.awaitCopy(0, primary, replica);
    } finally {
      primary.close();
      replica.close();
    }
    assertThat(campaign.copied()).isPositive();
    promote(replicaDir);
    requireWhole(replicaDir);
    System.out.printf(
        Locale.ROOT,
        "%d copies: %d kills, %d failovers, %,d commits acknowledged%n",
        copies,
        Campaign.ROUNDS,
        failovers,
        campaign.commits());
  }
}
