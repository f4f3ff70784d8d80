package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Crashes heaps that several threads write to, with checkpoints, frees and syncs in the background:
 * what is found is the state after some commit, no older than any that was acknowledged. No two
 * runs are alike; a failure tells all that is known of its own.
 */
@Campaign
class ConcurrentCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void onAnOrdinaryFile() {
    explore("file", false, Durability.SYNC);
  }

  @Test
  void onAnOrdinaryFileWithoutWaiting() {
    explore("file, async", false, Durability.async(Duration.ofMillis(1)));
  }

  @Test
  void onByteAddressableStorage() {
    explore("dax", true, Durability.SYNC);
  }

  @Test
  void withLargeTransactionsWhilePagesAreCopied() {
    var effort = new Explorer.Effort(2, 24, 4);
    explore("large, file", false, Durability.SYNC, true, 6, effort);
    explore("large, file, async", false, Durability.async(Duration.ofMillis(1)), true, 6, effort);
    explore("large, dax", true, Durability.SYNC, true, 4, effort);
  }

  private static void explore(String name, boolean dax, Durability durability) {
    explore(name, dax, durability, false, 12, new Explorer.Effort(4, 60, 8));
  }

  private static void explore(
      String name,
      boolean dax,
      Durability durability,
      boolean large,
      int steps,
      Explorer.Effort first) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts = List.of(first, new Explorer.Effort(1, 2, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      var medium = dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
      new Explorer(seed, efforts, report)
          .explore(new WritersProcess(new HeapSetup(durability, true), seed, steps, large), medium);
    }
    CrashFigures.add("several writers, " + name, report);
    assertThat(report.states()).isPositive();
  }
}
