package io.everheap.structure.sorted;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableSortedMap;
import io.everheap.engine.tx.Transactions;
import io.everheap.structure.map.MapHeap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * A sorted map, the TreeMap that it must equal, and the states to which open transactions would
 * return.
 */
final class SortedModel<K, V> {
  /** One operation. */
  record Step(Kind kind, int key, int other, int value) {}

  enum Kind {
    PUT,
    PUT_IF_ABSENT,
    REMOVE,
    COMPUTE,
    MERGE,
    PUT_MANY,
    REMOVE_MANY,
    REPLACE_ALL,
    REMOVE_SOME,
    ITERATOR_REMOVE,
    POLL_FIRST,
    POLL_LAST,
    NEIGHBOURS,
    SUB_MAP,
    SUB_MAP_CLEAR,
    DESCENDING,
    CLEAR,
    BEGIN,
    COMMIT,
    ROLL_BACK
  }

  private final MapHeap heap;
  private final DurableSortedMap<K, V> map;
  private final IntFunction<K> toKey;
  private final IntFunction<V> toValue;
  private final Deque<NavigableMap<K, V>> saved = new ArrayDeque<>();
  private final Comparator<? super K> order;
  private NavigableMap<K, V> expected;

  @SuppressWarnings("unchecked") // keys without a comparator are Comparable
  SortedModel(
      MapHeap heap,
      DurableSortedMap<K, V> map,
      NavigableMap<K, V> expected,
      IntFunction<K> toKey,
      IntFunction<V> toValue) {
    this.heap = heap;
    this.map = map;
    this.expected = expected;
    this.order =
        expected.comparator() == null
            ? (Comparator<K>) Comparator.naturalOrder()
            : expected.comparator();
    this.toKey = toKey;
    this.toValue = toValue;
  }

  NavigableMap<K, V> expected() {
    return expected;
  }

  void endTransactions() {
    while (!saved.isEmpty()) {
      saved.pop();
      heap.engine().transactions().end(true);
    }
  }

  /** Rolls back what a failed test left open. */
  void abandonTransactions() {
    while (heap.engine().transactions().isWriter()) {
      heap.engine().transactions().end(false);
    }
    saved.clear();
  }

  /** The same entries in both directions. */
  void compareAll() {
    assertThat(new ArrayList<>(map.entrySet())).isEqualTo(new ArrayList<>(expected.entrySet()));
    assertThat(new ArrayList<>(map.descendingKeySet()))
        .isEqualTo(new ArrayList<>(expected.descendingKeySet()));
    assertThat(new ArrayList<>(map.values())).isEqualTo(new ArrayList<>(expected.values()));
    assertThat(map.keySet().parallelStream().toList()).isEqualTo(List.copyOf(expected.keySet()));
    same(map.size(), expected.size());
  }

