package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.collection.DurableMap;
import io.everheap.engine.EngineOptions;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.error.StoppedException;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.MediumSetting;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After a failed sync nobody knows what is durable: the heap stops, and opening it again finds out.
 */
@SuppressWarnings("try") // closing twice is what is tested
@Campaign
class FailedSyncTest {
  /** So large that the home image has to grow. */
  private static final String LARGE = "x".repeat(900_000);

  @TempDir Path temp;

  private static Heap open(FaultyMedium medium, EngineOptions options) {
    Path directory = Path.of(medium.location());
    return HeapSettings.options(MediumSetting.medium(Heap.builder(directory), medium), options)
        .open();
  }

  private void assertPoisoned(Heap heap, DurableMap<Integer, String> map) {
    assertThat(heap.isOpen()).isFalse();
    Operations.assertAllThrow(
        Operations.all(heap, map),
        StoppedException.class,
        "EH-POISONED",
        temp.toString(),
        "made up",
        "outcome unknown",
        "reopen the heap");
  }

  @ParameterizedTest
  @EnumSource(FaultyMedium.Fault.class)
  void aFailedCommitStopsTheHeap(FaultyMedium.Fault fault) {
    Path directory = temp.resolve("h");
    FaultyMedium medium = new FaultyMedium(directory, fault);
    try (Heap heap = open(medium, TestHeaps.manual())) {
      TestHeaps.put(heap, 0, 10);
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      Iterator<Integer> iterator = map.keySet().iterator();
      medium.failAt(1);

      assertThatExceptionOfType(StoppedException.class)
          .isThrownBy(() -> map.put(10, TestHeaps.value(10)))
          .returns("EH-POISONED", EverheapException::code)
          .withMessageContainingAll(directory.toString(), "made up", "reopen the heap")
          .havingCause()
          .isInstanceOf(MediumException.class);

      long changes = medium.changes();
      assertPoisoned(heap, map);
      assertThatExceptionOfType(StoppedException.class)
          .isThrownBy(
              () -> {
                while (iterator.hasNext()) {
                  iterator.next();
                }
              });
      heap.close();
      heap.close();
      assertThat(medium.changes()).as("nothing is written any more").isEqualTo(changes);
    }
    assertHoldsAtLeast(directory, 10);
  }

  /** The entries 0 to n - 1, and perhaps the one after them, which nobody was told of. */
  private static void assertHoldsAtLeast(Path directory, int acknowledged) {
    try (Heap heap = TestHeaps.open(directory)) {
      Map<Integer, String> found = new HashMap<>(TestHeaps.numbers(heap));
      assertThat(found)
          .isIn(TestHeaps.expected(acknowledged), TestHeaps.expected(acknowledged + 1));
      assertThat(heap.verify().problems()).isEmpty();
      heap.transact(() -> TestHeaps.numbers(heap).put(-1, "it works"));
    }
  }

  @ParameterizedTest
  @EnumSource(FaultyMedium.Fault.class)
  void aFailedCheckpointStopsTheHeapAndLosesNothing(FaultyMedium.Fault fault) {
    for (int n = 1; ; n++) {
      Path directory = temp.resolve("h" + n);
      FaultyMedium medium = new FaultyMedium(directory, fault);
      try (Heap heap = open(medium, TestHeaps.manual())) {
        TestHeaps.put(heap, 0, 10);
        DurableMap<Integer, String> map = TestHeaps.numbers(heap);
        medium.failAt(n);
        EverheapException failure = null;
        try {
          heap.checkpoint();
        } catch (EverheapException e) {
          failure = e;
        }
        if (!medium.failed()) {
          assertThat(failure).isNull();
          assertThat(n).as("operations of a checkpoint").isGreaterThan(2);
          medium.failNoMore();
          break;
        }
        assertThat(failure)
            .isInstanceOfAny(MediumException.class, StoppedException.class)
            .hasMessageContainingAll("made up", directory.toString());
        assertPoisoned(heap, map);
      }
      TestHeaps.assertHolds(directory, 10);
    }
  }

