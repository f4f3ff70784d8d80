package io.everheap.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.CorruptException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine that goes on with the log of a killed process, and has made no checkpoint yet. */
@Campaign
class GoingOnTest {
  private static final EngineOptions OPTIONS = EngineTest.small(true);

  /** Of a log with room for many pages. */
  private static final EngineOptions LARGE =
      new EngineOptions(
          OPTIONS.maxCapacity(),
          OPTIONS.extentShift(),
          64 << 20,
          1 << 20,
          1 << 20,
          OPTIONS.maxTransaction(),
          OPTIONS.memoryBudget(),
          OPTIONS.lockTimeoutNanos(),
          false,
          OPTIONS.asyncNanos(),
          false);

  @TempDir Path temp;

  private Path path(int process) {
    return temp.resolve("h" + process);
  }

  private Engine open(int process, EngineOptions options) {
    return Engine.open(FileMedium.open(path(process), false, true), options);
  }

  private void kill(int process) {
    HeapCopy.killed(path(process), path(process + 1));
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

  private static void put(Engine engine, int word, long value) {
    transact(engine, () -> engine.memory().putLong(0, engine.context().catalog(word), value));
  }

  private static void assertHolds(Engine engine, int words) {
    for (int i = 0; i < words; i++) {
      assertThat(engine.memory().getLong(engine.context().catalog(i)))
          .as("word %d", i)
          .isEqualTo(i + 1);
    }
  }

  /** Processes that commit one word each and are killed; the last one is not started. */
  private void killed(int processes) {
    for (int i = 0; i < processes; i++) {
      try (Engine engine = open(i, OPTIONS)) {
        assertHolds(engine, i);
        put(engine, i, i + 1);
        kill(i);
      }
    }
  }

  @Test
  void theFirstCommitDoesNotWaitForACheckpoint() {
    killed(1);
    try (Engine engine = open(1, OPTIONS)) {
      put(engine, 1, 2);
      assertThat(engine.checkpoints()).isZero();
      assertThat(engine.superblock().laterEpochs()).hasSize(1);
      engine.checkpoint();
      assertThat(engine.superblock().laterEpochs()).isEmpty();
      assertThat(engine.log().old()).isZero();
      kill(1);
    }
    try (Engine engine = open(2, OPTIONS)) {
      assertHolds(engine, 2);
      assertThat(engine.recovery().transactions()).isZero();
    }
  }

  @Test
  void aProcessThatOnlyReadTheHeapAddsNoEpoch() {
    killed(3);
    for (int i = 3; i < 15; i++) {
      try (Engine engine = open(i, OPTIONS)) {
        assertHolds(engine, 3);
        assertThat(engine.superblock().laterEpochs()).hasSize(3);
        kill(i);
      }
    }
  }

  @Test
  void whenTheSuperblockHasNoRoomForAnEpochTheCheckpointComesFirst() {
    int checkpoints = 0;
    int processes = 2 * Superblock.MAX_LATER_EPOCHS + 4;
    for (int i = 0; i < processes; i++) {
      try (Engine engine = open(i, OPTIONS)) {
        assertHolds(engine, i);
        checkpoints += (int) engine.checkpoints();
        put(engine, i, i + 1);
        kill(i);
      }
    }
    assertThat(checkpoints).isEqualTo(3); // at first, and each time that there was no room
    try (Engine engine = open(processes, OPTIONS)) {
      assertHolds(engine, processes);
    }
  }

  @Test
  void theLogDoesNotGrowWithEachProcessThatIsKilled() throws IOException {
    for (int i = 0; i < 12; i++) {
      try (Engine engine = open(i, OPTIONS)) {
        assertHolds(engine, i);
        for (int n = 0; n < 100; n++) {
          put(engine, 20, n); // a block each
        }
        put(engine, i, i + 1);
        try (Stream<Path> segments = Files.list(path(i).resolve("log"))) {
          assertThat(segments.count() * OPTIONS.segmentSize())
              .isLessThan(5L * OPTIONS.logSize() / 2);
        }
        kill(i);
      }
    }
  }

  @Test
  void aHeapThatIsOnlyReadHasAllEpochs() {
    killed(4);
    for (int i = 0; i < 2; i++) {
      try (Engine engine = Engine.open(FileMedium.open(path(4), true, true), OPTIONS)) {
        assertHolds(engine, 4);
        assertThat(engine.recovery().transactions()).isEqualTo(4);
      }
    }
  }

  @Test
  void damageInAnEpochThatEndedIsRefusedAndSalvageSavesWhatIsBeforeIt() throws IOException {
    killed(4);
    Path third = segmentOfEpoch(path(4), 4);
    try (RandomAccessFile file = new RandomAccessFile(third.toFile(), "rw")) {
      file.seek(4096 + 64 + 20);
      file.write(0x55);
    }
    try (Medium medium = FileMedium.open(path(4), false, true)) {
      assertThatThrownBy(() -> Engine.open(medium, OPTIONS))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("(EH-CORRUPT-LOG)")
          .hasMessageContaining("epoch");
      DamagedHeap damaged = DamagedHeap.examine(medium, medium);
      assertThat(damaged.notes()).anyMatch(note -> note.contains("epoch"));
      assertThat(damaged.transactions()).isEqualTo(2);
      assertThat(damaged.known()).isGreaterThan(damaged.end());
      assertThat(damaged.isOneState()).isFalse();
    }
  }

  /** The processes have the epochs 2, 3 and so on. */
  private static Path segmentOfEpoch(Path heap, long epoch) throws IOException {
    try (Stream<Path> segments = Files.list(heap.resolve("log"))) {
      for (Path segment : (Iterable<Path>) segments::iterator) {
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "r")) {
          file.seek(32);
          if (Long.reverseBytes(file.readLong()) == epoch) {
            return segment;
          }
        }
      }
    }
    throw new AssertionError("no segment of epoch " + epoch);
  }

  @Test
  void whatAnUnfinishedTransactionLeftBehindTheStartOfTheNextEpochDoesNotCount() {
    killed(2);
    try (Engine engine = open(2, OPTIONS)) {
      assertHolds(engine, 2);
      kill(2);
    }
    List<Superblock.Later> later;
    try (Engine engine = open(3, OPTIONS)) {
      put(engine, 2, 3);
      later = engine.superblock().laterEpochs();
      kill(3);
    }
    assertThat(later.stream().map(Superblock.Later::lsn)).doesNotHaveDuplicates().isSorted();
    try (Engine engine = open(4, OPTIONS)) {
      assertHolds(engine, 3);
    }
  }

  @Test
  void spaceOfTheCheckpointIsTakenAsItIsAlsoIfTheImageHasALowerCapacityAlready()
      throws IOException {
    long before;
    long lowered;
    try (Engine engine = open(0, LARGE)) {
      long[] refs = new long[80];
      transact(
          engine,
          () -> {
            for (int i = 0; i < refs.length; i++) {
              refs[i] = engine.allocator().allocate(300, 200_000);
            }
          });
      engine.checkpoint();
      before = engine.superblock().capacity();
      transact(
          engine,
          () -> {
            for (long ref : refs) {
              engine.allocator().free(1, ref);
            }
          });
      transact(engine, () -> engine.allocator().shrink(engine.allocator().usedEnd()));
      lowered = engine.home().getLong(HomeLayout.CAPACITY_ADDRESS);
      assertThat(lowered).isLessThan(before);
      kill(0);
    }
    writeCatalogAsAnInterruptedCheckpoint(path(1).resolve("heap"), lowered);
    try (Engine engine = open(1, LARGE)) {
      assertThat(engine.superblock().capacity()).isEqualTo(before);
      assertThat(engine.checkpoints()).isZero();
      transact(
          engine,
          () -> {
            while (engine.memory().getLong(HomeLayout.CAPACITY_ADDRESS) < before - (6 << 20)) {
              engine.allocator().allocate(300, 200_000);
            }
          });
      assertThat(engine.growths()).as("zeros while a checkpoint may write there").isZero();
      engine.checkpoint();
      engine.scrub(
          damage -> {
            throw new AssertionError(damage.message());
          });
    }
  }

  private static void writeCatalogAsAnInterruptedCheckpoint(Path home, long capacity)
      throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(home.toFile(), "rw")) {
      Superblock newest = Superblock.newest(slot(file, 0), slot(file, 4096));
      assertThat(newest).isNotNull();
      Superblock writing = newest.reaching(newest.minReplayEnd()).with(Superblock.WRITING);
      file.seek(writing.address());
      file.write(writing.encode().array());
      file.seek(HomeLayout.CAPACITY_ADDRESS);
      file.writeLong(Long.reverseBytes(capacity));
    }
  }

  private static Superblock.Slot slot(RandomAccessFile file, long at) throws IOException {
    byte[] bytes = new byte[Superblock.SIZE];
    file.seek(at);
    file.readFully(bytes);
    return Superblock.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  private static final int MANY = 1024;

  @Test
  void manyChangedPagesAreThoseOfTheLog() {
    int blocks = 2 * MANY;
    long[] refs = new long[blocks];
    try (Engine engine = open(0, LARGE)) {
      transact(
          engine,
          () -> {
            for (int i = 0; i < blocks; i++) {
              refs[i] = engine.allocator().allocate(300, HomeLayout.PAGE_SIZE);
              engine.memory().initLong(Reference.payload(refs[i]), i);
              engine.memory().initLong(Reference.payload(refs[i]) + 8, i);
            }
          });
      engine.checkpoint();
      for (int i = 0; i < blocks; i += 3) {
        long at = Reference.payload(refs[i]);
        long value = -i;
        transact(engine, () -> engine.memory().putLong(Stripes.NONE, at, value));
      }
      kill(0);
    }
    for (int process = 1; process < 3; process++) {
      try (Engine engine = open(process, LARGE)) {
        for (int i = 0; i < blocks; i++) {
          long at = Reference.payload(refs[i]);
          assertThat(engine.memory().getLong(at)).isEqualTo(i % 3 == 0 ? -i : i);
          assertThat(engine.memory().getLong(at + 8)).isEqualTo(i);
        }
        engine.checkpoint();
        engine.scrub(
            damage -> {
              throw new AssertionError(damage.message());
            });
        kill(process);
      }
    }
  }

  @Test
  void aPageIsBroughtUpToDateWhenItIsUsed() {
    long[] refs = new long[MANY];
    try (Engine engine = open(0, LARGE)) {
      for (int i = 0; i < MANY; i++) {
        int n = i;
        transact(engine, () -> refs[n] = engine.allocator().allocate(300, HomeLayout.PAGE_SIZE));
      }
      engine.checkpoint();
      for (int i = 0; i < MANY; i++) {
        long at = Reference.payload(refs[i]) + 2000;
        long value = i;
        transact(engine, () -> engine.memory().putLong(Stripes.NONE, at, value));
      }
      kill(0);
    }
    try (Engine engine = Engine.open(FileMedium.open(path(1), true, false), LARGE)) { // to read
      long pending = engine.home().redo().pendingPages();
      assertThat(engine.memory().getLong(Reference.payload(refs[9]) + 2000)).isEqualTo(9);
      assertThat(engine.home().redo().pendingPages()).isEqualTo(pending - 1);
    }
    try (Engine engine = open(1, LARGE)) {
      long pending = engine.home().redo().pendingPages();
      assertThat(pending).isGreaterThan(MANY / 2);
      assertThat(engine.memory().getLong(Reference.payload(refs[7]) + 2000)).isEqualTo(7);
      long at = Reference.payload(refs[8]) + 2008;
      transact(engine, () -> engine.memory().putLong(Stripes.NONE, at, -8));
      assertThat(engine.memory().getLong(at - 8)).isEqualTo(8);
      assertThat(engine.home().redo().pendingPages()).isBetween(pending - 4, pending - 2);
      kill(1);
    }
    try (Engine engine = open(2, LARGE)) { // with the logs of both
      assertThat(engine.memory().getLong(Reference.payload(refs[8]) + 2008)).isEqualTo(-8);
      engine.checkpoint();
      assertThat(engine.home().redo().pendingPages()).isZero();
      for (int i = 0; i < MANY; i++) {
        assertThat(engine.memory().getLong(Reference.payload(refs[i]) + 2000)).isEqualTo(i);
      }
    }
  }

  @Test
  void commitsGoOnWhileTheCheckpointRunsInTheBackground() {
    EngineOptions o = OPTIONS;
    EngineOptions background =
        new EngineOptions(
            o.maxCapacity(),
            o.extentShift(),
            o.logSize(),
            o.segmentSize(),
            o.ringSize(),
            o.maxTransaction(),
            o.memoryBudget(),
            o.lockTimeoutNanos(),
            false,
            1_000_000,
            true);
    killed(1);
    for (int i = 1; i < 12; i++) {
      try (Engine engine = open(i, background)) {
        assertHolds(engine, i);
        put(engine, i, i + 1);
        for (int n = 0; n < 2000; n++) {
          put(engine, 20 + n % 50, n);
        }
      }
      try (Engine engine = open(i, OPTIONS)) { // closed while, or before, the checkpoint ran
        assertThat(engine.recovery().clean()).isTrue();
        put(engine, 20, i);
        kill(i);
      }
    }
  }
}
