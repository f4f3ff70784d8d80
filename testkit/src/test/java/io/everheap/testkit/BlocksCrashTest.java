package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes a heap with raw blocks, arrays, texts, buffers and atomic values. */
@Campaign
class BlocksCrashTest {
  private static final int STEPS = 24;
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void everyCrashLeavesWholeSteps() {
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      int work = seed;
      String[] expected = BlocksWork.expected(work, STEPS);
      CrashTest.of(
              (heap, steps) -> {
                for (int i = 1; i <= STEPS; i++) {
                  steps.begin();
                  BlocksWork.step(heap, work, i);
                  steps.end();
                  if (i % 9 == 0) {
                    heap.checkpoint();
                  }
                }
              })
          .seeds(seed, 1)
          .verify(
              (heap, progress) -> {
                List<String> possible =
                    List.of(expected).subList(progress.least(), progress.most() + 1);
                assertThat(BlocksWork.contents(heap)).isIn(possible);
                assertThat(heap.verify().problems()).isEmpty();
              });
    }
  }
}
