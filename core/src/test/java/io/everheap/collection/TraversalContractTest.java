package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.everheap.Heap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the JDK promises of iterators and spliterators, of every collection, empty or not. */
class TraversalContractTest {
  private static final Heap HEAP = Heap.inMemory();

  @AfterAll
  static void close() {
    HEAP.close();
  }

  /** A collection or a view of one. */
  record Place(String name, Iterable<?> elements) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Place> places() {
    DurableMap<Long, Long> map = HEAP.map("map", Long.class, Long.class);
    DurableSortedMap<Long, Long> sorted = HEAP.sortedMap("sorted", Long.class, Long.class);
    DurableSet<Long> set = HEAP.set("set", Long.class);
    DurableSortedSet<Long> sortedSet = HEAP.sortedSet("sorted set", Long.class);
    DurableList<Long> list = HEAP.list("list", Long.class);
    DurableDeque<Long> deque = HEAP.deque("deque", Long.class);
    DurablePriorityQueue<Long> queue = HEAP.priorityQueue("queue", Long.class);
    DurableWorkQueue<Long> work = HEAP.workQueue("work", Long.class);
    Map<String, Iterable<?>> all = new LinkedHashMap<>();
    all.put("keys", map.keySet());
    all.put("values", map.values());
    all.put("entries", map.entrySet());
    all.put("sorted keys", sorted.keySet());
    all.put("sorted values", sorted.values());
    all.put("sorted entries", sorted.entrySet());
    all.put("descending keys", sorted.descendingKeySet());
    all.put("keys of a part", sorted.headMap(9L).keySet());
    all.put("set", set);
    all.put("sorted set", sortedSet);
    all.put("descending set", sortedSet.descendingSet());
    all.put("list", list);
    all.put("sublist", list.subList(0, 0));
    all.put("list iterator", (Iterable<Long>) list::listIterator);
    all.put("deque", deque);
    all.put("descending deque", (Iterable<Long>) deque::descendingIterator);
    all.put("priority queue", queue);
    all.put("work queue", work);
    return all.entrySet().stream().map(e -> new Place(e.getKey(), e.getValue()));
  }

  static Stream<Place> fullPlaces() {
    HEAP.map("map", Long.class, Long.class).put(1L, 1L);
    HEAP.sortedMap("sorted", Long.class, Long.class).put(1L, 1L);
    HEAP.set("set", Long.class).add(1L);
    HEAP.sortedSet("sorted set", Long.class).add(1L);
    HEAP.list("list", Long.class).add(1L);
    HEAP.deque("deque", Long.class).add(1L);
    HEAP.priorityQueue("queue", Long.class).add(1L);
    HEAP.workQueue("work", Long.class).add(1L);
    return places();
  }

  @ParameterizedTest
  @MethodSource({"places", "fullPlaces"})
  void noActionIsRefusedWhetherThereAreElementsOrNot(Place place) {
    Iterator<?> iterator = place.elements().iterator();
    assertThatNullPointerException().isThrownBy(() -> iterator.forEachRemaining(null));
    iterator.forEachRemaining(Objects::requireNonNull);
    assertThatNullPointerException().isThrownBy(() -> iterator.forEachRemaining(null));
    assertThatNullPointerException().isThrownBy(() -> place.elements().forEach(null));
    Spliterator<?> spliterator = place.elements().spliterator();
    assertThatNullPointerException().isThrownBy(() -> spliterator.tryAdvance(null));
    assertThatNullPointerException().isThrownBy(() -> spliterator.forEachRemaining(null));
  }

  @ParameterizedTest
  @MethodSource("places")
  void spliteratorsOfWhatKeepsElementsInPlaceAllowConcurrentChanges(Place place) {
    boolean byIndex = List.of("list", "sublist", "list iterator").contains(place.name());
    boolean byIterator = place.name().equals("descending deque"); // the JDK's default
    assertThat(place.elements().spliterator().hasCharacteristics(Spliterator.CONCURRENT))
        .isEqualTo(!byIndex && !byIterator);
    assertThat(place.elements().spliterator().hasCharacteristics(Spliterator.IMMUTABLE)).isFalse();
  }
}
