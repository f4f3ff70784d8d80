package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.block.UnloggedRegion;
import io.everheap.support.tier.Campaign;
import org.junit.jupiter.api.Test;

/** Crashes a program that makes a region outside of all transactions and forces parts of it. */
@Campaign
class RegionCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);
  private static final int BYTES = 9_000;
  private static final int SLOTS = 8;

  @Test
  void aRegionIsWholeOrNotThereAndKeepsWhatWasForced() {
    CrashTest.of(
            (heap, steps) -> {
              steps.begin();
              UnloggedRegion region = heap.region("r", BYTES);
              steps.end();
              for (int i = 1; i <= SLOTS; i++) {
                steps.begin();
                region.setLong(1_000L * i, i);
                region.force(1_000L * i, 8);
                steps.end();
              }
            })
        .seeds(FIRST, EFFORT)
        .verify(
            (heap, progress) -> {
              assertThat(heap.verify().problems()).isEmpty();
              boolean there = heap.regions().contains("r");
              assertThat(there || progress.least() == 0).isTrue();
              if (there) {
                UnloggedRegion region = heap.region("r", BYTES);
                for (int i = 1; i <= SLOTS; i++) {
                  long value = region.getLong(1_000L * i);
                  assertThat(value).isIn(0L, (long) i);
                  assertThat(value == i || progress.least() <= i).isTrue();
                }
              }
            });
  }
}
