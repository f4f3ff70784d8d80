package io.everheap.durable;

import io.everheap.Heap;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.KeyOrder;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Everywhere a heap can keep a record: its type is {@code Point} or what it became. */
@SuppressWarnings("unchecked")
enum Places {
  MAP_VALUE {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return heap.map("map", Integer.class, type).values();
    }

    @Override
    void add(Heap heap, Compiled program, Class<Object> type, Object value) {
      DurableMap<Integer, Object> map = heap.map("map", Integer.class, type);
      map.put(map.size(), value);
    }
  },
  SORTED_VALUE {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return heap.sortedMap("sorted", Integer.class, type).values();
    }

    @Override
    void add(Heap heap, Compiled program, Class<Object> type, Object value) {
      var map = heap.sortedMap("sorted", Integer.class, type);
      map.put(map.size(), value);
    }
  },
  LIST {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return heap.list("list", type);
    }
  },
  DEQUE {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return heap.deque("deque", type);
    }
  },
  QUEUE {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return heap.root("queue", DurablePriorityQueue.of(type, BY_NOTHING));
    }
  },
  WORK_QUEUE {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return heap.root("work", DurableWorkQueue.of(type)).stream().toList();
    }

    @Override
    void add(Heap heap, Compiled program, Class<Object> type, Object value) {
      heap.root("work", DurableWorkQueue.of(type)).add(value);
    }
  },
  ARRAY {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      DurableArray<Object> array = heap.root("array", DurableArray.of(type, 9));
      return java.util.stream.LongStream.range(0, 9)
          .mapToObj(array::get)
          .filter(value -> value != null)
          .toList();
    }

    @Override
    void add(Heap heap, Compiled program, Class<Object> type, Object value) {
      DurableArray<Object> array = heap.root("array", DurableArray.of(type, 9));
      for (int i = 0; i < 9; i++) {
        if (array.compareAndSet(i, null, value)) {
          return;
        }
      }
    }
  },
  NESTED {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      DurableMap<String, DurableList<Object>> map =
          heap.root("nested", DurableMap.of(String.class, DurableList.of(type)));
      return heap.transact(() -> map.computeIfAbsent("a", k -> heap.create(DurableList.of(type))));
    }
  },
  REFERENCES {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      DurableList<DurableReference<Object>> list =
          heap.root("references", DurableList.of(DurableReference.of(type)));
      return list.stream().map(DurableReference::get).toList();
    }

    @Override
    void add(Heap heap, Compiled program, Class<Object> type, Object value) {
      DurableList<DurableReference<Object>> list =
          heap.root("references", DurableList.of(DurableReference.of(type)));
      heap.transact(
          () -> {
            DurableReference<Object> reference = heap.create(DurableReference.of(type));
            reference.set(value);
            list.add(reference);
          });
    }
  },
  WITHIN_A_RECORD {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return heap.list("boxes", (Class<Object>) program.type("Box")).stream()
          .flatMap(
              box ->
                  java.util.stream.Stream.of(
                      Compiled.get(box, "one"),
                      ((List<Object>) Compiled.get(box, "many")).getFirst(),
                      ((Optional<Object>) Compiled.get(box, "maybe")).orElseThrow()))
          .distinct()
          .toList();
    }

    @Override
    void add(Heap heap, Compiled program, Class<Object> type, Object value) {
      heap.list("boxes", (Class<Object>) program.type("Box"))
          .add(program.make("Box", value, List.of(value), Optional.of(value)));
    }
  },
  SEALED {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return heap.list("shapes", (Class<Object>) program.type("Shape"));
    }
  },
  FIELD {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return heap.list("holders", (Class<Object>) program.type("Holder")).stream()
          .flatMap(
              holder ->
                  java.util.stream.Stream.of(
                      Compiled.get(holder, "one"),
                      ((List<Object>) Compiled.get(holder, "many")).getFirst(),
                      ((List<Object>) Compiled.get(holder, "durable")).getFirst()))
          .distinct()
          .toList();
    }

    @Override
    void add(Heap heap, Compiled program, Class<Object> type, Object value) {
      heap.transact(
          () -> {
            Object holder = heap.create((Class<Object>) program.type("Holder"));
            DurableList<Object> list = heap.create(DurableList.of(type));
            list.add(value);
            Compiled.set(holder, "one", value);
            Compiled.set(holder, "many", List.of(value));
            Compiled.set(holder, "durable", list);
            heap.list("holders", (Class<Object>) program.type("Holder")).add(holder);
          });
    }
  },
  KEY {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return found(heap.map("keys", type, String.class).keySet());
    }

    @Override
    void add(Heap heap, Compiled program, Class<Object> type, Object value) {
      heap.map("keys", type, String.class).put(value, "x");
    }
  },
  SET {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return found(heap.set("set", type));
    }

    @Override
    void add(Heap heap, Compiled program, Class<Object> type, Object value) {
      heap.set("set", type).add(value);
    }
  },
  SORTED_SET {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      return found(heap.sortedSet("sorted set", type, BY_TEXT));
    }

    @Override
    void add(Heap heap, Compiled program, Class<Object> type, Object value) {
      heap.sortedSet("sorted set", type, BY_TEXT).add(value);
    }
  },
  NESTED_SET {
    @Override
    Collection<?> of(Heap heap, Compiled program, Class<Object> type) {
      DurableMap<String, DurableSet<Object>> map =
          heap.root("nested set", DurableMap.of(String.class, DurableSet.of(type)));
      return found(
          heap.transact(() -> map.computeIfAbsent("a", k -> heap.create(DurableSet.of(type)))));
    }

    @Override
    void add(Heap heap, Compiled program, Class<Object> type, Object value) {
      DurableMap<String, DurableSet<Object>> map =
          heap.root("nested set", DurableMap.of(String.class, DurableSet.of(type)));
      heap.transact(() -> map.computeIfAbsent("a", k -> heap.create(DurableSet.of(type))))
          .add(value);
    }
  };

  private static final KeyOrder<Object> BY_NOTHING = KeyOrder.of("nothing", (_, _) -> 0);

  /** What the records hold, without the name of their class, which may change. */
  private static final KeyOrder<Object> BY_TEXT =
      KeyOrder.of(
          "text",
          java.util.Comparator.comparing(value -> value.toString().replaceAll("\\w+=|^\\w+", "")));

  /** Where the encoded form must stay what it was. */
  static final Set<Places> KEYS = EnumSet.of(KEY, SET, SORTED_SET, NESTED_SET);

  /** The records there. */
  abstract Collection<?> of(Heap heap, Compiled program, Class<Object> type);

  void add(Heap heap, Compiled program, Class<Object> type, Object value) {
    ((Collection<Object>) of(heap, program, type)).add(value);
  }

  /** All of them, each of which must be found by itself. */
  private static Collection<?> found(Set<Object> keys) {
    for (Object key : keys) {
      if (!keys.contains(key)) {
        throw new AssertionError(key + " is not found");
      }
    }
    return keys;
  }
}
