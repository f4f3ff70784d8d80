package io.everheap.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.Heap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.error.TooLargeException;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of an earlier version of the program move to a map that was made by a later one. */
@Campaign
class MovedVersionsTest {
  private static final Version EARLIER = Version.of("int x", 1);
  private static final Version LATER = Version.of("int x, String y", 2, "b");

  @TempDir private Path directory;

  private Heap open() {
    return Heap.builder(directory.resolve("heap")).maxTransaction(1 << 16).open();
  }

  private static DurableSortedMap<Long, Object> map(
      Heap heap, String name, Version version, Compiled program) {
    return heap.sortedMap(name, Long.class, version.type(program));
  }

  private void fill(int entries) {
    Compiled program = EARLIER.compile(directory);
    try (Heap heap = open()) {
      DurableSortedMap<Long, Object> old = map(heap, "old", EARLIER, program);
      for (long i = 0; i < entries; i += 100) {
        long from = i;
        heap.transact(
            () -> {
              for (long key = from; key < Math.min(entries, from + 100); key++) {
                old.put(key, EARLIER.make(program));
              }
            });
      }
    }
  }

  @Test
  void theyAreStoredAgainInTheLaterForm() {
    fill(100);
    Compiled later = LATER.compile(directory);
    try (Heap heap = open()) {
      DurableSortedMap<Long, Object> old = map(heap, "old", LATER, later);
      old.put(60L, LATER.make(later));
      assertThat(old.moveTailTo(50L, map(heap, "new", LATER, later))).isEqualTo(50);
    }
    try (Heap heap = open()) {
      List<String> moved = new ArrayList<>();
      map(heap, "new", LATER, later).values().forEach(value -> moved.add(value.toString()));
      assertThat(moved).hasSize(50).contains("Point[x=1, y=null]", "Point[x=2, y=b]");
      assertThat(map(heap, "old", LATER, later)).hasSize(50);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void tooManyForOneTransactionDoNotMove() {
    fill(4_000);
    Compiled later = LATER.compile(directory);
    try (Heap heap = open()) {
      DurableSortedMap<Long, Object> old = map(heap, "old", LATER, later);
      DurableSortedMap<Long, Object> made = map(heap, "new", LATER, later);
      assertThatExceptionOfType(TooLargeException.class).isThrownBy(() -> old.moveTailTo(0L, made));
      assertThat(old).hasSize(4_000);
      assertThat(made).isEmpty();
      assertThat(old.moveTailTo(3_990L, made)).isEqualTo(10);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }
}
