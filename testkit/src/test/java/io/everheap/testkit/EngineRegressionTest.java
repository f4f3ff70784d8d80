package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.EverheapException;
import io.everheap.memory.FileMedium;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Losses that were found once, each as the scenario that showed it. */
class EngineRegressionTest {
  private static final long HOUR = 3_600_000_000_000L;
  private static final int BLOCKS = 8;

  @TempDir Path temp;

  private static EngineOptions options(boolean sync) {
    return new EngineOptions(
        1L << 30, 22, 1 << 20, 1 << 16, 1 << 17, 1L << 28, 64 << 20, HOUR, sync, HOUR, false);
  }

  private static void transact(Engine engine, Runnable body) {
    Transactions t = engine.transactions();
    boolean ok = false;
    t.begin();
    try {
      body.run();
      ok = true;
    } finally {
      t.end(ok);
    }
  }

  private static void allocate(Engine engine, int blocks, long bytes) {
    transact(
        engine,
        () -> {
          for (int i = 0; i < blocks; i++) {
            long ref = engine.allocator().allocate(300, bytes);
            engine.memory().initLong(Reference.payload(ref), 4711);
            engine.memory().putLong(Stripes.NONE, engine.catalog(20 + i), ref);
          }
        });
  }

  private static void assertBlocks(Engine engine, int blocks) {
    for (int i = 0; i < blocks; i++) {
      long ref = engine.memory().getLong(engine.catalog(20 + i));
      assertThat(engine.memory().getLong(Reference.payload(ref))).as("block %d", i).isEqualTo(4711);
    }
  }

  @Test
  void aCloseWhoseSyncFailsCutsNothingOff() {
    for (int sync = 1; sync <= 6; sync++) {
      SimulatedMedium medium = SimulatedMedium.file(1);
      Engine engine = Engine.open(medium, options(true));
      allocate(engine, 20, 200_000);
      medium.faults().failSync(sync);
      try {
        engine.close();
      } catch (EverheapException expected) {
        assertThat(engine.isOpen()).isFalse();
      }
      try (Engine again = Engine.open(medium.processKill(), options(true))) {
        assertBlocks(again, 20);
      }
    }
  }

  @Test
  void growthAfterALowerCapacityThatIsNotDurableKeepsTheOldBlocks() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Engine first = Engine.open(medium, options(true));
    allocate(first, BLOCKS, 300_000);
    first.close();
    SimulatedMedium reopened = medium.processKill();
    Engine engine = Engine.open(reopened, options(false));
    transact(
        engine,
        () -> {
          for (int i = 0; i < BLOCKS; i++) {
            engine.allocator().free(Stripes.NONE, engine.memory().getLong(engine.catalog(20 + i)));
            engine.memory().putLong(Stripes.NONE, engine.catalog(20 + i), 0);
          }
        });
    transact(
        engine, () -> engine.allocator().shrink(Math.max(engine.allocator().usedEnd(), 1 << 20)));
    transact(
        engine,
        () -> {
          for (int i = 0; i < 4; i++) {
            long ref = engine.allocator().allocate(300, 200 + i * 900L); // makes the image grow
            assertThat(ref).isNotZero();
          }
        });
    SimulatedMedium lost = reopened.powerLoss(Chooser.none());
    try (Engine again = Engine.open(lost, options(false))) {
      assertBlocks(again, BLOCKS);
    }
    engine.close();
  }

  @Test
  void aLogWithoutItsHomeImageIsNotReplacedByANewHeap() throws Exception {
    Path dir = temp.resolve("h");
    try (Engine engine = Engine.open(FileMedium.open(dir, false, true), options(true))) {
      transact(engine, () -> engine.memory().putLong(0, engine.catalog(20), 99));
    }
    Files.move(dir.resolve("heap"), temp.resolve("away"));
    FileMedium medium = FileMedium.open(dir, false, true);
    try (medium) {
      assertThatThrownBy(() -> Engine.open(medium, options(true)))
          .isInstanceOf(CorruptHeapException.class)
          .hasMessageContaining("missing");
    }
    Files.move(temp.resolve("away"), dir.resolve("heap"));
    try (Engine engine = Engine.open(FileMedium.open(dir, false, true), options(true))) {
      assertThat(engine.memory().getLong(engine.catalog(20))).isEqualTo(99);
    }
  }
}
