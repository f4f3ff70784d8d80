package io.everheap;

import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableBooleanArray;
import io.everheap.collection.DurableByteArray;
import io.everheap.collection.DurableBytes;
import io.everheap.collection.DurableCharArray;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableDoubleArray;
import io.everheap.collection.DurableFloatArray;
import io.everheap.collection.DurableIntArray;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableShortArray;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.DurableText;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.Lease;
import io.everheap.collection.Shape;
import io.everheap.collection.Structure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One structure of every kind, with what it takes to fill and to use it. */
final class Kinds {
  private static final String LONG_TEXT = "text, ".repeat(60_000);

  private Kinds() {}

  /**
   * A kind.
   *
   * @param fill stores this many elements, some of which are large
   * @param uses methods, each of which reads or writes
   */
  record Kind<S extends Structure>(
      String name, Shape<S> shape, BiConsumer<S, Integer> fill, List<Function<S, Object>> uses) {
    @Override
    public String toString() {
      return name;
    }
  }

  @SafeVarargs
  private static <S extends Structure> Kind<S> kind(
      String name, Shape<S> shape, BiConsumer<S, Integer> fill, Function<S, Object>... uses) {
    List<Function<S, Object>> all = new ArrayList<>();
    for (Function<S, Object> use : uses) {
      all.add(use);
    }
    return new Kind<>(name, shape, fill, all);
  }

  /** A method without a result. */
  private static <S> Function<S, Object> run(Consumer<S> method) {
    return structure -> {
      method.accept(structure);
      return "";
    };
  }

  private static String value(int i) {
    return i % 1000 == 7 ? LONG_TEXT + i : "value " + i;
  }

  private static List<String> values(int n) {
    return IntStream.range(0, n).mapToObj(Kinds::value).toList();
  }

  /** A third of the elements are leased, a tenth of these acknowledged. */
  private static void fill(DurableWorkQueue<String> queue, int n) {
    queue.addAll(values(n));
    for (int i = 0; i < n / 3; i++) {
      Lease<String> lease = queue.tryLease(Duration.ofHours(1 + i % 7));
      if (i % 10 == 0) {
        lease.acknowledge();
      }
    }
  }

  static Stream<Kind<?>> all() {
    return Stream.concat(collections(), arraysAndCells());
  }

  private static Stream<Kind<?>> collections() {
    return Stream.of(
        kind(
            "map",
            DurableMap.of(String.class, String.class),
            (map, n) -> values(n).forEach(v -> map.put(v.substring(v.length() - 7), v)),
            map -> map.get("x"),
            map -> map.put("x", "y"),
            map -> map.remove("x"),
            map -> map.size(),
            map -> map.entrySet().iterator().hasNext(),
            run(DurableMap::clear)),
        kind(
            "set",
            DurableSet.of(Long.class),
            (set, n) -> IntStream.range(0, n).forEach(i -> set.add((long) i)),
            set -> set.add(1L),
            set -> set.contains(1L),
            set -> set.remove(1L),
            set -> set.iterator().hasNext()),
        kind(
            "sorted map",
            DurableSortedMap.of(String.class, String.class),
            (map, n) -> values(n).forEach(v -> map.put("a common beginning " + v.hashCode(), v)),
            map -> map.get("x"),
            map -> map.put("x", "y"),
            map -> map.firstEntry(),
            map -> map.pollLastEntry(),
            map -> map.headMap("y").size(),
            map -> map.remove("x"),
            map -> map.descendingKeySet().iterator().hasNext(),
            run(DurableSortedMap::clear)),
        kind(
            "sorted set",
            DurableSortedSet.of(Long.class),
            (set, n) -> IntStream.range(0, n).forEach(i -> set.add((long) i * 7919 % n)),
            set -> set.add(1L),
            set -> set.contains(1L),
            set -> set.first(),
            set -> set.pollFirst(),
            set -> set.ceiling(3L)),
        kind(
            "list",
            DurableList.of(String.class),
            (list, n) -> list.addAll(values(n)),
            list -> list.add("x"),
            list -> list.get(0),
            list -> list.set(0, "x"),
            list -> list.removeFirst(),
            list -> list.size(),
            list -> list.indexOf("x"),
            list -> list.iterator().hasNext(),
            run(DurableList::clear)),
        kind(
            "deque",
            DurableDeque.of(String.class),
            (deque, n) -> deque.addAll(values(n)),
            deque -> deque.offerFirst("x"),
            deque -> deque.pollFirst(),
            deque -> deque.peekLast(),
            deque -> deque.size(),
            deque -> deque.contains("x"),
            deque -> deque.iterator().hasNext(),
            run(DurableDeque::clear)),
        kind(
            "priority queue",
            DurablePriorityQueue.of(String.class),
            (queue, n) -> queue.addAll(values(n)),
            queue -> queue.offer("x"),
            queue -> queue.poll(),
            queue -> queue.peek(),
            queue -> queue.size(),
            queue -> queue.iterator().hasNext(),
            run(DurablePriorityQueue::clear)),
        kind(
            "work queue",
            DurableWorkQueue.of(String.class),
            Kinds::fill,
            run(queue -> queue.add("x")),
            queue -> queue.tryLease(Duration.ofHours(1)),
            queue -> queue.leased(),
            queue -> queue.size(),
            queue -> queue.iterator().hasNext(),
            run(DurableWorkQueue::clear)));
  }

