package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Maps that are changed while something iterates over them, and their ranges. */
class ChangedWhileIteratedTest {
  private static final int COUNT = 300;

  @TempDir Path directory;
  private final Heap heap = Heap.inMemory();

  @AfterEach
  void close() {
    heap.close();
  }

  private Map<Integer, String> filled(boolean sorted) {
    Map<Integer, String> map =
        sorted
            ? heap.sortedMap("m", Integer.class, String.class)
            : heap.map("m", Integer.class, String.class);
    heap.transact(
        () -> {
          for (int i = 0; i < COUNT; i++) {
            map.put(i, "value " + i);
          }
        });
    return map;
  }

  private static List<Integer> numbers() {
    return IntStream.range(0, COUNT).boxed().toList();
  }

  /** The iteration goes through the keys while each is removed from the map itself. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void removingTheCurrentKeyFromTheMapSkipsNoOther(boolean sorted) {
    Map<Integer, String> map = filled(sorted);
    List<Integer> seen = new ArrayList<>();
    Iterator<Integer> keys = map.keySet().iterator();
    while (keys.hasNext()) {
      Integer key = keys.next();
      seen.add(key);
      map.remove(key);
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(numbers());
    assertThat(map).isEmpty();
  }

  /** The thread that iterates holds no lock that its own change would wait for. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFunctionGivenToForEachMayRemove(boolean inside) {
    Map<Integer, String> map = filled(false);
    DurableDeque<Integer> deque = heap.deque("d", Integer.class);
    deque.addAll(numbers());
    Runnable removals =
        () -> {
          map.forEach((key, value) -> map.remove(key));
          deque.forEach(deque::remove);
        };
    if (inside) {
      heap.transact(removals::run);
    } else {
      removals.run();
    }
    assertThat(map).isEmpty();
    assertThat(deque).isEmpty();
    heap.remove("m");
    Map<Integer, String> sorted = filled(true);
    sorted.forEach((key, value) -> sorted.remove(key));
    assertThat(sorted).isEmpty();
  }

  /** An entry that was removed before the iteration reaches it is not returned as present. */
  @Test
  void anIteratorThatBeganEarlierDoesNotReturnWhatWasRemovedFarAhead() {
    var map = (NavigableMap<Integer, String>) filled(true);
    Iterator<Integer> keys = map.keySet().iterator();
    assertThat(keys.next()).isZero();
    map.tailMap(200, true).clear();
    List<Integer> rest = new ArrayList<>();
    keys.forEachRemaining(rest::add);
    assertThat(rest).startsWith(1, 2, 3).hasSizeLessThan(COUNT - 1);
    assertThat(rest).doesNotContain(250, 299);
  }

  /** Removals and new values by one iterator reach the right entries. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneIteratorRemovesSomeAndReplacesOthers(boolean sorted) {
    Map<Integer, String> map = filled(sorted);
    Map<Integer, String> model = new HashMap<>();
    Iterator<Map.Entry<Integer, String>> entries = map.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Integer, String> entry = entries.next();
      if (entry.getKey() % 3 == 0) {
        entries.remove();
      } else {
        String value = "longer than before: " + entry.getKey();
        entry.setValue(value);
        model.put(entry.getKey(), value);
      }
    }
    assertThat(map).isEqualTo(model);
  }

  /** Another thread inserts and frees while an iteration runs; what stays is returned. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anIterationBesideInsertsAndRemovalsReturnsAllThatStays(boolean sorted) {
    Map<Integer, String> map = filled(sorted);
    AtomicBoolean over = new AtomicBoolean();
    var writer =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; !over.get(); i++) {
                map.put(COUNT + i % 500, "x".repeat(i % 90));
                map.remove(COUNT + (i * 7) % 500);
              }
            });
    try {
      for (int round = 0; round < 20; round++) {
        List<Integer> seen = new ArrayList<>();
        map.forEach((key, value) -> seen.add(key));
        assertThat(seen).doesNotHaveDuplicates().containsAll(numbers());
      }
    } finally {
      over.set(true);
      Limit.until("the writer ends", writer::isDone);
    }
    assertThat(writer).isCompleted();
  }

  /** Ranges, in both directions, are those of the JDK, also as text and by size. */
  @Test
  void rangesAreThoseOfTheJdk() {
    var map = (NavigableMap<Integer, String>) filled(true);
    var model = new TreeMap<>(map);
    assertThat(map.descendingMap()).hasSize(COUNT);
    assertThat(map.descendingKeySet()).containsExactlyElementsOf(model.descendingKeySet());
    assertThat(map.subMap(10, 20)).hasToString(model.subMap(10, 20).toString());
    assertThat(map.descendingMap().subMap(20, true, 10, false))
        .hasToString(model.descendingMap().subMap(20, true, 10, false).toString());
    assertThat(new ArrayList<>(map.subMap(10, 20).values()))
        .isEqualTo(new ArrayList<>(model.subMap(10, 20).values()));
    for (NavigableMap<Integer, String> each : List.of(map, map.descendingMap())) {
      assertThatThrownBy(() -> each.subMap(null, true, 5, true))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> each.headMap(null)).isInstanceOf(NullPointerException.class);
    }
  }

  /** Deleting everything and storing the same again takes no further space. */
  @Test
  void storingTheSameAgainTakesNoMoreSpace() {
    try (Heap onFile = Heap.open(directory)) {
      Map<Integer, byte[]> map = onFile.map("m", Integer.class, byte[].class);
      long first = 0;
      for (int round = 0; round < 8; round++) {
        for (int i = 0; i < 100; i++) {
          map.put(i, new byte[2000]);
        }
        first = round == 1 ? onFile.stats().capacity() : first;
        map.clear();
      }
      assertThat(onFile.stats().capacity()).isLessThanOrEqualTo(first);
    }
  }
}
