package io.everheap.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.TestHeaps;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.counters.CountersReader;
import io.everheap.engine.counters.HeapCounters;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.ClosedException;
import io.everheap.error.MediumException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.error.StoppedException;
import io.everheap.error.TooLargeException;
import io.everheap.memory.ChangedMedium;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Media;
import io.everheap.memory.Medium;
import io.everheap.memory.MemoryMedium;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Campaign
class EngineTest {
  private static final long HOUR = 3_600_000_000_000L;

  @TempDir Path temp;

  static EngineOptions small(boolean sync) {
    return new EngineOptions(
        1L << 30, 22, 1 << 20, 1 << 16, 1 << 17, 1L << 28, 64 << 20, HOUR, sync, HOUR, false);
  }

  private Engine open(String name, boolean sync) {
    return Engine.open(Media.open(temp.resolve(name), false, true), small(sync));
  }

  /** On an ordinary file even where the directory is on persistent memory. */
  private Engine openFile(String name, EngineOptions options) {
    return Engine.open(FileMedium.open(temp.resolve(name), false, true), options);
  }

  private static void put(Engine engine, int word, long value) {
    transact(engine, () -> engine.memory().putLong(0, engine.context().catalog(word), value));
  }

  private static long get(Engine engine, int word) {
    return engine.memory().getLong(engine.context().catalog(word));
  }

  private static void transact(Engine engine, Runnable body) {
    Transactions t = engine.transactions();
    t.begin();
    boolean ok = false;
    try {
      body.run();
      ok = true;
    } finally {
      t.end(ok);
    }
  }

  @Test
  void whatWasCommittedIsThereAfterClosing() {
    try (Engine engine = open("a", true)) {
      put(engine, 3, 42);
    }
    try (Engine engine = open("a", true)) {
      assertThat(get(engine, 3)).isEqualTo(42);
      assertThat(engine.recovery().clean()).isTrue();
      assertThat(engine.recovery().transactions()).isZero();
    }
  }

  @Test
  void aHeapWhoseLogFailedDuringTheOpeningIsPoisoned() {
    openFile("a", small(true)).close();
    FileMedium medium = FileMedium.open(temp.resolve("a"), false, true);
    Recovery found = Recovery.run(medium, small(true), heap -> {});
    found.log().poison(new StackOverflowError("of the thread that syncs"));
    try (Engine engine = new Engine(medium, small(true), found)) {
      assertThat(engine.isOpen()).isFalse();
      assertThatThrownBy(() -> get(engine, 3)).isInstanceOf(StoppedException.class);
      assertThatThrownBy(() -> put(engine, 3, 1)).isInstanceOf(StoppedException.class);
    }
    try (Engine engine = openFile("a", small(true))) {
      put(engine, 3, 1);
    }
  }

