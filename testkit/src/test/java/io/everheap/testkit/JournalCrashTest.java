package io.everheap.testkit;

import io.everheap.support.tier.Campaign;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes the journal: appends, batches, claims, releases, cuts, recovery. */
@Campaign
class JournalCrashTest extends LogCrashSuite {
  JournalCrashTest() {
    super("journal", 2, List.of(new Explorer.Effort(10, 150, 6), new Explorer.Effort(1, 3, 2)));
  }

  @Override
  SimulatedProcess process(long seed, int work) {
    return new JournalProcess(seed, work, true);
  }

  @Test
  void aCrashOnAnOrdinaryFileWithoutWaitingIsSurvived() {
    explore("file, async", false, (seed, work) -> new JournalProcess(seed, work, false));
  }
}
