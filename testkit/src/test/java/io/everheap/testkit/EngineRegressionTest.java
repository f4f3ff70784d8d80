package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.GoneException;
import io.everheap.memory.FileMedium;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
            engine.memory().putLong(Stripes.NONE, engine.context().catalog(20 + i), ref);
          }
        });
  }

  private static void assertBlocks(Engine engine, int blocks) {
    for (int i = 0; i < blocks; i++) {
      long ref = engine.memory().getLong(engine.context().catalog(20 + i));
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
            engine
                .allocator()
                .free(Stripes.NONE, engine.memory().getLong(engine.context().catalog(20 + i)));
            engine.memory().putLong(Stripes.NONE, engine.context().catalog(20 + i), 0);
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

  /**
   * A lower capacity is in the log only, and recovery has to make a checkpoint before anything
   * else. When the image grows again, memory and file must hold the same in what they had before.
   */
  @Test
  void growthAfterARecoveryWithACheckpointIsRecoveredAsItWas() {
    for (String way : List.of("many epochs", "from byte-addressable storage", "no ring")) {
      SimulatedMedium medium =
          way.startsWith("from") ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
      Engine first = Engine.open(medium, options(true));
      List<Long> freed = usedAndShrunk(first);
      SimulatedMedium next = medium.processKill();
      Engine engine;
      if (way.startsWith("from")) {
        SimulatedMedium copy = SimulatedMedium.file(2);
        MediumCopy.copy(next, copy);
        next = copy;
      }
      if (way.equals("no ring")) {
        next.delete("ring");
      }
      engine = Engine.open(next, options(true));
      for (int i = 0; way.equals("many epochs") && engine.checkpoints() == 0 && i < 20; i++) {
        allocate(engine, 1, 40);
        next = next.processKill();
        engine = Engine.open(next, options(true));
      }
      assertThat(engine.checkpoints()).as(way + ": checkpoints of the opening").isPositive();
      for (int round = 0; round < 3; round++) {
        allocate(engine, BLOCKS, 400);
        allocate(engine, 1, 300_000);
      }
      assertThat(engine.memory().getLong(HomeLayout.CAPACITY_ADDRESS)).isGreaterThan(1 << 20);
      byte[] image = image(engine);
      for (SimulatedMedium left :
          List.of(next.processKill(), next.powerLoss(Chooser.none()), checkpointed(engine, next))) {
        try (Engine again = Engine.open(left, options(true))) {
          assertThat(differences(image, image(again))).as(way + ": words that differ").isEmpty();
          for (long reference : freed) {
            assertThatThrownBy(() -> again.allocator().check(reference))
                .as(way)
                .isInstanceOf(GoneException.class);
          }
          again.checkpoint();
          again.scrub(
              damage -> {
                throw new AssertionError(way + ": " + damage.message());
              });
        }
      }
    }
  }

  private static SimulatedMedium checkpointed(Engine engine, SimulatedMedium medium) {
    engine.checkpoint();
    return medium.processKill();
  }

  /** Frees blocks of several generations at the end of the image, and lowers the capacity. */
  private static List<Long> usedAndShrunk(Engine engine) {
    List<Long> freed = new ArrayList<>();
    for (int round = 0; round < 4; round++) {
      List<Long> blocks = new ArrayList<>();
      for (long bytes : List.of(600_000L, 300_000L, 600_000L, 20_000L, 400L, 400L, 3_000L)) {
        transact(
            engine,
            () -> {
              long block = engine.allocator().allocate(300, bytes);
              engine.memory().initLong(Reference.payload(block), -1);
              blocks.add(block);
            });
      }
      engine.checkpoint();
      for (long block : blocks) {
        transact(engine, () -> engine.allocator().free(Stripes.NONE, block));
      }
      freed.addAll(blocks);
    }
    transact(engine, engine.allocator()::trim);
    transact(
        engine, () -> engine.allocator().shrink(Math.max(engine.allocator().usedEnd(), 1 << 20)));
    return freed;
  }

  private static byte[] image(Engine engine) {
    int capacity = (int) engine.memory().getLong(HomeLayout.CAPACITY_ADDRESS);
    byte[] image = new byte[capacity];
    int from = (int) HomeLayout.CATALOG_ADDRESS;
    engine.home().copyOut(from, image, from, capacity - from);
    return image;
  }

  private static List<String> differences(byte[] expected, byte[] found) {
    ByteBuffer a = ByteBuffer.wrap(expected);
    ByteBuffer b = ByteBuffer.wrap(found);
    List<String> differences = new ArrayList<>();
    for (int at = 0; at < Math.max(expected.length, found.length); at += 8) {
      long x = at < expected.length ? a.getLong(at) : -1;
      long y = at < found.length ? b.getLong(at) : -1;
      if (x != y && differences.size() < 10) {
        differences.add(String.format(Locale.ROOT, "%x: %x in place of %x", at, y, x));
      }
    }
    return differences;
  }

  @Test
  void aLogWithoutItsHomeImageIsNotReplacedByANewHeap() throws Exception {
    Path dir = temp.resolve("h");
    try (Engine engine = Engine.open(FileMedium.open(dir, false, true), options(true))) {
      transact(engine, () -> engine.memory().putLong(0, engine.context().catalog(20), 99));
    }
    Files.move(dir.resolve("heap"), temp.resolve("away"));
    FileMedium medium = FileMedium.open(dir, false, true);
    try (medium) {
      assertThatThrownBy(() -> Engine.open(medium, options(true)))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("missing");
    }
    Files.move(temp.resolve("away"), dir.resolve("heap"));
    try (Engine engine = Engine.open(FileMedium.open(dir, false, true), options(true))) {
      assertThat(engine.memory().getLong(engine.context().catalog(20))).isEqualTo(99);
    }
  }
}
