package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.support.KeyBytes;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.Crash;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Crashes an encrypted heap, as {@link EngineCrashTest} does one that is not encrypted. */
@Campaign
class EncryptionCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final SimulatedHeaps HEAPS =
      new SimulatedHeaps(
          Durability.SYNC, builder -> builder.encrypt(KeyProvider.of(KeyBytes.of(1))));
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void onAnOrdinaryFile() {
    explore(true);
  }

  @Test
  void onAnOrdinaryFileWithoutWaiting() {
    explore(false);
  }

  /** A copy has files that were never synced; its opening syncs what later changes build on. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofACopyThatLosesItsPowerInItsFirstCheckpoints(boolean closed) {
    SimulatedMedium original = SimulatedMedium.file(1);
    Heap heap = HEAPS.open(original);
    put(heap, 0, 50);
    heap.checkpoint();
    put(heap, 50, 60);
    if (closed) {
      heap.close();
    }
    SimulatedMedium source = original.processKill();
    int died = 0;
    for (int point = 1; died == point - 1; point++) {
      SimulatedMedium copy = SimulatedMedium.file(2);
      MediumCopy.copy(source, copy);
      Heap copied = HEAPS.open(copy);
      copy.dieAt(copy.points() + point); // from now on all of it is durable
      try {
        put(copied, 60, 61);
        copied.checkpoint();
        put(copied, 61, 62);
        copied.close();
      } catch (Crash | EverheapException e) {
        died++;
      }
      try (Heap again = HEAPS.open(copy.powerLoss(Chooser.none()))) {
        assertThat(numbers(again)).as("after point %d", point).containsKeys(0L, 59L);
        assertThat(again.verify().problems()).isEmpty();
      }
    }
    assertThat(died).isGreaterThan(20);
    heap.close();
  }

  private static Map<Long, Long> numbers(Heap heap) {
    return heap.map("numbers", Long.class, Long.class);
  }

  private static void put(Heap heap, long from, long to) {
    for (long i = from; i < to; i++) {
      numbers(heap).put(i, i);
    }
  }

  private static void explore(boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(4, 30, 4), new Explorer.Effort(1, 2, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      new Explorer(seed, efforts, report)
          .explore(
              new BlockProcess(
                  SimulatedHeaps.options(new HeapSetup(sync).durability()), true, seed, 40),
              SimulatedMedium.file(seed));
    }
    CrashFigures.add("encryption" + (sync ? "" : ", async"), report);
    assertThat(report.states()).isPositive();
  }
}
