package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Crashes a store: creation, batches across shards, changes of the number of shards. */
@Campaign
class StoreCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void onAnOrdinaryFile() {
    explore("store, file", false, true);
  }

  @Test
  void onAnOrdinaryFileWithoutWaitingForIt() {
    explore("store, file, async", false, false);
  }

  @Test
  void anEncryptedOne() {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(1, 8, 2), new Explorer.Effort(1, 1, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      int s = seed;
      new Explorer(seed, efforts, report)
          .explore(
              () -> new StoreProcess(true, s, 8, KeyProvider.of(new byte[32])),
              () -> SimulatedMedium.file(s));
    }
    CrashFigures.add("store, encrypted", report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void onByteAddressableStorage() {
    explore("store, dax", true, true);
  }

  @Test
  void keysThatWereRemovedWhileTheyMovedDoNotComeBack() {
    ReshardedStores.removedKeysDoNotComeBack();
  }

  @Test
  void outcomesOfEarlierBatchesDoNotCount() {
    ReshardedStores.outcomesOfEarlierBatchesDoNotCount(Math.max(1, 4 / EFFORT));
  }

  private static void explore(String name, boolean dax, boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(2, 24, 3), new Explorer.Effort(1, 3, 2));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      int s = seed;
      new Explorer(seed, efforts, report)
          .explore(
              () -> new StoreProcess(sync, s, 12),
              () -> dax ? SimulatedMedium.dax(s) : SimulatedMedium.file(s));
    }
    CrashFigures.add(name, report);
    assertThat(report.states()).isPositive();
  }
}
