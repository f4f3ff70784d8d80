package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A key of a class that a map cannot have is not there; adding it is refused with a {@link
 * ClassCastException}.
 */
class KeysOfAnotherClassTest {
  private final Heap heap = Heap.inMemory();

  @AfterEach
  void close() {
    heap.close();
  }

  @SuppressWarnings("unchecked") // keys of a wrong class, on purpose
  private static <K> ConcurrentMap<Object, String> filled(ConcurrentMap<K, String> map, K key) {
    map.put(key, "one");
    return (ConcurrentMap<Object, String>) map;
  }

  private List<ConcurrentMap<Object, String>> maps() {
    return List.of(
        filled(heap.map("words", Long.class, String.class), 1L),
        filled(heap.sortedMap("sorted words", Long.class, String.class), 1L),
        filled(heap.map("texts", String.class, String.class), "1"),
        filled(heap.sortedMap("sorted texts", String.class, String.class), "1"));
  }

  @Test
  void theyAreNotThere() {
    for (ConcurrentMap<Object, String> map : maps()) {
      Object key = 1;
      assertThat(map.get(key)).isNull();
      assertThat(map.containsKey(key)).isFalse();
      assertThat(map.getOrDefault(key, "none")).isEqualTo("none");
      assertThat(map.computeIfPresent(key, (k, v) -> "two")).isNull();
      assertThat(map.replace(key, "two")).isNull();
      assertThat(map.replace(key, "one", "two")).isFalse();
      assertThat(map.remove(key)).isNull();
      assertThat(map.remove(key, "one")).isFalse();
      assertThat(map.keySet().remove(key)).isFalse();
      assertThat(map).hasSize(1).containsValue("one");
    }
  }

  @Test
  void theyCannotBeAdded() {
    for (ConcurrentMap<Object, String> map : maps()) {
      Object key = 1;
      assertRefused(() -> map.put(key, "two"));
      assertRefused(() -> map.putIfAbsent(key, "two"));
      assertRefused(() -> map.computeIfAbsent(key, k -> "two"));
      assertRefused(() -> map.compute(key, (k, v) -> "two"));
      assertRefused(() -> map.merge(key, "two", String::concat));
      assertRefused(() -> map.putAll(Map.of(key, "two")));
      assertThat(map).hasSize(1).containsValue("one");
    }
  }

  private static void assertRefused(ThrowingCallable addition) {
    assertThatThrownBy(addition).isInstanceOf(ClassCastException.class);
  }
}
