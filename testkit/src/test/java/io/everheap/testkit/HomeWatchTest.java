package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.Stripes;
import io.everheap.memory.MediumFile;
import io.everheap.testkit.machine.HomeWatch;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The comparison of recovered home images notices what it should, and nothing else. */
class HomeWatchTest {
  private static final EngineOptions OPTIONS = SimulatedHeaps.options(Durability.SYNC);

  private final CrashReport report = new CrashReport();
  private long block;
  private long freed;

  /** A medium with a block in use and a free one beside it, all of it in the home file. */
  private SimulatedMedium medium() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    medium.watchHomes(new HomeWatch(report::image));
    Engine engine = open(medium);
    transact(engine, () -> block = allocate(engine));
    transact(engine, () -> freed = allocate(engine));
    transact(engine, () -> engine.allocator().free(Stripes.NONE, freed));
    engine.checkpoint();
    return medium.processKill();
  }

  private static long allocate(Engine engine) {
    long reference = engine.allocator().allocate(300, 400);
    engine.memory().initLong(Reference.payload(reference), 4711);
    return reference;
  }

  private static Engine open(SimulatedMedium medium) {
    Engine engine = Engine.open(medium, OPTIONS);
    medium.opened(engine);
    return engine;
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

  private static void change(SimulatedMedium medium, long address) {
    try (MediumFile file = medium.open("heap")) {
      ByteBuffer word = ByteBuffer.allocateDirect(8).order(ByteOrder.LITTLE_ENDIAN);
      file.read(word, address);
      file.write(word.putLong(0, word.getLong(0) ^ 1L << 40).clear(), address);
    }
  }

  @Test
  void whatWasCommittedIsFound() {
    open(medium()).close();
    assertThat(report.images()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"payload", "header", "header of a free slot", "catalog", "chunk table"})
  void aWordThatDiffersIsNoticed(String what) {
    SimulatedMedium medium = medium();
    long address =
        switch (what) {
          case "payload" -> Reference.payload(block) + 392;
          case "header" -> Reference.address(block);
          case "header of a free slot" -> Reference.address(freed);
          case "catalog" -> HomeLayout.CATALOG_ADDRESS + 8 * 511;
          default -> HomeLayout.CHUNK_TABLE_OFFSET + 24;
        };
    change(medium, address);
    assertThatThrownBy(() -> open(medium)).isInstanceOf(AssertionError.class);
  }

  @Test
  void theBytesOfAFreeBlockMayDiffer() {
    SimulatedMedium medium = medium();
    change(medium, Reference.payload(freed));
    open(medium).close();
    assertThat(report.images()).isEqualTo(1);
  }
}
