package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.EncryptionException;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes an encrypted journal, as {@link JournalCrashTest} does one that is not encrypted. */
@Campaign
class EncryptedJournalCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void aCrashAtAnyMomentOfTheFirstStartIsSurvived() {
    explore(
        "first start",
        3,
        true,
        List.of(new Explorer.Effort(20, 40, 3), new Explorer.Effort(1, 2, 2)));
  }

  @Test
  void aCrashOnAnOrdinaryFileIsSurvived() {
    explore("file", 60, true, List.of(new Explorer.Effort(5, 50, 4), new Explorer.Effort(1, 2, 1)));
  }

  @Test
  void aCrashOnAnOrdinaryFileWithoutWaitingIsSurvived() {
    explore(
        "async", 60, false, List.of(new Explorer.Effort(5, 50, 4), new Explorer.Effort(1, 2, 1)));
  }

  private static void explore(
      String figures, int work, boolean sync, List<Explorer.Effort> efforts) {
    var report = new CrashReport();
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      EncryptedJournalScenarios.explore(seed, work, sync, efforts, report);
    }
    CrashFigures.add("encrypted journal, " + figures, report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void byteAddressableStorageIsRefused() {
    assertThatThrownBy(
            () ->
                JournalProcess.builder(SimulatedMedium.dax(1), true, EncryptedJournalScenarios.KEY)
                    .open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("byte-addressable");
  }
}
