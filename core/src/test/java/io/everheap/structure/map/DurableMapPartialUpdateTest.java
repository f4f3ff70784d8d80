package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.BYTES;
import static io.everheap.collection.TestCodecs.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A value that replaces one of its size: only what differs is written, and nothing is missed. */
class DurableMapPartialUpdateTest {
  private static final int KEYS = 8;
  private static final int MOST_BYTES = 1500;
  private static final int ROUNDS = 400;

  @TempDir Path directory;

  /** A copy with some ranges changed, or none. */
  private static byte[] edited(byte[] old, SplittableRandom random) {
    byte[] changed = old.clone();
    for (int edits = random.nextInt(4); edits > 0; edits--) {
      int first = random.nextInt(changed.length);
      int last = Math.min(changed.length, first + 1 + random.nextInt(200));
      for (int i = first; i < last; i++) {
        changed[i] = (byte) random.nextInt();
      }
    }
    return changed;
  }

  private static byte[] fresh(SplittableRandom random) {
    byte[] value = new byte[1 + random.nextInt(MOST_BYTES)];
    random.nextBytes(value);
    return value;
  }

  private static void change(
      DurableMap<Long, byte[]> map, Map<Long, byte[]> model, SplittableRandom random) {
    long key = random.nextInt(KEYS);
    byte[] old = model.get(key);
    byte[] value = old == null || random.nextInt(10) == 0 ? fresh(random) : edited(old, random);
    if (random.nextBoolean()) {
      map.set(key, value);
    } else {
      assertThat(map.put(key, value)).isEqualTo(old);
    }
    model.put(key, value);
  }

  private static void assertSame(DurableMap<Long, byte[]> map, Map<Long, byte[]> model) {
    model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
    assertThat(map).hasSameSizeAs(model);
  }

  @Test
  void valuesAreWhatWasPutInAndAfterTransactionsAndAfterAKill() {
    Map<Long, byte[]> model = new HashMap<>();
    SplittableRandom random = new SplittableRandom(5);
    try (MapHeap heap = MapHeap.inFiles(directory.resolve("heap"))) {
      DurableMap<Long, byte[]> map = heap.rootMap(LONG, BYTES);
      for (int round = 0; round < ROUNDS; round++) {
        Map<Long, byte[]> inside = new HashMap<>(model);
        boolean commit = random.nextInt(4) > 0;
        heap.transact(
            () -> {
              for (int i = random.nextInt(6); i >= 0; i--) {
                change(map, inside, random);
                assertSame(map, inside);
              }
              return commit;
            });
        model = commit ? inside : model;
        assertSame(map, model);
        change(map, model, random);
        assertSame(map, model);
      }
      try (MapHeap again =
          MapHeap.afterKill(directory.resolve("heap"), directory.resolve("copy"))) {
        assertSame(again.root(LONG, BYTES), model);
      }
    }
  }

  @Test
  void aNestedTransactionThatFailsLeavesTheValueOfTheOuterOne() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, byte[]> map = heap.map(LONG, BYTES);
      byte[] first = new byte[1000];
      map.set(1L, first);
      byte[] second = first.clone();
      second[500] = 1;
      heap.transact(
          () -> {
            map.set(1L, second);
            heap.transact(
                () -> {
                  map.set(1L, first); // what is at home, though the transaction changed it
                  assertThat(map.get(1L)).isEqualTo(first);
                  return false;
                });
            assertThat(map.get(1L)).isEqualTo(second);
            map.set(1L, first);
            return true;
          });
      assertThat(map.get(1L)).isEqualTo(first);
    }
  }

  @Test
  void theLogGrowsByWhatChangedOnly() {
    try (MapHeap heap = MapHeap.inFiles(directory.resolve("heap"))) {
      DurableMap<Long, byte[]> map = heap.map(LONG, BYTES);
      byte[] value = new byte[100_000];
      map.set(1L, value);
      long before = heap.engine().log().appended();
      value[50_000] = 1;
      map.set(1L, value);
      assertThat(heap.engine().log().appended() - before).isLessThan(1000);
      assertThat(map.get(1L)).isEqualTo(value);
    }
  }
}
