package io.everheap.cli.console;

import io.everheap.Heap;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableBytes;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableText;
import io.everheap.durable.Durable;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A heap with structures of all kinds and with objects, for the fuzzers of the console. */
final class FuzzedHeap {
  /** In the name of a root, so that an answer with anything of the heap is noticed. */
  static final String MARK = "mark-of-the-heap";

  @Durable
  interface Person {
    @Nullable String name();

    void name(@Nullable String value);

    @Nullable Person friend();

    void friend(@Nullable Person value);

    @Nullable DurableList<Person> known();

    void known(@Nullable DurableList<Person> value);
  }

  record Order(String article, int pieces, @Nullable Order before) {}

  private FuzzedHeap() {}

  static void make(Path directory) {
    try (Heap heap = Heap.builder(directory).lookup(MethodHandles.lookup()).open()) {
      heap.transact(() -> fill(heap));
    }
  }

  private static void fill(Heap heap) {
    heap.map(MARK, String.class, Long.class).put("key", 7L);
    DurableMap<String, String> texts = heap.map("texts", String.class, String.class);
    texts.put("long", "x".repeat(10_000));
    texts.put("\u202e\u0000<b>", "\ud800 half");
    var longs = heap.sortedMap("sorted", Long.class, String.class);
    for (long i = -300; i < 300; i++) {
      longs.put(i, "value " + i);
    }
    heap.sortedSet("sorted set", String.class).addAll(List.of("a", "b", "c"));
    heap.set("set", UUID.class).add(new UUID(1, 2));
    heap.list("list", Integer.class).addAll(List.of(1, 2, 3));
    heap.map("numbers", BigInteger.class, BigDecimal.class)
        .put(BigInteger.TWO.pow(50_000), new BigDecimal("1e-300"));
    heap.map("times", Instant.class, byte[].class).put(Instant.EPOCH, new byte[5_000]);
    heap.map("doubles", Double.class, Boolean.class).put(Double.NaN, true);
    heap.map("orders", Order.class, Order.class)
        .put(new Order("a", 1, null), new Order("b", 2, new Order("c", 3, null)));
    heap.root("deque", DurableDeque.of(String.class)).add("first");
    heap.workQueue("jobs", String.class).add("job");
    heap.root("queue", DurablePriorityQueue.of(Long.class)).add(3L);
    heap.root("array", DurableArray.of(String.class, 10));
    heap.root("long array", DurableLongArray.ofLength(1_000));
    heap.root("text", DurableText.of());
    heap.root("bytes", DurableBytes.of());
    heap.root("counter", DurableCounter.of()).increment();
    heap.root("reference", DurableReference.of(String.class));
    var shape = DurableMap.of(String.class, DurableSet.of(Long.class));
    DurableMap<String, DurableSet<Long>> inner = heap.create(shape);
    DurableSet<Long> set = heap.create(DurableSet.of(Long.class));
    set.add(7L);
    inner.put("inner", set);
    heap.root("nested", DurableMap.of(Integer.class, shape)).put(2026, inner);
    DurableMap<String, Person> people = heap.map("people", String.class, Person.class);
    Person ada = heap.create(Person.class, person -> person.name("Ada"));
    Person bob = heap.create(Person.class, person -> person.friend(ada));
    ada.friend(bob);
    people.put("ada", ada);
    people.put("bob", bob);
  }
}