  @Test
  void anErrorAtTheBeginningOfTheCheckpointsUnlocksTheArchive() {
    EngineOptions options =
        small(true).withArchive(_ -> FileMedium.open(temp.resolve("archive"), false, true));
    Deque<Throwable> failures = new ArrayDeque<>();
    Medium medium =
        ChangedMedium.of(
            FileMedium.open(temp.resolve("a"), false, true),
            (operation, arguments) -> {
              if (operation.equals("requireIntact") && !failures.isEmpty()) {
                throw failures.remove();
              }
            });
    Recovery found = Recovery.run(medium, options, heap -> {});
    failures.add(new MediumException("made up", null));
    failures.add(new OutOfMemoryError("made up"));
    assertThatThrownBy(() -> new Engine(medium, options, found))
        .isInstanceOf(OutOfMemoryError.class);
    found.close();
    medium.close();
    try (Engine engine = openFile("a", options)) {
      put(engine, 3, 1);
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void theCountersTellWhatTheWatchFound() {
    List<Consumer<Throwable>> watches = new ArrayList<>();
    Medium medium =
        ChangedMedium.of(
            FileMedium.open(temp.resolve("a"), false, true),
            (operation, arguments) -> {
              if (operation.equals("watch")) {
                watches.add((Consumer<Throwable>) arguments[1]);
              }
            });
    try (Engine engine = Engine.open(medium, TestHeaps.automatic())) {
      watches.getFirst().accept(new MediumException("made up", null));
      assertThat(engine.isOpen()).isFalse();
      assertThat(CountersReader.read(temp.resolve("a")).orElseThrow().state())
          .isEqualTo(HeapCounters.State.POISONED);
    }
  }

  @Test
  void aHeapWithLargerSegmentsThanTheLogMayHaveIsWrittenAllTheSame() {
    EngineOptions o = small(true);
    EngineOptions larger =
        new EngineOptions(
            o.maxCapacity(),
            o.extentShift(),
            8 << 20,
            2 << 20,
            o.ringSize(),
            o.maxTransaction(),
            o.memoryBudget(),
            o.lockTimeoutNanos(),
            o.sync(),
            o.asyncNanos(),
            o.automatic());
    Engine.open(Media.open(temp.resolve("a"), false, true), larger).close();
    try (Engine engine = open("a", true)) {
      for (int i = 0; i < 600; i++) { // blocks of one segment, but more than o.logSize()
        put(engine, 5, i);
      }
      assertThat(get(engine, 5)).isEqualTo(599);
    }
  }

  @Test
  void aSynchronousCommitSurvivesPowerLoss() {
    try (Engine engine = open("a", true)) {
      for (int i = 0; i < 100; i++) {
        put(engine, i, i + 1);
      }
      HeapCopy.powerless(temp.resolve("a"), temp.resolve("b"));
    }
    try (Engine engine = open("b", true)) {
      for (int i = 0; i < 100; i++) {
        assertThat(get(engine, i)).isEqualTo(i + 1);
      }
      assertThat(engine.recovery().transactions()).isEqualTo(100);
    }
  }

  @Test
  void anAsynchronousCommitSurvivesAKillAndNotYetPowerLoss() {
    try (Engine engine = openFile("a", small(false))) {
      put(engine, 0, 1);
      engine.sync();
      put(engine, 1, 2);
      HeapCopy.killed(temp.resolve("a"), temp.resolve("killed"));
      HeapCopy.powerless(temp.resolve("a"), temp.resolve("powerless"));
    }
    try (Engine engine = openFile("killed", small(false))) {
      assertThat(get(engine, 0)).isEqualTo(1);
      assertThat(get(engine, 1)).isEqualTo(2);
    }
    try (Engine engine = openFile("powerless", small(false))) {
      assertThat(get(engine, 0)).isEqualTo(1);
      assertThat(get(engine, 1)).isZero();
    }
  }

  @Test
  void chainsOfKillsAndPowerLossesLoseNothingThatWasDurable() {
    int copies = 0;
    for (int round = 0; round < 12; round++) {
      String name = "c" + copies;
      try (Engine engine = open(name, round % 3 == 0)) {
        for (int i = 0; i < round; i++) {
          assertThat(get(engine, i)).as("round %d word %d", round, i).isEqualTo(i + 100);
        }
        put(engine, round, round + 100);
        if (round % 2 == 0) {
          HeapCopy.killed(temp.resolve(name), temp.resolve("c" + ++copies));
        } else {
          engine.sync();
          HeapCopy.powerless(temp.resolve(name), temp.resolve("c" + ++copies));
        }
      }
    }
  }

  @Test
  void manyCommitsRunThroughTheWholeLogAndItsCheckpoints() {
    try (Engine engine = open("a", false)) {
      for (int i = 0; i < 100_000; i++) {
        put(engine, i % 400, i);
      }
      assertThat(engine.checkpoints()).isPositive();
      assertThat(engine.log().used()).isLessThan(4 << 20);
      HeapCopy.killed(temp.resolve("a"), temp.resolve("b"));
    }
    try (Engine engine = open("b", false)) {
      for (int i = 99_600; i < 100_000; i++) {
        assertThat(get(engine, i % 400)).isEqualTo(i);
      }
    }
  }

  @Test
  void aRollbackLeavesNothingAndANestedOneOnlyItsOwnPart() {
    try (Engine engine = Engine.open(new MemoryMedium(), small(true))) {
      put(engine, 0, 1);
      Transactions t = engine.transactions();
      HeapMemory m = engine.memory();
      t.begin();
      m.putLong(0, engine.context().catalog(0), 2);
      t.begin();
      m.putLong(0, engine.context().catalog(0), 3);
      m.putLong(0, engine.context().catalog(1), 3);
      assertThat(get(engine, 0)).isEqualTo(3);
      t.end(false);
      assertThat(get(engine, 0)).isEqualTo(2);
      assertThat(get(engine, 1)).isZero();
      t.end(true);
      assertThat(get(engine, 0)).isEqualTo(2);
      t.begin();
      m.putLong(0, engine.context().catalog(0), 9);
      t.end(false);
      assertThat(get(engine, 0)).isEqualTo(2);
    }
  }

  @Test
  void hooksFollowTheFateOfTheirLevel() {
    List<String> calls = new ArrayList<>();
    try (Engine engine = Engine.open(new MemoryMedium(), small(true))) {
      Transactions t = engine.transactions();
      t.begin();
      t.onCommit(() -> calls.add("outer commit"));
      t.onAbort(() -> calls.add("outer abort"));
      t.begin();
      t.onCommit(() -> calls.add("inner commit"));
      t.onAbort(() -> calls.add("inner abort"));
      t.end(false);
      assertThat(calls).containsExactly("inner abort");
      t.end(true);
      assertThat(calls).containsExactly("inner abort", "outer commit");
    }
  }

  @Test
  void blocksLiveAndDieWithTheirTransaction() {
    try (Engine engine = open("a", true)) {
      long[] ref = new long[1];
      transact(
          engine,
          () -> {
            ref[0] = engine.allocator().allocate(300, 100);
            engine.memory().initLong(Reference.payload(ref[0]), 77);
            engine.memory().putLong(0, engine.context().catalog(0), ref[0]);
          });
      assertThat(engine.allocator().size(ref[0])).isEqualTo(100);
      HeapCopy.powerless(temp.resolve("a"), temp.resolve("b"));
    }
    try (Engine engine = open("b", true)) {
      long ref = get(engine, 0);
      assertThat(engine.allocator().size(ref)).isEqualTo(100);
      assertThat(engine.allocator().type(ref)).isEqualTo(300);
      assertThat(engine.memory().getLong(Reference.payload(ref))).isEqualTo(77);
    }
  }

  @Test
  void aTransactionOfManyPartsIsWholeAfterAKill() {
    try (Engine engine = open("a", true)) {
      transact(
          engine,
          () -> {
            for (int i = 0; i < 4000; i++) {
              long ref = engine.allocator().allocate(300, 1000);
              engine.memory().initLong(Reference.payload(ref), i);
              if (i == 3999) {
                engine.memory().putLong(0, engine.context().catalog(0), ref);
              }
            }
          });
      HeapCopy.killed(temp.resolve("a"), temp.resolve("b"));
    }
    try (Engine engine = open("b", true)) {
      assertThat(engine.memory().getLong(Reference.payload(get(engine, 0)))).isEqualTo(3999);
      long blocks = engine.allocator().stats().blocks();
      assertThat(blocks).isEqualTo(4000);
    }
  }

  @Test
  void aTransactionBeyondTheLimitIsRolledBackAndTheHeapGoesOn() {
    EngineOptions o = small(true);
    EngineOptions tight =
        new EngineOptions(
            o.maxCapacity(),
            o.extentShift(),
            o.logSize(),
            o.segmentSize(),
            o.ringSize(),
            1 << 16,
            o.memoryBudget(),
            o.lockTimeoutNanos(),
            true,
            0,
            true);
    try (Engine engine = Engine.open(Media.open(temp.resolve("a"), false, true), tight)) {
      assertThatThrownBy(
              () ->
                  transact(
                      engine,
                      () -> {
                        for (int i = 0; i < 100; i++) {
                          engine.allocator().allocate(300, 1000);
                        }
                      }))
          .isInstanceOf(TooLargeException.class)
          .hasMessageContaining("(EH-TX-TOO-LARGE)");
      assertThat(engine.allocator().stats().blocks()).isZero();
      put(engine, 0, 1);
      assertThat(get(engine, 0)).isEqualTo(1);
    }
  }

  @Test
  void aStoreOutsideATransactionIsRefused() {
    try (Engine engine = Engine.open(new MemoryMedium(), small(true))) {
      assertThatThrownBy(() -> engine.memory().putLong(0, engine.context().catalog(0), 1))
          .isInstanceOf(OutsideTransactionException.class);
    }
  }

  @Test
  void aClosedHeapRefusesReadsAndTransactions() {
    Engine engine = open("a", true);
    engine.close();
    engine.close();
    assertThatThrownBy(() -> get(engine, 0)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> put(engine, 0, 1)).isInstanceOf(ClosedException.class);
    assertThat(engine.isOpen()).isFalse();
  }

  @Test
  void privatePagesStayWithinTheirBudget() {
    EngineOptions o = small(false);
    EngineOptions tight =
        new EngineOptions(
            o.maxCapacity(),
            o.extentShift(),
            o.logSize(),
            o.segmentSize(),
            o.ringSize(),
            o.maxTransaction(),
            1 << 20,
            o.lockTimeoutNanos(),
            false,
            HOUR,
            false);
    List<Long> refs = new ArrayList<>();
    try (Engine engine = openFile("a", tight)) {
      for (int i = 0; i < 3000; i++) {
        transact(
            engine,
            () -> {
              long ref = engine.allocator().allocate(300, 4000);
              engine.memory().initLong(Reference.payload(ref), ref);
              refs.add(ref);
            });
      }
      assertThat(engine.home().resident().count()).isLessThan(1024);
      for (long ref : refs) {
        assertThat(engine.memory().getLong(Reference.payload(ref))).isEqualTo(ref);
      }
      HeapCopy.killed(temp.resolve("a"), temp.resolve("b"));
    }
    try (Engine engine = openFile("b", tight)) {
      for (long ref : refs) {
        assertThat(engine.memory().getLong(Reference.payload(ref))).isEqualTo(ref);
      }
    }
  }

  @Test
  void shrinkingGivesTheEndOfTheImageBack() {
    List<Long> refs = new ArrayList<>();
    try (Engine engine = open("a", true)) {
      put(engine, 0, 5);
      transact(
          engine,
          () -> {
            for (int i = 0; i < 20; i++) {
              refs.add(engine.allocator().allocate(300, 1 << 20));
            }
          });
      transact(engine, () -> refs.forEach(r -> engine.allocator().free(Stripes.NONE, r)));
      assertThat(engine.shrink()).isGreaterThan(16 << 20);
      assertThat(get(engine, 0)).isEqualTo(5);
      transact(engine, () -> engine.allocator().allocate(300, 1 << 20));
      HeapCopy.powerless(temp.resolve("a"), temp.resolve("b"));
    }
    try (Engine engine = open("b", true)) {
      assertThat(get(engine, 0)).isEqualTo(5);
      assertThat(engine.allocator().stats().blocks()).isEqualTo(1);
    }
  }
}
