package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.error.StoppedException;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lets the simulated disk fail at each operation of a small program in turn, opening and closing
 * included: the failure is named, nothing acknowledged is lost, and what a failed sync left in
 * doubt is neither read nor written again. {@code -Deverheap.crash.step=1} fills the disk at each
 * new page, and cuts each write of an encrypted heap, not some of them.
 */
@Campaign
class EveryFaultTest {
  private static final int STEP = Integer.getInteger("everheap.crash.step", 40);
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);

  /** Where the heaps are. */
  enum Kind {
    FILE,
    DAX,
    ENCRYPTED;

    SimulatedMedium medium(long seed) {
      return this == DAX ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
    }

    Heap open(SimulatedMedium medium) {
      return new SimulatedHeaps(
              Durability.SYNC, heap -> this == ENCRYPTED ? heap.encrypt(KEY) : heap)
          .open(medium);
    }
  }

  /** What a run of the program came to. */
  private static final class Run {
    private final Kind kind;
    private final SimulatedMedium medium;
    private final Map<Long, Long> acknowledged = new TreeMap<>();
    private final Map<Long, Long> attempted = new TreeMap<>();
    private Throwable failure;

    Run(Kind kind, long seed) {
      this.kind = kind;
      this.medium = kind.medium(seed);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everySyncFails(Kind kind) {
    everyOperation(kind, (medium, n) -> medium.faults().failSync(n));
  }

  @ParameterizedTest
  @EnumSource(mode = EXCLUDE, names = "DAX")
  void everyDurableWriteFails(Kind kind) {
    everyOperation(kind, (medium, n) -> medium.faults().failDurableWrite(n));
  }

  @ParameterizedTest
  @EnumSource
  void everyWriteIsCut(Kind kind) {
    int step = kind == Kind.ENCRYPTED ? Math.max(1, STEP / 10) : 1; // decrypting takes time
    everyOperation(kind, step, (medium, n) -> medium.faults().cutWrite(n));
  }

  @ParameterizedTest
  @EnumSource
  void theDiskIsFullAtEveryNewPage(Kind kind) {
    int step =
        switch (kind) {
          case DAX -> 1;
          case FILE -> Math.max(1, STEP / 5);
          case ENCRYPTED -> STEP;
        };
    everyOperation(kind, step, (medium, n) -> medium.faults().fillDisk(n));
  }

  private static void everyOperation(Kind kind, ObjLongConsumer<SimulatedMedium> fault) {
    everyOperation(kind, 1, fault);
  }

  /** Counts up until a program runs through without meeting the fault. */
  private static void everyOperation(Kind kind, int step, ObjLongConsumer<SimulatedMedium> fault) {
    int met = 0;
    int unmet = 0;
    for (long n = 1; unmet < 3; n += step) {
      Run run = new Run(kind, n);
      fault.accept(run.medium, n);
      run(run);
      unmet = run.failure == null ? unmet + 1 : 0;
      met += run.failure == null ? 0 : 1;
      run.medium.faults().freeSpace();
      CrashImage image = run.medium.image();
      check(run, "killed, fault " + n, image.processKill());
      check(run, "power lost, nothing kept, fault " + n, image.powerLoss(Chooser.none()));
      check(run, "power lost, all kept, fault " + n, image.powerLoss(Chooser.all()));
      check(run, "power lost, some kept, fault " + n, image.powerLoss(Chooser.random(n)));
    }
    assertThat(met).as("operations that failed").isGreaterThan(3);
  }

  private static void run(Run run) {
    try {
      Heap heap = run.kind.open(run.medium);
      try {
        work(run, heap);
      } catch (EverheapException e) {
        named(run, e);
        afterwards(run, heap);
      } finally {
        heap.close();
      }
    } catch (EverheapException e) {
      named(run, e);
    }
  }

  private static void work(Run run, Heap heap) {
    for (long i = 0; i < 12; i++) {
      put(run, heap, i % 5, i);
      if (i == 4 || i == 9) {
        heap.checkpoint();
      }
      if (i == 6) {
        heap.transact(() -> heap.map("large", Long.class, byte[].class).put(1L, new byte[700_000]));
      }
    }
  }

  private static void put(Run run, Heap heap, long key, long value) {
    run.attempted.put(key, value);
    map(heap).put(key, value);
    run.acknowledged.put(key, value);
  }

  private static void named(Run run, EverheapException e) {
    if (run.failure == null) {
      run.failure = e;
    }
    assertThat(e.code()).startsWith("EH-");
    assertThat(e).hasMessageContaining("simulat");
  }

  /** A heap that failed is either poisoned, in whole, or goes on as if nothing had happened. */
  private static void afterwards(Run run, Heap heap) {
    try {
      assertThat(map(heap)).isEqualTo(run.acknowledged);
      run.medium.faults().freeSpace();
      put(run, heap, 3, 100);
      assertThat(map(heap)).containsEntry(3L, 100L);
    } catch (StoppedException e) {
      assertThat(catching(() -> map(heap).get(1L))).isInstanceOf(EverheapException.class);
      assertThat(catching(() -> map(heap).put(4L, 100L))).isInstanceOf(EverheapException.class);
      assertThat(catching(heap::checkpoint)).isInstanceOf(EverheapException.class);
    }
  }

  private static Throwable catching(Runnable action) {
    try {
      action.run();
      return null;
    } catch (EverheapException e) {
      return e;
    }
  }

  private static void check(Run run, String how, SimulatedMedium after) {
    try (after;
        Heap heap = run.kind.open(after)) {
      Map<Long, Long> found = new TreeMap<>(map(heap));
      Map<Long, Long> uncertain = new TreeMap<>(run.acknowledged);
      uncertain.putAll(run.attempted); // the outcome of the last commit is open
      assertThat(found).as(how + " after " + run.failure).isIn(run.acknowledged, uncertain);
      assertThat(heap.verify().problems()).as(how).isEmpty();
    }
  }

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("numbers", Long.class, Long.class);
  }
}
