package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes replicas while they join and follow. */
@Campaign
class ReplicaCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void aReplicaOnAFile() {
    follow(false, true);
  }

  @Test
  void aReplicaOnAFileThatWritesLater() {
    follow(false, false);
  }

  @Test
  void aReplicaOnByteAddressableStorage() {
    follow(true, true);
  }

  @Test
  void anEncryptedReplica() {
    follow(new HeapSetup(true).encrypted(), false, 1, "encrypted");
  }

  private static void follow(boolean dax, boolean sync) {
    follow(new HeapSetup(sync), dax, 4, (dax ? "dax" : "file") + (sync ? "" : ", async"));
  }

  private static void follow(HeapSetup setup, boolean dax, int samples, String how) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(3, 10 * samples, samples), new Explorer.Effort(1, 2, 1));
    long joined = ReplicaProcess.JOINED.sum();
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      ReplicaScenarios.follow(setup, dax, seed, efforts, report);
    }
    CrashFigures.add("replicas, " + how, report);
    assertThat(report.states()).isPositive();
    assertThat(ReplicaProcess.JOINED.sum()).as("joined transactions").isGreaterThan(joined);
  }
}
