package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.collection.DurableMap;
import io.everheap.error.EverheapException;
import io.everheap.error.FullException;
import io.everheap.error.GoneException;
import io.everheap.error.TooLargeException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits are named and undo no more than the transaction that met them. */
class HeapLimitsTest {
  private static final String LARGE = "x".repeat(64 << 10);
  private static final long LIMIT = 4 << 20;

  @TempDir Path temp;
  private Path directory;

  @BeforeEach
  void nameAHeap() {
    directory = temp.resolve("h");
  }

  private Heap open(long maxCapacity, long maxTransaction) {
    return HeapSettings.options(
            Heap.builder(directory),
            TestHeaps.options(maxCapacity, maxTransaction, TestHeaps.HOUR, true, 0, false))
        .open();
  }

  /** Puts large values until there is no room, each in a transaction of its own. */
  private static int fill(DurableMap<Integer, String> map) {
    int[] count = {map.size()};
    assertThatExceptionOfType(FullException.class)
        .isThrownBy(
            () -> {
              while (true) {
                map.put(count[0], LARGE);
                count[0]++;
              }
            })
        .returns("EH-HEAP-FULL", EverheapException::code)
        .returns(LIMIT, FullException::limit)
        .withMessageContainingAll(
            LIMIT + " bytes", "HeapBuilder.maxSize", "Free blocks", "reopen it with a larger");
    return count[0];
  }

  @Test
  void aFullHeapNamesLimitAndSettingAndGoesOn() {
    int filled;
    try (Heap heap = open(LIMIT, 1L << 28)) {
      TestHeaps.put(heap, 0, 10);
      DurableMap<Integer, String> large = heap.map("large", Integer.class, String.class);
      filled = fill(large);
      assertThat(filled).isBetween(20, 64);
      assertThat(large).hasSize(filled);
      assertThat(large.values()).allMatch(LARGE::equals);
      TestHeaps.assertHolds(heap, 10);
      assertThat(heap.stats().capacity()).isLessThanOrEqualTo(LIMIT);

      assertThatExceptionOfType(FullException.class)
          .as("the whole transaction is undone")
          .isThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        TestHeaps.numbers(heap).put(0, "changed");
                        large.put(-1, LARGE);
                        large.put(-2, LARGE);
                        large.put(-3, LARGE);
                        large.put(-4, LARGE);
                      }));
      assertThat(large).hasSize(filled);
      TestHeaps.assertHolds(heap, 10);
    }
    try (Heap heap = open(LIMIT, 1L << 28)) {
      DurableMap<Integer, String> large = heap.map("large", Integer.class, String.class);
      assertThat(large).hasSize(filled);
      TestHeaps.assertHolds(heap, 10);
      for (int i = 0; i < 10; i++) {
        assertThat(large.remove(i)).isEqualTo(LARGE);
      }
      for (int i = 0; i < 8; i++) {
        large.put(i, LARGE);
      }
      TestHeaps.put(heap, 10, 20);
      TestHeaps.assertHolds(heap, 20);
    }
    try (Heap heap = open(8 * LIMIT, 1L << 28)) {
      DurableMap<Integer, String> large = heap.map("large", Integer.class, String.class);
      for (int i = 1000; i < 1100; i++) {
        large.put(i, LARGE);
      }
      TestHeaps.assertHolds(heap, 20);
    }
  }

  @Test
  void aFullHeapCanBeEmptied() {
    try (Heap heap = open(LIMIT, 1L << 28)) {
      DurableMap<Integer, String> large = heap.map("large", Integer.class, String.class);
      int first = fill(large);
      large.clear();
      OpenHeap.engine(heap).drainHousekeeping();
      int second = fill(large);
      assertThat(second).isGreaterThanOrEqualTo(first * 9 / 10);
      assertThat(heap.remove("large")).isTrue();
      OpenHeap.engine(heap).drainHousekeeping();
      TestHeaps.put(heap, 0, 10);
    }
    TestHeaps.assertHolds(directory, 10);
  }

  @Test
  void aTransactionThatIsTooLargeIsRolledBackWithItsSizeAndTheLimit() {
    long limit = 64 << 10;
    try (Heap heap = open(1L << 30, limit)) {
      TestHeaps.put(heap, 0, 10);
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);

      assertThatExceptionOfType(TooLargeException.class)
          .isThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        for (int i = 0; i < 1000; i++) {
                          map.put(i, "changed " + "x".repeat(200));
                        }
                      }))
          .withMessageContaining("(EH-TX-TOO-LARGE)")
          .returns("EH-TX-TOO-LARGE", EverheapException::code)
          .withMessageContainingAll(
              "limit of " + limit, "bytes", "split it", "HeapBuilder.maxTransaction");

      TestHeaps.assertHolds(heap, 10);
      TestHeaps.put(heap, 10, 20);
    }
    TestHeaps.assertHolds(directory, 20);
  }

  @Test
  void aTransactionThatTriesOnAfterItBecameTooLargeIsStillRolledBack() {
    try (Heap heap = open(1L << 30, 64 << 10)) {
      TestHeaps.put(heap, 0, 10);
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      assertThatExceptionOfType(TooLargeException.class)
          .isThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        for (int i = 0; i < 1000; i++) {
                          try {
                            map.put(i, "changed " + "x".repeat(200));
                          } catch (TooLargeException e) {
                            assertThat(e).hasMessageContaining("split it");
                          }
                        }
                        heap.transaction().onCommit(() -> {});
                        map.put(5, LARGE + LARGE);
                      }))
          .withMessageContaining("(EH-TX-TOO-LARGE)");
      TestHeaps.assertHolds(heap, 10);
    }
    TestHeaps.assertHolds(directory, 10);
  }

  @Test
  void everyMethodOfARemovedMapSaysThatItIsStale() {
    try (Heap heap = TestHeaps.open(directory)) {
      TestHeaps.put(heap, 0, 10);
      DurableMap<Integer, String> gone = heap.map("gone", Integer.class, String.class);
      gone.putAll(TestHeaps.expected(100));
      Iterator<Integer> iterator = gone.keySet().iterator();
      Map.Entry<Integer, String> entry = gone.entrySet().iterator().next();
      assertThat(heap.remove("gone")).isTrue();

      assertStale(gone);
      assertThatExceptionOfType(GoneException.class)
          .isThrownBy(
              () -> {
                while (iterator.hasNext()) {
                  iterator.next();
                }
              });
      assertThatExceptionOfType(GoneException.class).isThrownBy(() -> entry.setValue("x"));

      heap.map("gone", Integer.class, String.class).put(1, "new");
      assertStale(gone);
      assertThat(heap.map("gone", Integer.class, String.class)).containsOnly(Map.entry(1, "new"));
      TestHeaps.assertHolds(heap, 10);
    }
    TestHeaps.assertHolds(directory, 10);
  }

  private static void assertStale(DurableMap<Integer, String> map) {
    Map<String, Callable<?>> calls = Operations.reads(map);
    calls.putAll(Operations.writes(map));
    calls.remove("toString()"); // for logs and debuggers
    Operations.assertAllThrow(calls, GoneException.class, "EH-STALE");
    assertThat(map.toString()).isEqualTo("<stale reference>");
  }
}
