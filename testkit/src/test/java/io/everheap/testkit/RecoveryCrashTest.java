package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Crashes recoveries at every one of their moments: of processes that were killed, and of machines
 * that lost their power, at several moments of their work; then crashes the recovery from that.
 */
@Campaign
class RecoveryCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void onAnOrdinaryFile() {
    explore(false, true);
  }

  @Test
  void onAnOrdinaryFileWithoutWaiting() {
    explore(false, false);
  }

  @Test
  void onByteAddressableStorage() {
    explore(true, true);
  }

  /** Each process commits a little on what the one before left, and makes no checkpoint. */
  @Test
  void ofProcessesThatGoOnWithTheLogOnAnOrdinaryFile() {
    goOn(false, true);
  }

  @Test
  void ofProcessesThatGoOnWithTheLogWithoutWaiting() {
    goOn(false, false);
  }

  @Test
  void ofProcessesThatGoOnWithTheLogOnByteAddressableStorage() {
    goOn(true, true);
  }

  /** Copying syncs nothing, and what a process builds on must be durable all the same. */
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void ofAKilledHeapThatWasCopiedElsewhere(boolean dax, boolean daxBefore) {
    HeapSetup setup = new HeapSetup(true);
    SimulatedMedium medium = daxBefore ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
    put(setup.open(medium), 0, 100);
    assertGoesOnElsewhere(medium.processKill(), dax);
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void ofAClosedHeapThatWasCopiedElsewhere(boolean dax, boolean daxBefore) {
    HeapSetup setup = new HeapSetup(true);
    SimulatedMedium medium = daxBefore ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
    try (Heap heap = setup.open(medium)) {
      put(heap, 0, 100);
    }
    assertGoesOnElsewhere(medium.processKill(), dax);
  }

  private static void assertGoesOnElsewhere(SimulatedMedium heap, boolean dax) {
    HeapSetup setup = new HeapSetup(true);
    SimulatedMedium copy = dax ? SimulatedMedium.dax(2) : SimulatedMedium.file(2);
    MediumCopy.copy(heap, copy);
    put(setup.open(copy), 100, 110);
    try (Heap again = setup.open(copy.powerLoss(Chooser.none()))) {
      assertThat(map(again)).hasSize(110);
      setup.verify(again);
    }
  }

  private static Map<Long, Long> map(Heap heap) {
    return heap.map("numbers", Long.class, Long.class);
  }

  private static void put(Heap heap, long from, long to) {
    for (long i = from; i < to; i++) {
      map(heap).put(i, i);
    }
  }

  private static void goOn(boolean dax, boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(
            new Explorer.Effort(1, 2 * EFFORT, 2),
            new Explorer.Effort(1, 6, 2),
            new Explorer.Effort(1, 4, 2),
            new Explorer.Effort(1, 1, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      int s = seed;
      new Explorer(seed, efforts, report)
          .explore(
              () -> new MapProcess(new HeapSetup(sync), s, 12, 5),
              () -> dax ? SimulatedMedium.dax(s) : SimulatedMedium.file(s));
    }
    CrashFigures.add(
        "recovery, going on, " + (dax ? "dax" : "file") + (sync ? "" : ", async"), report);
    assertThat(report.chains()).containsKeys("KK", "KP", "PK", "PP");
  }

  private static void explore(boolean dax, boolean sync) {
    var report = new CrashReport();
    // Recovery on DAX stores home words one by one, each of them a moment to be killed at.
    List<Explorer.Effort> efforts =
        List.of(
            new Explorer.Effort(EFFORT, dax ? 2 * EFFORT : 4 * EFFORT, 2),
            Explorer.Effort.everywhere(3, 4),
            new Explorer.Effort(1, dax ? 0 : 1, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      int s = seed;
      new Explorer(seed, efforts, report)
          .explore(
              () -> new MapProcess(new HeapSetup(sync), s, 12, 0),
              () -> dax ? SimulatedMedium.dax(s) : SimulatedMedium.file(s));
    }
    CrashFigures.add("recovery, " + (dax ? "dax" : "file") + (sync ? "" : ", async"), report);
    assertThat(report.chains()).containsKeys("KK", "KP", "PK", "PP");
  }
}
