package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of a store that this program cannot decode are found, replaced and removed. */
class UndecodableStoreTest {
  private static final int ENTRIES = 40;

  /** Whether the program is one that does not decode the bad values. */
  private static boolean later;

  /** A record whose constructor refuses what it accepted when it was stored. */
  record Amount(int number) {
    Amount {
      if (later && number < 0) {
        throw new IllegalArgumentException("negative");
      }
    }
  }

  @TempDir private Path directory;

  @AfterEach
  void reset() {
    later = false;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theyAreFoundInAllShardsReplacedAndRemoved(boolean sorted) {
    try (ShardedStore store = open()) {
      ShardedMap<Integer, Amount> map =
          sorted
              ? store.sortedMap("map", Integer.class, Amount.class)
              : store.map("map", Integer.class, Amount.class);
      for (int i = 0; i < ENTRIES; i++) {
        map.put(i, new Amount(i % 4 == 0 ? -i - 1 : i));
      }
      later = true;
      assertThatThrownBy(() -> map.get(0)).isInstanceOf(CorruptValueException.class);
      List<Integer> found = new ArrayList<>();
      Iterator<Undecodable> all = map.undecodable();
      assertThatIllegalStateException().isThrownBy(all::remove);
      while (all.hasNext()) {
        Undecodable each = all.next();
        int key = (Integer) each.position();
        assertThat(each.bytes()).isNotEmpty();
        assertThat(each.reason()).hasRootCauseMessage("negative");
        found.add(key);
        if (key >= 20) {
          all.remove();
        }
      }
      assertThat(found).containsExactlyInAnyOrder(0, 4, 8, 12, 16, 20, 24, 28, 32, 36);
      assertThat(map.sizeLong()).isEqualTo(ENTRIES - 5);
      for (int key = 0; key < 20; key += 4) {
        map.set(key, new Amount(7));
      }
      assertThat(map.undecodable().hasNext()).isFalse();
      assertThat(map.get(16)).isEqualTo(new Amount(7));
      assertThat(map.get(36)).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theMessageNamesMapKeyAndClass(boolean sorted) {
    try (ShardedStore store = open()) {
      ShardedMap<Integer, Amount> map = filled(store, sorted);
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> map.get(4),
              () -> map.put(4, new Amount(1)),
              () -> map.remove(4),
              () -> map.putIfAbsent(4, new Amount(1)),
              () -> map.compute(4, (key, value) -> value),
              () -> map.asMap().remove(4))) {
        assertThatThrownBy(call)
            .isInstanceOf(CorruptValueException.class)
            .hasMessageContaining("key 4")
            .hasMessageContaining("map map in ")
            .hasMessageContaining(Amount.class.getName())
            .hasRootCauseMessage("negative");
      }
      assertThat(map.putAsync(4, new Amount(1)).toCompletableFuture())
          .failsWithin(Duration.ofMinutes(1))
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(CorruptValueException.class)
          .withMessageContaining("key 4");
      assertThat(map.containsKey(4)).isTrue();
      assertThat(map.sizeLong()).isEqualTo(ENTRIES);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void othersAreIteratedOver(boolean sorted) {
    try (ShardedStore store = open()) {
      ShardedMap<Integer, Amount> map = filled(store, sorted);
      ConcurrentMap<Integer, Amount> view = map.asMap();
      assertThat(decoded(map.entries())).hasSize(ENTRIES - 10);
      assertThat(decoded(view.values().iterator())).hasSize(ENTRIES - 10);
      assertThat(view.keySet()).hasSize(ENTRIES).contains(0, 4, 39);
      assertThat(view.containsKey(4)).isTrue();
      assertThat(view.containsValue(new Amount(39))).isTrue();
      assertThat(view.containsValue(new Amount(40))).isFalse();
      assertThat(view.values().removeIf(value -> value.number() == 39)).isTrue();
      assertThat(view.entrySet().contains(Map.entry(4, new Amount(4)))).isFalse();
      assertThat(view.toString()).contains("<undecodable", "38=Amount[number=38]");
      assertThat(view.equals(Map.copyOf(new TreeMap<>(Map.of(1, new Amount(1)))))).isFalse();
      assertThat(view.keySet().remove(4)).isTrue();
      Iterator<Integer> keys = view.keySet().iterator();
      while (keys.hasNext()) {
        if (keys.next() % 4 == 0) {
          keys.remove();
        }
      }
      assertThat(map.undecodable().hasNext()).isFalse();
      assertThat(map.sizeLong()).isEqualTo(ENTRIES - 11);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aValueThatWasReplacedInTheMeantimeStays(boolean sorted) {
    try (ShardedStore store = open()) {
      ShardedMap<Integer, Amount> map = filled(store, sorted);
      Iterator<Undecodable> all = map.undecodable();
      int replaced = (Integer) all.next().position();
      map.set(replaced, new Amount(7));
      all.remove();
      assertThat(map.get(replaced)).isEqualTo(new Amount(7));
      all.forEachRemaining(found -> all.remove());
      assertThat(map.sizeLong()).isEqualTo(ENTRIES - 9);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFilterRemovesOnlyTheValueThatItTested(boolean sorted) {
    try (ShardedStore store = open()) {
      ShardedMap<Integer, Amount> map = filled(store, sorted);
      ConcurrentMap<Integer, Amount> view = map.asMap();
      Amount later = new Amount(100);
      assertThat(view.values().removeIf(value -> replaced(map, value, 5, later))).isFalse();
      assertThat(view.entrySet().removeIf(entry -> replaced(map, entry.getValue(), 6, later)))
          .isFalse();
      assertThat(map.get(5)).isEqualTo(later);
      assertThat(map.get(6)).isEqualTo(later);
      assertThat(view.keySet().removeIf(key -> key == 5 && replaced(map, later, 100, later)))
          .isTrue();
      assertThat(map.sizeLong()).isEqualTo(ENTRIES);
    }
  }

  /** Returns whether it is the value of a key, which another writer then replaces. */
  private static boolean replaced(
      ShardedMap<Integer, Amount> map, Amount value, int key, Amount later) {
    boolean same = value.number() == key;
    if (same) {
      map.set(key, later);
    }
    return same;
  }

  @Test
  void rangesOfSortedMapsNeedNoValues() {
    try (ShardedStore store = open()) {
      ShardedSortedMap<Integer, Amount> map =
          (ShardedSortedMap<Integer, Amount>) filled(store, true);
      ConcurrentNavigableMap<Integer, Amount> range = map.asMap().subMap(4, true, 9, true);
      assertThat(range).hasSize(6);
      assertThat(range.firstKey()).isEqualTo(4);
      assertThat(range.ceilingKey(7)).isEqualTo(7);
      assertThat(range.higherKey(7)).isEqualTo(8);
      assertThat(range.keySet()).containsExactly(4, 5, 6, 7, 8, 9);
      assertThat(decoded(map.scan(4, true, 9, true, true))).hasSize(4);
      assertThatThrownBy(range::pollFirstEntry).isInstanceOf(CorruptValueException.class);
      assertThat(range.keySet().pollFirst()).isEqualTo(4);
      assertThat(range.keySet().pollLast()).isEqualTo(9);
      assertThat(range.keySet()).containsExactly(5, 6, 7, 8);
      range.clear();
      assertThat(range.isEmpty()).isTrue();
      assertThat(map.sizeLong()).isEqualTo(ENTRIES - 6);
    }
  }

  private ShardedStore open() {
    return ShardedStore.builder(directory)
        .shards(3)
        .durability(Durability.async(Duration.ofSeconds(1)))
        .heaps(heap -> heap.maxSize(64 << 20).logSize(16 << 20))
        .open();
  }

  private static ShardedMap<Integer, Amount> filled(ShardedStore store, boolean sorted) {
    ShardedMap<Integer, Amount> map =
        sorted
            ? store.sortedMap("map", Integer.class, Amount.class)
            : store.map("map", Integer.class, Amount.class);
    StoreBatch batch = store.batch();
    for (int i = 0; i < ENTRIES; i++) {
      batch.put(map, i, new Amount(i % 4 == 0 ? -i - 1 : i));
    }
    batch.commit();
    later = true;
    return map;
  }

  private static <T> List<T> decoded(Iterator<T> all) {
    List<T> found = new ArrayList<>();
    while (all.hasNext()) {
      try {
        found.add(all.next());
      } catch (CorruptValueException e) {
        // the others follow
      }
    }
    return found;
  }
}
