package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes replicas while they join and follow. */
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

  private static void follow(boolean dax, boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(3, 40, 4), new Explorer.Effort(1, 2, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      ReplicaScenarios.follow(dax, sync, seed, efforts, report);
    }
    CrashFigures.add("replicas, " + (dax ? "dax" : "file") + (sync ? "" : ", async"), report);
    assertThat(report.states()).isPositive();
  }
}
