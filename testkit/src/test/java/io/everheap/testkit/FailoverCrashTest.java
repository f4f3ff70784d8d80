package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes primaries while a replica follows, which then takes over or goes on following. */
@Campaign
class FailoverCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void withACopyOnAFile() {
    failOver(false, true, true);
  }

  @Test
  void withoutWaitingForCopiesOnAFile() {
    failOver(false, true, false);
  }

  @Test
  void withoutWaitingForAnythingOnAFile() {
    failOver(false, false, false);
  }

  @Test
  void withACopyOnByteAddressableStorage() {
    failOver(true, true, true);
  }

  @Test
  void withACopyOfAnEncryptedHeap() {
    failOver(new HeapSetup(true).encrypted(), false, true, 1, "encrypted, a copy");
  }

  private static void failOver(boolean dax, boolean sync, boolean copies) {
    String how = (dax ? "dax" : "file") + (sync ? "" : ", async") + (copies ? ", a copy" : "");
    failOver(new HeapSetup(sync), dax, copies, 4, how);
  }

  private static void failOver(
      HeapSetup setup, boolean dax, boolean copies, int samples, String how) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(3, 10 * samples, samples), new Explorer.Effort(1, 2, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      ReplicaScenarios.failOver(setup, dax, copies, seed, efforts, report);
    }
    CrashFigures.add("failovers, " + how, report);
    assertThat(report.states()).isPositive();
  }
}