  /** Does one step to both and compares what they return and what the key leads to then. */
  void apply(Step step) {
    K key = toKey.apply(step.key());
    V value = toValue.apply(step.value());
    Transactions tx = heap.engine().transactions();
    switch (step.kind()) {
      case PUT -> same(map.put(key, value), expected.put(key, value));
      case PUT_IF_ABSENT -> same(map.putIfAbsent(key, value), expected.putIfAbsent(key, value));
      case REMOVE -> same(map.remove(key), expected.remove(key));
      case COMPUTE -> {
        V result = step.value() % 3 == 0 ? null : value;
        same(map.compute(key, (k, v) -> result), expected.compute(key, (k, v) -> result));
      }
      case MERGE -> {
        V result = step.value() % 3 == 0 ? null : toValue.apply(step.value() + 1);
        same(map.merge(key, value, (a, b) -> result), expected.merge(key, value, (a, b) -> result));
      }
      case PUT_MANY -> {
        Map<K, V> more = new TreeMap<>(expected.comparator());
        for (int i = 0; i < step.value(); i++) {
          more.put(toKey.apply(step.key() + i * (1 + step.other() % 3)), toValue.apply(i));
        }
        map.putAll(more);
        expected.putAll(more);
      }
      case REMOVE_MANY -> {
        for (int i = 0; i < step.value(); i++) {
          K next = toKey.apply(step.key() + i);
          same(map.remove(next), expected.remove(next));
        }
      }
      case REPLACE_ALL -> {
        map.replaceAll((k, v) -> k.hashCode() % 2 == 0 ? value : v);
        expected.replaceAll((k, v) -> k.hashCode() % 2 == 0 ? value : v);
      }
      case REMOVE_SOME -> {
        int modulus = 2 + step.value() % 5;
        same(
            map.keySet().removeIf(k -> k.hashCode() % modulus == 0),
            expected.keySet().removeIf(k -> k.hashCode() % modulus == 0));
      }
      case ITERATOR_REMOVE -> iterate(step);
      case POLL_FIRST -> same(map.pollFirstEntry(), expected.pollFirstEntry());
      case POLL_LAST -> same(map.pollLastEntry(), expected.pollLastEntry());
      case NEIGHBOURS -> neighbours(map, expected, key);
      case SUB_MAP -> subMap(step, false);
      case SUB_MAP_CLEAR -> subMap(step, true);
      case DESCENDING -> {
        neighbours(map.descendingMap(), expected.descendingMap(), key);
        same(
            new ArrayList<>(map.descendingMap().headMap(key, true).entrySet()),
            new ArrayList<>(expected.descendingMap().headMap(key, true).entrySet()));
      }
      case CLEAR -> {
        map.clear();
        expected.clear();
      }
      case BEGIN -> {
        tx.begin();
        saved.push(new TreeMap<>(expected));
      }
      case COMMIT -> {
        if (!saved.isEmpty()) {
          saved.pop();
          tx.end(true);
        }
      }
      case ROLL_BACK -> {
        if (!saved.isEmpty()) {
          expected = saved.pop();
          tx.end(false);
        }
      }
    }
    same(map.get(key), expected.get(key));
    same(map.containsKey(key), expected.containsKey(key));
    same(map.size(), expected.size());
  }

  private void iterate(Step step) {
    int modulus = 2 + step.value() % 5;
    Iterator<Map.Entry<K, V>> wanted = List.copyOf(expected.entrySet()).iterator();
    for (Iterator<Map.Entry<K, V>> i = map.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<K, V> entry = i.next();
      same(entry, wanted.next());
      if (entry.getKey().hashCode() % modulus == 0) {
        i.remove();
        expected.remove(entry.getKey());
      }
    }
    same(wanted.hasNext(), false);
  }

  private void subMap(Step step, boolean clear) {
    K one = toKey.apply(step.key());
    K two = toKey.apply(step.other());
    boolean ordered = order.compare(one, two) <= 0;
    K low = ordered ? one : two;
    K high = ordered ? two : one;
    boolean lowIn = step.value() % 2 == 0;
    boolean highIn = step.value() % 4 < 2;
    NavigableMap<K, V> part = map.subMap(low, lowIn, high, highIn);
    NavigableMap<K, V> wanted = expected.subMap(low, lowIn, high, highIn);
    same(new ArrayList<>(part.entrySet()), new ArrayList<>(wanted.entrySet()));
    same(part.size(), wanted.size());
    same(part.isEmpty(), wanted.isEmpty());
    neighbours(part, wanted, toKey.apply((step.key() + step.other()) / 2));
    neighbours(part.descendingMap(), wanted.descendingMap(), toKey.apply(step.value()));
    if (clear) {
      part.clear();
      wanted.clear();
    }
  }

  private static <K, V> void neighbours(NavigableMap<K, V> a, NavigableMap<K, V> b, K key) {
    same(a.floorEntry(key), b.floorEntry(key));
    same(a.lowerEntry(key), b.lowerEntry(key));
    same(a.ceilingEntry(key), b.ceilingEntry(key));
    same(a.higherEntry(key), b.higherEntry(key));
    same(a.floorKey(key), b.floorKey(key));
    same(a.lowerKey(key), b.lowerKey(key));
    same(a.ceilingKey(key), b.ceilingKey(key));
    same(a.higherKey(key), b.higherKey(key));
    same(a.firstEntry(), b.firstEntry());
    same(a.lastEntry(), b.lastEntry());
  }

  private static void same(Object actual, Object wanted) {
    assertThat(actual).isEqualTo(wanted);
  }
}
