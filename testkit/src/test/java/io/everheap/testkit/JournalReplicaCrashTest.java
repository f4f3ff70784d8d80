package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes replicas of journals while they join, follow and take over. */
@Campaign
class JournalReplicaCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final List<Explorer.Effort> EFFORTS =
      List.of(new Explorer.Effort(6, 80, 4), new Explorer.Effort(1, 2, 1));
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void aReplicaOnAFile() {
    follow(false, false);
  }

  @Test
  void anEncryptedReplicaOfAnEncryptedJournal() {
    var report = new CrashReport();
    for (int seed = FIRST; seed < FIRST + 2 * EFFORT; seed++) {
      JournalReplicaScenarios.follow(
          false, false, EncryptedJournalScenarios.KEY, seed, EFFORTS, report);
    }
    CrashFigures.add("replicas of journals, encrypted", report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void aReplicaOnAFileOfAJournalOnByteAddressableStorage() {
    follow(true, false);
  }

  @Test
  void aReplicaOnByteAddressableStorage() {
    follow(true, true);
  }

  private static void follow(boolean primaryDax, boolean replicaDax) {
    var report = new CrashReport();
    for (int seed = FIRST; seed < FIRST + 2 * EFFORT; seed++) {
      JournalReplicaScenarios.follow(primaryDax, replicaDax, seed, EFFORTS, report);
    }
    CrashFigures.add(
        "replicas of journals, "
            + (primaryDax ? "dax" : "file")
            + " to "
            + (replicaDax ? "dax" : "file"),
        report);
    assertThat(report.states()).isPositive();
  }
}
