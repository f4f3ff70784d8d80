package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.GoneException;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.ArrayList;
import java.util.List;

/**
 * What the tests of the tests run against deliberate mistakes: short crash explorations, and the
 * situations that a random exploration meets too seldom. Each throws when something is wrong.
 */
public final class MutationScenarios {
  private static final int SEEDS = 2 * Integer.getInteger("everheap.crash.effort", 1);
  private static final HeapSetup SYNC = new HeapSetup(true);
  private static final HeapSetup ASYNC = new HeapSetup(false);

  private MutationScenarios() {}

  public static void engineFile() {
    engine(false, true);
  }

  public static void engineAsync() {
    engine(false, false);
  }

  public static void engineDax() {
    engine(true, true);
  }

  private static void engine(boolean dax, boolean sync) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      EngineOptions options = SimulatedHeaps.options(new HeapSetup(sync).durability());
      explore(new BlockProcess(options, seed, 40), dax, seed, new Explorer.Effort(3, 40, 5));
    }
  }

  public static void logFile() {
    log(false, 60, new Explorer.Effort(6, 80, 8));
  }

  public static void logDax() {
    log(true, 60, new Explorer.Effort(6, 80, 8));
  }

  /** The log from nothing, at almost every moment. */
  public static void firstStart() {
    log(false, 2, new Explorer.Effort(40, 100, 4));
  }

  private static void log(boolean dax, int steps, Explorer.Effort effort) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      explore(new LogProcess(seed, steps), dax, seed, effort);
    }
  }

  /** A heap from nothing, at almost every moment. */
  public static void firstOpening() {
    EngineOptions options = SimulatedHeaps.options(Durability.SYNC);
    explore(new BlockProcess(options, 1, 2), false, 1, new Explorer.Effort(40, 120, 6));
  }

  private static void explore(
      SimulatedProcess process, boolean dax, int seed, Explorer.Effort first) {
    List<Explorer.Effort> efforts = List.of(first, new Explorer.Effort(1, 2, 1));
    new Explorer(seed, efforts, new CrashReport())
        .explore(process, dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed));
  }

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("map", Long.class, Long.class);
  }

  /** What a killed process left in the page cache alone is accepted, and lost by a power cut. */
  public static void acceptedAfterAFailedWrite() {
    for (long nth = 1; nth <= 3; nth++) {
      SimulatedMedium medium = SimulatedMedium.file(nth);
      Heap heap = SYNC.open(medium);
      map(heap).put(1L, 1L);
      medium.faults().failDurableWrite(nth);
      for (long i = 2; i < 8; i++) {
        try {
          map(heap).put(i, i);
        } catch (EverheapException e) {
          break;
        }
      }
      SimulatedMedium killed = medium.processKill();
      CrashImage[] before = new CrashImage[1];
      long[] seen = new long[1];
      try (Heap again = ASYNC.open(killed)) {
        seen[0] = map(again).size();
        before[0] = killed.image();
      }
      try (Heap last = SYNC.open(before[0].powerLoss(Chooser.none()))) {
        assertThat((long) map(last).size()).as("entries after a power cut").isEqualTo(seen[0]);
      }
    }
  }

  /** Many transactions without a wait, through a small ring several times, then a power cut. */
  public static void ringWraps() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = ASYNC.open(medium);
    for (long i = 0; i < 23_999; i++) {
      map(heap).put(i % 100, i);
      if (i % 4000 == 0) {
        heap.checkpoint();
      }
    }
    heap.sync();
    SimulatedMedium after = medium.powerLoss(Chooser.none());
    try (Heap again = SYNC.open(after)) {
      for (long i = 23_900; i < 23_999; i++) {
        assertThat(map(again)).containsEntry(i % 100, i);
      }
    }
  }

  public static void damageBeforeAnAcknowledgedCommitIsRefused() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = SYNC.open(medium);
    for (long i = 0; i < 10; i++) {
      map(heap).put(i, i);
    }
    for (int block = 1; block <= 6; block++) {
      SimulatedMedium damaged = medium.powerLoss(Chooser.none());
      for (String name : damaged.list("log")) {
        damaged.flipBit("log/" + name, block * 4096L + 70, 1);
      }
      assertRefusedOrComplete(damaged, 10);
    }
  }

  private static void assertRefusedOrComplete(SimulatedMedium damaged, int entries) {
    try (Heap again = SYNC.open(damaged)) {
      assertThat(map(again)).as("entries of a heap that opens").hasSize(entries);
    } catch (EverheapException e) {
      assertThat(e).hasMessageContaining("log");
    }
  }

  /** Asynchronous changes, then a synchronous transaction that changes nothing but saw them. */
  public static void anEmptyTransactionWaits() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = ASYNC.open(medium);
    map(heap).put(1L, 1L);
    long[] saw = new long[1];
    heap.transact(
        Durability.SYNC,
        () -> {
          saw[0] = map(heap).getOrDefault(1L, 0L);
        });
    try (Heap again = SYNC.open(medium.powerLoss(Chooser.none()))) {
      assertThat(map(again).getOrDefault(1L, 0L)).isEqualTo(saw[0]);
    }
  }

  public static void aFreedBlockIsStale() {
    try (Engine engine =
        Engine.open(SimulatedMedium.file(1), SimulatedHeaps.options(Durability.SYNC))) {
      long[] reference = new long[1];
      transact(engine, () -> reference[0] = engine.allocator().allocate(300, 40));
      transact(engine, () -> engine.allocator().free(Stripes.NONE, reference[0]));
      assertThatThrownBy(() -> engine.allocator().size(reference[0]))
          .isInstanceOf(GoneException.class);
      allocateAt(engine, Reference.address(reference[0]));
      assertThatThrownBy(() -> engine.allocator().size(reference[0]))
          .isInstanceOf(GoneException.class);
    }
  }

  public static void anAbortedBlockIsStale() {
    try (Engine engine =
        Engine.open(SimulatedMedium.file(1), SimulatedHeaps.options(Durability.SYNC))) {
      long[] reference = new long[1];
      engine.transactions().begin();
      reference[0] = engine.allocator().allocate(300, 40);
      engine.transactions().end(false);
      allocateAt(engine, Reference.address(reference[0]));
      assertThatThrownBy(() -> engine.allocator().size(reference[0]))
          .isInstanceOf(GoneException.class);
    }
  }

  /** Allocates until a block has this address. */
  private static void allocateAt(Engine engine, long address) {
    long[] last = new long[1];
    for (int i = 0; i < 100_000 && Reference.address(last[0]) != address; i++) {
      transact(engine, () -> last[0] = engine.allocator().allocate(300, 40));
    }
    assertThat(Reference.address(last[0])).isEqualTo(address);
  }

  private static void transact(Engine engine, Runnable body) {
    engine.transactions().begin();
    boolean ok = false;
    try {
      body.run();
      ok = true;
    } finally {
      engine.transactions().end(ok);
    }
  }

  /**
   * A checkpoint is cut off while it writes pages, and the newest batch of the log is lost as well:
   * without it the home image would be newer than the log.
   */
  public static void pagesNewerThanADamagedTailAreRefused() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = SYNC.open(medium);
    for (long i = 0; i < 4; i++) {
      map(heap).put(i, i);
    }
    assertDamagedTailIsRefused(imageWhilePagesAreWritten(medium, heap::checkpoint));
  }

  /** The same with the first checkpoint after a recovery, which went on with another epoch. */
  public static void pagesNewerThanADamagedTailAreRefusedAfterRecovery() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = SYNC.open(medium);
    for (long i = 0; i < 4; i++) {
      map(heap).put(i, i);
    }
    SimulatedMedium killed = medium.processKill();
    Heap again = SYNC.open(killed);
    assertDamagedTailIsRefused(imageWhilePagesAreWritten(killed, again::checkpoint));
  }

  /** The state at the last page that is written. */
  private static CrashImage imageWhilePagesAreWritten(SimulatedMedium medium, Runnable action) {
    CrashImage[] image = new CrashImage[1];
    medium.observe(
        point -> {
          if (point.file().equals("heap")
              && point.kind() == CrashPoint.Kind.WRITE
              && point.position() >= 8192) {
            image[0] = medium.image();
          }
        });
    action.run();
    medium.observe(point -> {});
    assertThat(image[0]).as("a state while pages are written").isNotNull();
    return image[0];
  }

  private static void assertDamagedTailIsRefused(CrashImage image) {
    int refused = 0;
    for (int block = 1; block <= 12; block++) {
      SimulatedMedium damaged = image.powerLoss(Chooser.all()); // so that the ring does not count
      damaged.flipBit("heap.crc", 8, 1); // where the reach stands, which would be noticed as well
      for (String name : damaged.list("log")) {
        damaged.flipBit("log/" + name, block * 4096L + 70, 1);
      }
      try (Heap again = SYNC.open(damaged)) {
        assertThat(map(again)).as("a heap that opens").hasSize(4);
      } catch (EverheapException e) {
        assertThat(e)
            .isInstanceOf(CorruptException.class)
            .hasMessageContaining("(EH-CORRUPT-LOG)"); // and nothing else notices first
        refused++;
      }
    }
    assertThat(refused).as("damaged logs that were refused").isPositive();
  }

  public static void aCheckpointThatFailedIsMadeUpFor() {
    for (long nth = 1; nth <= 6; nth++) {
      SimulatedMedium medium = SimulatedMedium.file(nth);
      Heap heap = ASYNC.open(medium);
      for (long i = 0; i < 100; i++) {
        map(heap).put(i, i);
      }
      heap.sync();
      medium.faults().cutWrite(nth);
      try {
        heap.checkpoint();
        heap.checkpoint();
      } catch (EverheapException e) {
        try {
          heap.checkpoint();
          heap.checkpoint();
        } catch (EverheapException poisoned) {
          // then the log still has it all
        }
      }
      try (Heap again = SYNC.open(medium.powerLoss(Chooser.none()))) {
        assertThat(map(again)).hasSize(100);
        SYNC.verify(again);
      }
    }
  }

  public static void nothingIsAcknowledgedAfterAFailedSync() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Heap heap = SYNC.open(medium);
    map(heap).put(1L, 1L);
    medium.faults().failDurableWrite(1);
    assertThatThrownBy(() -> map(heap).put(2L, 2L)).isInstanceOf(EverheapException.class);
    assertThatThrownBy(() -> map(heap).put(3L, 3L)).isInstanceOf(EverheapException.class);

    SimulatedMedium other = SimulatedMedium.file(2);
    Heap second = SYNC.open(other);
    map(second).put(1L, 1L);
    other.faults().failSync(1);
    assertThatThrownBy(second::checkpoint).isInstanceOf(EverheapException.class);
    assertThatThrownBy(() -> map(second).put(2L, 2L)).isInstanceOf(EverheapException.class);
  }

  /** Processes that are killed, or lose their power, one after the other before any checkpoint. */
  public static void epochsFollowEachOther() {
    for (boolean dax : List.of(false, true)) {
      SimulatedMedium medium = dax ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
      for (long i = 0; i < 24; i++) {
        Heap heap = SYNC.open(medium);
        assertThat(map(heap)).as("entries on opening " + i).hasSize((int) i);
        map(heap).put(i, i);
        medium = i % 2 == 0 ? medium.processKill() : medium.powerLoss(Chooser.none());
      }
      try (Heap heap = SYNC.open(medium)) {
        for (long i = 0; i < 24; i++) {
          assertThat(map(heap)).containsEntry(i, i);
        }
        SYNC.verify(heap);
      }
    }
  }

  /**
   * A lower capacity is in the log only when the process is killed; the next one grows the image
   * again, and is crashed at each moment of that. What replay needs of the space must be there.
   */
  public static void growthAfterARecoveryKeepsWhatReplayNeeds() {
    EngineOptions options = SimulatedHeaps.options(Durability.SYNC);
    SimulatedMedium medium = SimulatedMedium.file(1);
    Engine first = Engine.open(medium, options);
    for (int i = 0; i < 8; i++) {
      large(first, i, 1);
    }
    first.checkpoint();
    for (int i = 0; i < 8; i++) {
      int cell = i;
      transact(
          first,
          () -> {
            long block = first.memory().getLong(first.context().catalog(cell));
            for (int at = 0; at < 200_000; at += 4096) {
              first.memory().putLong(Stripes.NONE, Reference.payload(block) + at, 7);
            }
          });
    }
    transact(
        first,
        () -> {
          for (int cell = 1; cell < 8; cell++) {
            first.allocator().free(cell, first.memory().getLong(first.context().catalog(cell)));
            first.memory().putLong(cell, first.context().catalog(cell), Reference.NULL);
          }
        });
    transact(first, () -> first.allocator().shrink(first.allocator().usedEnd()));
    SimulatedMedium killed = medium.processKill();
    List<CrashImage> images = new ArrayList<>();
    Engine second = Engine.open(killed, options);
    killed.observe(point -> images.add(killed.image()));
    for (int i = 1; i < 6; i++) {
      large(second, i, 2);
    }
    killed.observe(point -> {});
    images.add(killed.image());
    for (CrashImage image : images) {
      for (Chooser chooser : List.of(Chooser.none(), Chooser.all(), Chooser.random(1))) {
        try (Engine again = Engine.open(image.powerLoss(chooser), options)) {
          assertLarge(again);
          again.checkpoint(); // which looks at the pages that it overwrites
          large(again, 7, 3);
          again.checkpoint();
          again.scrub(
              damage -> {
                throw new AssertionError(damage.message());
              });
          assertLarge(again);
        }
      }
    }
  }

  private static void large(Engine engine, int cell, long value) {
    transact(
        engine,
        () -> {
          long block = engine.allocator().allocate(300, 200_000);
          for (int at = 0; at < 200_000; at += 8) {
            engine.memory().initLong(Reference.payload(block) + at, value);
          }
          engine.memory().putLong(cell, engine.context().catalog(cell), block);
        });
  }

  private static void assertLarge(Engine engine) {
    for (int cell = 1; cell < 8; cell++) {
      long block = engine.memory().getLong(engine.context().catalog(cell));
      if (block == Reference.NULL) {
        continue;
      }
      long value = engine.memory().getLong(Reference.payload(block));
      assertThat(value).isBetween(2L, 3L);
      for (int at = 0; at < 200_000; at += 8) {
        assertThat(engine.memory().getLong(Reference.payload(block) + at)).isEqualTo(value);
      }
    }
  }

  public static void aClosedHeapIsComplete() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    CrashImage[] image = new CrashImage[1];
    try (Heap heap = ASYNC.open(medium)) {
      for (long i = 0; i < 100; i++) {
        map(heap).put(i, i);
      }
    }
    image[0] = medium.image();
    SimulatedMedium after = image[0].powerLoss(Chooser.none());
    try (Heap again = SYNC.open(after)) {
      assertThat(map(again)).hasSize(100);
      assertThat(again.stats().recovery().transactions()).as("replayed after a close").isZero();
    }
  }
}
