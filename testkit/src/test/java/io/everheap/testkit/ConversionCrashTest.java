package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes heaps while they are encrypted, decrypted, and given new data keys. */
@Campaign
class ConversionCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void everyCrashLeavesTheHeapBeforeOrAfterTheConversion() {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(4, 24, 3), new Explorer.Effort(1, 2, 2));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      ConversionScenarios.explore(seed, efforts, report);
    }
    CrashFigures.add("conversions", report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void aPowerLossAtItsEndLeavesNothingBehind() {
    ConversionScenarios.lastMoments();
  }

  @Test
  void aFullDiskLeavesTheHeapAsItWas() {
    ConversionScenarios.fullDisk();
  }

  @Test
  void aFailedSyncLeavesTheHeapAsItWasOrEncrypted() {
    ConversionScenarios.failedSyncs();
  }

  @Test
  void aCopyThatDiffersIsNotExchanged() {
    ConversionScenarios.wrongCopy();
  }
}
