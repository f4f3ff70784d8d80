package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.everheap.cli.demo.WorkerProcess;
import io.everheap.replication.JournalReplica;
import io.everheap.replication.Replica;
import io.everheap.support.tier.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A primary and its replica, each on a small disk that is full now and then, at random moments;
 * meanwhile processes are killed. When there is room again both go on by themselves, and nothing
 * that was acknowledged is ever lost, also when the replica takes over. Needs root, to mount.
 */
@Processes
class FullDiskReplicasTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void acknowledgedIsNeverLost(boolean journal) throws Exception {
    Campaign campaign =
        journal
            ? new Campaign(JournalPrimaryWorker.class, JournalReplicaWorker.class)
            : new Campaign();
    try (SmallDisk first = mount("first");
        SmallDisk second = mount("second")) {
      run(campaign, journal, first, second);
    }
  }

  private SmallDisk mount(String name) {
    try {
      return SmallDisk.mount(directory.resolve(name));
    } catch (IOException e) {
      System.err.println("!!! NOT RUN: replicas on full disks: " + e.getMessage());
      return abort("this machine mounts nothing for us: " + e.getMessage());
    }
  }

  private static void run(Campaign campaign, boolean journal, SmallDisk first, SmallDisk second)
      throws Exception {
    SmallDisk ours = first;
    SmallDisk theirs = second;
    int failovers = 0;
    WorkerProcess primary = startPrimary(campaign, journal, ours);
    WorkerProcess replica = campaign.startReplica(theirs.path("data").toString());
    try {
      for (int round = 0; round < Campaign.ROUNDS; round++) {
        campaign.awaitCommits(campaign.random.nextInt(10, 200), primary, replica);
        SmallDisk full = campaign.random.nextBoolean() ? ours : theirs;
        full.fill();
        LockSupport.parkNanos(1_000_000L * campaign.random.nextInt(1, 400)); // how long is random
        int blow = campaign.random.nextInt(4);
        if (blow == 0) {
          replica.kill();
        } else if (blow == 1) {
          primary.kill();
          replica.kill();
        }
        full.free();
        if (blow == 0) {
          replica = campaign.startReplica(theirs.path("data").toString());
        } else if (blow == 1) {
          failovers++;
          assertThat(promote(journal, theirs.path("data")) >>> Integer.SIZE).isEqualTo(failovers);
          SmallDisk former = ours;
          ours = theirs;
          theirs = former;
          primary = startPrimary(campaign, journal, ours);
          replica = campaign.startReplica(theirs.path("data").toString());
        }
      }
      campaign.awaitCommits(100, primary, replica);
    } finally {
      primary.close();
      replica.close();
    }
    System.out.printf(
        Locale.ROOT,
        "%s: %d full disks, %d failovers, %,d acknowledged%n",
        journal ? "journal" : "heap",
        Campaign.ROUNDS,
        failovers,
        campaign.commits());
  }

  private static long promote(boolean journal, Path path) {
    return journal ? JournalReplica.of(path).promote() : Replica.of(path).promote();
  }

  private static WorkerProcess startPrimary(Campaign campaign, boolean journal, SmallDisk disk)
      throws Exception {
    String data = disk.path("data").toString();
    return campaign.startPrimary(journal ? List.of(data, "1") : List.of(data, "", "1"), true);
  }
}