  private static Stream<Kind<?>> arraysAndCells() {
    return Stream.of(
        kind(
            "booleans",
            DurableBooleanArray.ofLength(300_000),
            (array, n) -> array.fill(true),
            array -> array.get(0),
            run(array -> array.set(0, true)),
            array -> array.toArray(0, 2)),
        kind(
            "bytes of an array",
            DurableByteArray.ofLength(300_000),
            (array, n) -> array.fill((byte) 1),
            array -> array.get(0),
            run(array -> array.set(0, (byte) 1)),
            array -> array.toArray(0, 2)),
        kind(
            "shorts",
            DurableShortArray.ofLength(300_000),
            (array, n) -> array.fill((short) 1),
            array -> array.get(0),
            run(array -> array.set(0, (short) 1)),
            array -> array.toArray(0, 2)),
        kind(
            "chars",
            DurableCharArray.ofLength(10),
            (array, n) -> array.fill('x'),
            array -> array.get(0),
            run(array -> array.set(0, 'x')),
            array -> array.toArray()),
        kind(
            "ints",
            DurableIntArray.ofLength(300_000),
            (array, n) -> array.fill(1),
            array -> array.get(0),
            run(array -> array.set(0, 1)),
            run(DurableIntArray::sort),
            array -> array.toArray(0, 2)),
        kind(
            "longs",
            DurableLongArray.ofLength(100),
            (array, n) -> array.fill(1),
            array -> array.get(0),
            run(array -> array.set(0, 1)),
            run(array -> array.fill(2)),
            array -> array.toArray()),
        kind(
            "floats",
            DurableFloatArray.ofLength(300_000),
            (array, n) -> array.fill(1),
            array -> array.get(0),
            run(array -> array.set(0, 1))),
        kind(
            "doubles",
            DurableDoubleArray.ofLength(300_000),
            (array, n) -> array.fill(1),
            array -> array.get(0),
            run(array -> array.set(0, 1))),
        kind(
            "array",
            DurableArray.of(String.class, 1000),
            (array, n) -> IntStream.range(0, n).forEach(i -> array.set(i % 1000, value(i))),
            array -> array.get(0),
            run(array -> array.set(0, "x")),
            array -> array.getAndSet(0, null)),
        kind(
            "text",
            DurableText.of(),
            (text, n) -> text.append(LONG_TEXT),
            DurableText::length,
            DurableText::toString,
            text -> text.read(0, 0, view -> ""),
            run(text -> text.editBuffer(0, 0, view -> {})),
            text -> text.append("x"),
            run(DurableText::clear)),
        kind(
            "bytes",
            DurableBytes.of(),
            (bytes, n) -> bytes.append(new byte[400_000]),
            DurableBytes::length,
            run(bytes -> bytes.append(new byte[] {1})),
            bytes -> bytes.toArray(),
            bytes -> bytes.readBuffer(0, 0, view -> ""),
            run(bytes -> bytes.edit(0, 0, view -> {})),
            run(DurableBytes::clear)),
        kind(
            "atomic long",
            DurableAtomicLong.of(7),
            (number, n) -> number.set(n),
            DurableAtomicLong::get,
            DurableAtomicLong::incrementAndGet),
        kind(
            "counter",
            DurableCounter.of(),
            (counter, n) -> counter.add(n),
            DurableCounter::sum,
            run(DurableCounter::increment)),
        kind(
            "reference",
            DurableReference.of(String.class),
            (reference, n) -> reference.set(LONG_TEXT),
            DurableReference::get,
            run(reference -> reference.set("x")),
            reference -> reference.getAndSet(null)));
  }
}