  @ParameterizedTest
  @EnumSource(FaultyMedium.Fault.class)
  void aFailedSyncOfTheHomeFileWhileItGrowsStopsTheHeap(FaultyMedium.Fault fault) {
    // The kernel tells of a failed write once: this sync may have swallowed a checkpoint's failure.
    Path directory = temp.resolve("h");
    FaultyMedium medium = new FaultyMedium(directory, fault);
    try (Heap heap = open(medium, TestHeaps.manual())) {
      TestHeaps.put(heap, 0, 10);
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      DurableMap<Integer, String> large = heap.map("large", Integer.class, String.class);
      heap.checkpoint();
      medium.failAt(1, "sync heap");
      assertThatExceptionOfType(EverheapException.class)
          .isThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        for (int i = 0; i < 100; i++) {
                          large.put(i, LARGE);
                        }
                      }))
          .withMessageContaining("made up");
      assertPoisoned(heap, map);
    }
    TestHeaps.assertHolds(directory, 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"write log/0", "write pages"})
  void aCheckpointUnderWayEndsWhenTheSyncOfAGrowthFails(String moment) {
    // The kernel told the growth what became of the checkpoint's pages: its own sync succeeds.
    Path directory = temp.resolve("h");
    FaultyMedium medium = new FaultyMedium(directory, FaultyMedium.Fault.LOST);
    EngineOptions async =
        TestHeaps.options(1L << 30, 1L << 28, TestHeaps.HOUR, false, TestHeaps.HOUR, false);
    try (Heap heap = open(medium, async)) {
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      DurableMap<Integer, String> large = heap.map("large", Integer.class, String.class);
      heap.checkpoint();
      byte[] superblocks = new byte[8192];
      TestHeaps.put(heap, 0, 10);
      medium.afterNext(
          moment,
          () -> {
            medium.failAt(1, "sync heap");
            System.arraycopy(superblocks(directory), 0, superblocks, 0, superblocks.length);
            assertThat(CompletableFuture.runAsync(() -> large.put(0, LARGE.repeat(5))))
                .failsWithin(Limit.limit());
          });
      assertThatExceptionOfType(StoppedException.class)
          .isThrownBy(heap::checkpoint)
          .withMessageContaining("made up");
      assertThat(medium.failed()).isTrue();
      assertThat(superblocks(directory)).isEqualTo(superblocks);
      assertPoisoned(heap, map);
    }
    TestHeaps.assertHolds(directory, 10);
  }

  private static byte[] superblocks(Path directory) {
    try (InputStream file = Files.newInputStream(directory.resolve("heap"))) {
      return file.readNBytes(8192);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aLogSegmentWhoseNameMayNotBeDurableIsNotUsedAndNothingIsLost() {
    Path directory = temp.resolve("h");
    FaultyMedium medium = new FaultyMedium(directory, FaultyMedium.Fault.LOST);
    try (Heap heap = open(medium, TestHeaps.manual())) {
      TestHeaps.put(heap, 0, 10);
      DurableMap<Integer, String> large = heap.map("large", Integer.class, String.class);
      medium.failAt(1, "sync directory");
      for (int i = 0; i < 2; i++) {
        assertThatExceptionOfType(MediumException.class)
            .as("nor does a second try make it so")
            .isThrownBy(() -> large.put(1, LARGE))
            .returns("EH-IO", EverheapException::code)
            .withMessageContainingAll("made up", directory.toString());
      }
      assertThat(large).isEmpty();
      TestHeaps.assertHolds(heap, 10);
    }
    try (Heap heap = TestHeaps.open(directory)) {
      TestHeaps.assertHolds(heap, 10);
      heap.map("large", Integer.class, String.class).put(1, LARGE);
    }
  }

  @ParameterizedTest
  @EnumSource(FaultyMedium.Fault.class)
  void whateverSyncFailsNothingThatWasAcknowledgedIsLost(FaultyMedium.Fault fault) {
    int n = 0;
    boolean failed;
    do {
      n += n < 50 ? 1 : 7; // the last ones are all of one transaction
      Path directory = temp.resolve("h" + n);
      FaultyMedium medium = new FaultyMedium(directory, fault).failAt(n);
      AtomicInteger acknowledged = new AtomicInteger();
      EverheapException failure = null;
      try (Heap heap = open(medium, TestHeaps.manual())) {
        work(heap, acknowledged);
      } catch (EverheapException e) {
        failure = e;
      }
      failed = medium.failed();
      if (failure != null) {
        assertThat(failure)
            .isInstanceOfAny(MediumException.class, StoppedException.class)
            .hasMessageContaining("made up");
        assertThat(failed).isTrue();
      } else if (!failed) {
        assertThat(acknowledged).hasValue(9);
      }
      assertHoldsAtLeast(directory, Math.min(acknowledged.get(), 8));
      try (Heap heap = TestHeaps.open(directory)) {
        if (acknowledged.get() == 9) {
          assertThat(heap.map("large", Integer.class, String.class)).containsEntry(1, LARGE);
        }
      }
    } while (failed);
    assertThat(n).as("syncs").isGreaterThan(20);
  }

  private static void work(Heap heap, AtomicInteger acknowledged) {
    DurableMap<Integer, String> map = TestHeaps.numbers(heap);
    for (int i = 0; i < 8; i++) {
      map.put(i, TestHeaps.value(i));
      acknowledged.incrementAndGet();
      if (i == 3) {
        heap.checkpoint();
      }
    }
    DurableMap<Integer, String> large = heap.map("large", Integer.class, String.class);
    large.put(1, LARGE);
    acknowledged.incrementAndGet();
  }

  @Test
  void whateverSyncFailsWhileAKilledHeapIsRecoveredTheNextOpeningHasItAll() {
    int n = 0;
    boolean failed;
    do {
      Path directory = TestHeaps.killed(temp.resolve("h" + ++n), 20);
      FaultyMedium medium = new FaultyMedium(directory, FaultyMedium.Fault.LOST).failAt(n);
      try (Heap heap = open(medium, TestHeaps.manual())) {
        TestHeaps.assertHolds(heap, 20);
      } catch (EverheapException e) {
        assertThat(e)
            .isInstanceOfAny(MediumException.class, StoppedException.class)
            .hasMessageContaining("made up");
      }
      failed = medium.failed();
      TestHeaps.assertHolds(directory, 20);
    } while (failed);
    assertThat(n).as("syncs").isGreaterThan(5);
  }

  @Test
  void everyThreadThatWaitsForTheFailedSyncIsTold() throws Exception {
    Path directory = temp.resolve("h");
    FaultyMedium medium = new FaultyMedium(directory, FaultyMedium.Fault.LOST);
    int threads = 6;
    AtomicInteger[] acknowledged = new AtomicInteger[threads];
    try (Heap heap = open(medium, TestHeaps.automatic())) {
      DurableMap<Integer, Integer> map = heap.map("counts", Integer.class, Integer.class);
      List<Threads.Running<EverheapException>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int key = i;
        acknowledged[key] = new AtomicInteger();
        running.add(
            Threads.start(
                "committer " + i,
                () -> {
                  try {
                    while (true) {
                      int next = acknowledged[key].get() + 1;
                      map.put(key, next);
                      acknowledged[key].set(next);
                    }
                  } catch (EverheapException e) {
                    return e;
                  }
                }));
      }
      medium.failAt(50, "write log/");
      for (Threads.Running<EverheapException> thread : running) {
        assertThat(thread.result())
            .isInstanceOf(StoppedException.class)
            .hasMessageContaining("made up");
      }
      assertThat(heap.isOpen()).isFalse();
    }
    try (Heap heap = TestHeaps.open(directory)) {
      DurableMap<Integer, Integer> map = heap.map("counts", Integer.class, Integer.class);
      for (int i = 0; i < threads; i++) {
        assertThat(map.getOrDefault(i, 0))
            .isBetween(acknowledged[i].get(), acknowledged[i].get() + 1);
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void anAsynchronousTransactionLearnsThatItsOutcomeIsUnknown() throws Exception {
    Path directory = temp.resolve("h");
    FaultyMedium medium = new FaultyMedium(directory, FaultyMedium.Fault.LOST);
    try (Heap heap = open(medium, TestHeaps.automatic())) {
      TestHeaps.put(heap, 0, 10);
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      medium.failAt(1, "write log/");
      CompletableFuture<String> stage =
          heap.transactAsync(() -> map.put(10, TestHeaps.value(10))).toCompletableFuture();
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(() -> Limit.get(stage))
          .havingCause()
          .isInstanceOf(StoppedException.class)
          .withMessageContaining("made up");
    }
    assertHoldsAtLeast(directory, 10);
  }

  @Test
  void aFailedBackgroundSyncStopsTheHeap() {
    Path directory = temp.resolve("h");
    FaultyMedium medium = new FaultyMedium(directory, FaultyMedium.Fault.LOST);
    EngineOptions async =
        TestHeaps.options(1L << 30, 1L << 28, TestHeaps.HOUR, false, 1_000_000, true);
    int[] count = {0};
    try (Heap heap = open(medium, async)) {
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      heap.sync();
      medium.failAt(3, "write log/");
      assertThatExceptionOfType(StoppedException.class)
          .isThrownBy(
              () -> {
                while (true) {
                  map.put(count[0], TestHeaps.value(count[0]));
                  count[0]++;
                }
              })
          .withMessageContaining("made up");
      assertPoisoned(heap, map);
    }
    assertHoldsAtLeast(directory, count[0]);
  }
}
