package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.HeapConversion;
import io.everheap.error.CorruptException;
import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.memory.Exchange;
import io.everheap.memory.Medium;
import io.everheap.report.BackupProgress;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.Crash;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;

/** What the tests of the tests run against deliberate mistakes in the conversion of heaps. */
public final class ConversionScenarios {
  private static final HeapSetup SETUP = new HeapSetup(true);
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);

  private ConversionScenarios() {}

  /** Conversions, crashed at many moments. */
  public static void crashes() {
    explore(1, List.of(new Explorer.Effort(20, 90, 3)), new CrashReport());
  }

  static void explore(long seed, List<Explorer.Effort> efforts, CrashReport report) {
    new Explorer(seed, efforts, report)
        .explore(new ConversionProcess(SETUP, 3), SimulatedMedium.file(seed));
  }

  private static SimulatedMedium made() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Heap heap = SETUP.open(medium)) {
      for (int i = 0; i < 50; i++) {
        heap.map("m", Integer.class, String.class).put(i, "value " + i);
      }
    }
    return medium.processKill();
  }

  private static void expect(SimulatedMedium medium, HeapSetup setup) {
    try (Heap heap = setup.open(medium)) {
      for (int i = 0; i < 50; i++) {
        assertThat(heap.map("m", Integer.class, String.class)).containsEntry(i, "value " + i);
      }
      setup.verify(heap);
    }
  }

  private static void encrypt(Medium medium) {
    HeapConversion.run(
        medium, null, KEY, SimulatedHeaps.options(SETUP.durability()), BackupProgress.NONE);
  }

  /** A disk that is full, wherever it begins to be, leaves the heap as it was. */
  public static void fullDisk() {
    int refused = 0;
    for (int pages = 1; pages < 1200; pages += 1 + pages / 4) {
      SimulatedMedium medium = made();
      medium.faults().fillDisk(pages);
      try {
        encrypt(medium);
      } catch (DiskFullException e) {
        refused++;
        medium.faults().freeSpace();
        Exchange.settle(medium);
        assertThat(medium.list("")).noneMatch(name -> name.contains("convert"));
        expect(medium.processKill(), SETUP);
        continue;
      }
      medium.faults().freeSpace();
      expect(medium.processKill(), SETUP.encrypted());
    }
    assertThat(refused).isGreaterThan(10);
  }

  /** Power is lost at each of the last moments, of which a sample may have none. */
  public static void lastMoments() {
    SimulatedMedium complete = made();
    long first = complete.points();
    encrypt(complete);
    long points = complete.points() - first;
    for (long point = points - 12; point <= points; point++) {
      SimulatedMedium medium = made();
      medium.dieAt(medium.points() + point);
      try {
        encrypt(medium);
      } catch (Crash e) {
        // The machine lost its power there.
      }
      for (int seed = 0; seed < 12; seed++) {
        SimulatedMedium after = medium.powerLoss(Chooser.random(seed));
        Exchange.settle(after);
        ConversionProcess.requireOneState(after);
        expect(after, after.exists("keys") ? SETUP.encrypted() : SETUP);
      }
    }
  }

  /** Syncs and writes that fail leave the heap as it was, or encrypted. */
  public static void failedSyncs() {
    for (int nth = 1; nth < 40; nth++) {
      SimulatedMedium medium = made();
      medium.faults().failSync(nth);
      boolean done = false;
      try {
        encrypt(medium);
        done = true;
      } catch (EverheapException e) {
        assertThat(e.code()).startsWith("EH-");
      }
      medium.faults().failSync(-1);
      for (Chooser chooser : List.of(Chooser.none(), Chooser.all())) {
        SimulatedMedium after = medium.powerLoss(chooser);
        Exchange.settle(after);
        boolean encrypted = after.exists("keys");
        assertThat(encrypted || !done).as("acknowledged").isTrue();
        expect(after, encrypted ? SETUP.encrypted() : SETUP);
      }
    }
  }

  /** A storage that does not return what was written is noticed before the exchange. */
  public static void wrongCopy() {
    SimulatedMedium medium = made();
    Medium faulty =
        HookedMedium.of(
            medium,
            new HookedMedium.Hook() {
              @Override
              public void after(String call, String file, long position) {
                if (call.equals("sync") && file.equals("heap.converted")) {
                  medium.flipBit(file, 4096 + 3 * 4608 + 100, 0);
                }
              }
            });
    assertThatThrownBy(() -> encrypt(faulty)).isInstanceOf(CorruptException.class);
    assertThat(medium.list("")).noneMatch(name -> name.contains("convert"));
    expect(medium.processKill(), SETUP);
  }
}
