package io.everheap.structure.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.engine.tx.Transactions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;

/**
 * A map, the HashMap that it must equal, and the states to which open transactions would return.
 */
final class MapModel<K, V> {
  private final MapHeap heap;
  private final DurableMap<K, V> map;
  private final Deque<Map<K, V>> saved = new ArrayDeque<>();
  private Map<K, V> expected = new HashMap<>();

  MapModel(MapHeap heap, DurableMap<K, V> map) {
    this(heap, map, new HashMap<>());
  }

  MapModel(MapHeap heap, DurableMap<K, V> map, Map<K, V> expected) {
    this.heap = heap;
    this.map = map;
    this.expected = expected;
  }

  Map<K, V> expected() {
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

  /** Does one step to both and compares what they return and what the key leads to then. */
  void apply(
      DurableMapModelTest.Step step, Function<Integer, K> toKey, Function<Integer, V> toValue) {
    K key = toKey.apply(step.key());
    V value = toValue.apply(step.value());
    V other = toValue.apply(step.value() + 1);
    Transactions tx = heap.engine().transactions();
    switch (step.kind()) {
      case PUT -> same(map.put(key, value), expected.put(key, value));
      case PUT_IF_ABSENT -> same(map.putIfAbsent(key, value), expected.putIfAbsent(key, value));
      case REMOVE -> same(map.remove(key), expected.remove(key));
      case REMOVE_VALUE -> {
        V present = step.value() % 2 == 0 ? expected.getOrDefault(key, value) : value;
        same(map.remove(key, present), expected.remove(key, present));
      }
      case REPLACE -> same(map.replace(key, value), expected.replace(key, value));
      case REPLACE_VALUE -> {
        V present = step.value() % 2 == 0 ? expected.getOrDefault(key, value) : value;
        same(map.replace(key, present, other), expected.replace(key, present, other));
      }
      case COMPUTE -> {
        V result = step.value() % 3 == 0 ? null : value;
        same(map.compute(key, (k, v) -> result), expected.compute(key, (k, v) -> result));
      }
      case COMPUTE_IF_ABSENT -> {
        V result = step.value() % 3 == 0 ? null : value;
        same(map.computeIfAbsent(key, k -> result), expected.computeIfAbsent(key, k -> result));
      }
      case COMPUTE_IF_PRESENT -> {
        V result = step.value() % 3 == 0 ? null : value;
        same(
            map.computeIfPresent(key, (k, v) -> result),
            expected.computeIfPresent(key, (k, v) -> result));
      }
      case MERGE -> {
        V result = step.value() % 3 == 0 ? null : other;
        same(map.merge(key, value, (a, b) -> result), expected.merge(key, value, (a, b) -> result));
      }
      case PUT_ALL -> {
        Map<K, V> more = new HashMap<>();
        for (int i = 0; i < step.value(); i++) {
          more.put(toKey.apply(step.key() + i), toValue.apply(i));
        }
        map.putAll(more);
        expected.putAll(more);
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
      case ITERATOR_REMOVE -> {
        int modulus = 2 + step.value() % 5;
        for (Iterator<Map.Entry<K, V>> i = map.entrySet().iterator(); i.hasNext(); ) {
          Map.Entry<K, V> entry = i.next();
          same(entry.getValue(), expected.get(entry.getKey()));
          if (entry.getKey().hashCode() % modulus == 0) {
            i.remove();
            expected.remove(entry.getKey());
          }
        }
      }
      case SET_VALUE -> {
        for (Map.Entry<K, V> entry : map.entrySet()) {
          same(entry.setValue(value), expected.put(entry.getKey(), value));
        }
      }
      case CLEAR -> {
        map.clear();
        expected.clear();
      }
      case BEGIN -> {
        tx.begin();
        saved.push(new HashMap<>(expected));
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

  private static void same(Object actual, Object wanted) {
    assertThat(actual).isEqualTo(wanted);
  }
}
