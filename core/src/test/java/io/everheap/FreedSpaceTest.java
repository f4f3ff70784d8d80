package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.collection.DurableMap;
import io.everheap.error.FullException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was cleared or removed is free for whoever needs it next, at once. */
class FreedSpaceTest {
  private static final int MIB = 1 << 20;
  private static final int ENTRIES = 30_000;

  @TempDir Path temp;

  private Heap open(long maxSize) {
    return Heap.builder(temp.resolve("h"))
        .maxSize(maxSize)
        .durability(Durability.async(Duration.ofMillis(100)))
        .open();
  }

  private static DurableMap<Long, byte[]> map(Heap heap, String name) {
    return heap.map(name, Long.class, byte[].class);
  }

  private static void fill(Heap heap, String name, int entries) {
    DurableMap<Long, byte[]> map = map(heap, name);
    for (int first = 0; first < entries; first += 1000) {
      long from = first;
      heap.transact(
          () -> {
            for (long key = from; key < from + 1000; key++) {
              map.put(key, new byte[500]);
            }
          });
    }
  }

  @Test
  void shrinkGivesBackWhatWasClearedJustBefore() {
    try (Heap heap = open(1L << 30)) {
      fill(heap, "a", ENTRIES);
      map(heap, "a").clear();
      assertThat(heap.shrink()).isGreaterThan(12 * MIB);
    }
  }

  @Test
  void shrinkGivesBackWhatARemovedRootHad() {
    try (Heap heap = open(1L << 30)) {
      fill(heap, "a", ENTRIES);
      heap.remove("a");
      assertThat(heap.shrink()).isGreaterThan(12 * MIB);
    }
  }

  @Test
  void aFullHeapHasRoomForANewMapRightAfterARemoval() {
    try (Heap heap = open(12 * MIB)) {
      for (int round = 0; round < 3; round++) {
        String name = "round " + round;
        assertThatExceptionOfType(FullException.class).isThrownBy(() -> fill(heap, name, ENTRIES));
        int size = map(heap, name).size();
        assertThat(size).isGreaterThan(10_000);
        heap.remove(name);
        fill(heap, "again", size / 1000 * 1000 - 1000);
        map(heap, "again").clear();
      }
    }
  }

  @Test
  void aFullHeapHasRoomInsideOfATransactionThatFollowsAClear() {
    try (Heap heap = open(12 * MIB)) {
      assertThatExceptionOfType(FullException.class).isThrownBy(() -> fill(heap, "a", ENTRIES));
      map(heap, "a").clear();
      heap.transact(() -> fill(heap, "b", 10_000));
      assertThat(map(heap, "b")).hasSize(10_000);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }
}
