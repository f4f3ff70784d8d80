package io.everheap;

import io.everheap.block.Block;
import io.everheap.block.UnloggedRegion;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableBytes;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.DurableText;
import io.everheap.collection.KeyOrder;
import io.everheap.collection.Shape;
import io.everheap.collection.Structure;
import io.everheap.durable.Durable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;

/** A heap with something of every kind, and what reads it: calls that return the same each time. */
final class EveryRead {
  private static final int ENTRIES = 300;
  private static final String LONG_TEXT = "text, ".repeat(20_000);
  private static final KeyOrder<String> BY_LENGTH =
      KeyOrder.of("length", Comparator.comparingInt(String::length).thenComparing(s -> s));

  /** An object with fields of one word, of several, and references. */
  @Durable
  interface Person {
    long id();

    void id(long value);

    int age();

    void age(int value);

    String name();

    void name(String value);

    Person friend();

    void friend(Person value);

    DurableList<Long> numbers();

    void numbers(DurableList<Long> value);
  }

  private final Heap heap;
  private final Map<String, Callable<?>> reads = new LinkedHashMap<>();

  /** Fills the heap if it is empty. */
  EveryRead(Heap heap) {
    this.heap = heap;
    if (heap.names().isEmpty()) {
      heap.transact(this::fillCollections);
      heap.transact(this::fillSequences);
      heap.transact(this::fillObjects);
      heap.transact(this::fillNested);
    }
    addMaps();
    addSorted();
    addSequences();
    addCells();
    addObjects();
    addNested();
    addHeap();
  }

  /** The calls, by what they are. */
  Map<String, Callable<?>> reads() {
    return reads;
  }

  /** What each call returns. */
  Map<String, Object> results() throws Exception {
    Map<String, Object> results = new LinkedHashMap<>();
    for (var read : reads.entrySet()) {
      results.put(read.getKey(), read.getValue().call());
    }
    return results;
  }

  /** Changes something of every kind, in the running transaction. */
  void change() {
    words().put(7L, -1L);
    words().put(-1L, -1L);
    strings().put("key 8", "changed");
    sorted().put(7L, -1L);
    sortedStrings().remove("key 8");
    byLength().remove("key 8");
    heap.set("set", Long.class).remove(7L);
    heap.sortedSet("sorted set", String.class).remove("element 7");
    list().set(7, -1L);
    list().addFirst(-1L);
    stringList().removeLast();
    deque().pollFirst();
    queue().poll();
    array().set(8, "changed");
    longs().set(70_000, -1);
    heap.root("text", DurableText.of()).clear();
    heap.root("bytes", DurableBytes.of()).append(new byte[] {1});
    heap.root("number", DurableAtomicLong.of(7)).set(-1);
    heap.root("counter", DurableCounter.of()).add(-1);
    heap.root("reference", DurableReference.of(String.class)).set("changed");
    heap.block("block", 1000).setLong(8, -1);
    person().name("changed");
    person().friend().id(-1);
    nested("lists", DurableList.of(Long.class)).get("a").add(-1L);
    heap.map("a new root", Long.class, Long.class).put(-1L, -1L);
    heap.remove("counters");
  }

  private static String value(long i) {
    return i % 100 == 7 ? LONG_TEXT + i : "value " + i;
  }

  // ---- What there is ------------------------------------------------------------------------

  private DurableMap<Long, Long> words() {
    return heap.map("words", Long.class, Long.class);
  }

  private DurableMap<String, String> strings() {
    return heap.map("strings", String.class, String.class);
  }

  private DurableSortedMap<Long, Long> sorted() {
    return heap.sortedMap("sorted", Long.class, Long.class);
  }

  private DurableSortedMap<String, String> sortedStrings() {
    return heap.sortedMap("sorted strings", String.class, String.class);
  }

  private DurableSortedMap<String, String> byLength() {
    return heap.sortedMap("by length", String.class, String.class, BY_LENGTH);
  }

  private DurableList<Long> list() {
    return heap.list("list", Long.class);
  }

  private DurableList<String> stringList() {
    return heap.list("strings of a list", String.class);
  }

  private DurableDeque<String> deque() {
    return heap.deque("deque", String.class);
  }

  private DurablePriorityQueue<Long> queue() {
    return heap.priorityQueue("queue", Long.class);
  }

  private DurableArray<String> array() {
    return heap.root("array", DurableArray.of(String.class, ENTRIES));
  }

  private DurableLongArray longs() {
    return heap.root("longs", DurableLongArray.ofLength(100_000));
  }

  private Person person() {
    return heap.object("person", Person.class);
  }

  private void fillCollections() {
    DurableSet<Long> set = heap.set("set", Long.class);
    DurableSortedSet<String> sortedSet = heap.sortedSet("sorted set", String.class);
    for (long i = 0; i < ENTRIES; i++) {
      words().put(i, i);
      strings().put("key " + i, value(i));
      sorted().put(i, i);
      sortedStrings().put("key " + i, value(i));
      byLength().put("key " + i, value(i));
      set.add(i);
      sortedSet.add("element " + i);
    }
  }

  private void fillSequences() {
    DurableReference<String> reference = heap.root("reference", DurableReference.of(String.class));
    for (long i = 0; i < ENTRIES; i++) {
      list().add(i);
      stringList().add(value(i));
      deque().add(value(i));
      queue().add(i * 7919 % ENTRIES);
      array().set(i, value(i));
    }
    longs().fill(7);
    heap.root("text", DurableText.of()).append(LONG_TEXT);
    heap.root("bytes", DurableBytes.of()).append(new byte[200_000]);
    heap.root("number", DurableAtomicLong.of(7));
    heap.root("counter", DurableCounter.of()).add(7);
    reference.set(LONG_TEXT);
    heap.block("block", 1000).setLong(8, 7);
  }

  private void fillObjects() {
    DurableMap<String, Person> people = heap.map("people", String.class, Person.class);
    Person last = person();
    for (int i = 0; i < ENTRIES; i++) {
      Person next = heap.create(Person.class);
      next.id(i);
      next.age(i);
      next.name(value(i));
      last.friend(next);
      people.put("person " + i, next);
      last = next;
    }
    person().name("first");
    person().numbers(heap.create(DurableList.of(Long.class)));
    person().numbers().addAll(List.of(1L, 2L, 3L));
  }

  private void fillNested() {
    nested("lists", DurableList.of(Long.class)).get("a").addAll(List.of(1L, 2L));
    nested("deques", DurableDeque.of(String.class)).get("a").add("x");
    nested("queues", DurablePriorityQueue.of(Long.class)).get("a").add(1L);
    nested("maps", DurableMap.of(Long.class, Long.class)).get("a").put(1L, 2L);
    nested("sets", DurableSet.of(Long.class)).get("a").add(1L);
    nested("sorted maps", DurableSortedMap.of(Long.class, Long.class)).get("a").put(1L, 2L);
    nested("sorted sets", DurableSortedSet.of(Long.class)).get("a").add(1L);
    nested("numbers", DurableAtomicLong.of(7));
    nested("counters", DurableCounter.of());
    nested("references", DurableReference.of(String.class)).get("a").set("x");
    nested("texts", DurableText.of()).get("a").append("x");
    nested("buffers", DurableBytes.of()).get("a").append(new byte[] {1});
    nested("arrays", DurableLongArray.ofLength(10)).get("a").set(1, 1);
    nested("string arrays", DurableArray.of(String.class, 10)).get("a").set(1, "x");
  }

  /** A map of structures, with one of them if it is made now. */
  private <S extends Structure> DurableMap<String, S> nested(String name, Shape<S> shape) {
    boolean fresh = !heap.contains(name);
    DurableMap<String, S> map = heap.root(name, DurableMap.of(String.class, shape));
    if (fresh) {
      map.put("a", heap.create(shape));
    }
    return map;
  }

  // ---- What reads it ------------------------------------------------------------------------

  private void addMaps() {
    DurableMap<Long, Long> words = words();
    DurableMap<String, String> strings = strings();
    DurableSet<Long> set = heap.set("set", Long.class);
    reads.put("map.get", () -> words.get(7L));
    reads.put("map.containsKey", () -> words.containsKey(7L));
    reads.put("map.size", words::size);
    reads.put("map.forEach", () -> sum(words.values()));
    reads.put("map.iterator", () -> count(words.entrySet().iterator()));
    reads.put("map.stream", () -> words.values().parallelStream().mapToLong(v -> v).sum());
    reads.put("map of strings.get", () -> strings.get("key 8"));
    reads.put("map of strings.get, large", () -> strings.get("key 7"));
    reads.put("map of strings.iterator", () -> count(strings.values().iterator()));
    reads.put("set.contains", () -> set.contains(7L));
    reads.put("set.iterator", () -> count(set.iterator()));
    reads.put("heap.map", () -> words().get(7L));
    reads.put("heap.set", () -> heap.set("set", Long.class).contains(7L));
  }

  private void addSorted() {
    DurableSortedMap<Long, Long> sorted = sorted();
    DurableSortedMap<String, String> strings = sortedStrings();
    DurableSortedMap<String, String> byLength = byLength();
    DurableSortedSet<String> set = heap.sortedSet("sorted set", String.class);
    reads.put("sorted.get", () -> sorted.get(7L));
    reads.put("sorted.containsKey", () -> sorted.containsKey(7L));
    reads.put("sorted.size", sorted::size);
    reads.put("sorted.firstEntry", sorted::firstEntry);
    reads.put("sorted.floorKey", () -> sorted.floorKey(100L));
    reads.put("sorted.iterator", () -> count(sorted.entrySet().iterator()));
    reads.put("sorted.descending", () -> count(sorted.descendingKeySet().iterator()));
    reads.put("sorted.subMap", () -> sorted.subMap(10L, 200L).size());
    reads.put("sorted.stream", () -> sorted.values().parallelStream().mapToLong(v -> v).sum());
    reads.put("sorted strings.get", () -> strings.get("key 8"));
    reads.put("sorted strings.get, large", () -> strings.get("key 7"));
    reads.put("sorted strings.iterator", () -> count(strings.values().iterator()));
    reads.put("sorted strings.higherEntry", () -> strings.higherEntry("key 2"));
    reads.put("by length.get", () -> byLength.get("key 8"));
    reads.put("by length.iterator", () -> count(byLength.values().iterator()));
    reads.put("sorted set.contains", () -> set.contains("element 7"));
    reads.put("sorted set.iterator", () -> count(set.iterator()));
    reads.put("heap.sortedMap", () -> sorted().get(7L));
    reads.put("heap.sortedSet", () -> heap.sortedSet("sorted set", String.class).first());
  }

  private void addSequences() {
    DurableList<Long> list = list();
    DurableList<String> strings = stringList();
    DurableDeque<String> deque = deque();
    DurablePriorityQueue<Long> queue = queue();
    DurableArray<String> array = array();
    DurableLongArray longs = longs();
    reads.put("list.get", () -> list.get(7));
    reads.put("list.size", list::size);
    reads.put("list.iterator", () -> count(list.iterator()));
    reads.put("list.stream", () -> list.parallelStream().mapToLong(v -> v).sum());
    reads.put("list.indexOf", () -> list.indexOf(100L));
    reads.put("list of strings.get", () -> strings.get(7));
    reads.put("list of strings.iterator", () -> count(strings.iterator()));
    reads.put("deque.peekFirst", deque::peekFirst);
    reads.put("deque.size", deque::size);
    reads.put("deque.iterator", () -> count(deque.iterator()));
    reads.put("queue.peek", queue::peek);
    reads.put("queue.iterator", () -> count(queue.iterator()));
    reads.put("array.get", () -> array.get(8));
    reads.put("array.get, large", () -> array.get(7));
    reads.put("longs.get", () -> longs.get(70_000));
    reads.put("longs.toArray", () -> LongStream.of(longs.toArray(0, 100_000)).sum());
    reads.put("heap.list", () -> list().get(7));
    reads.put("heap.deque", () -> deque().size());
    reads.put("heap.priorityQueue", () -> queue().size());
    reads.put("heap.root, array", () -> array().length());
    reads.put("heap.root, longs", () -> longs().length());
  }

  private void addCells() {
    DurableText text = heap.root("text", DurableText.of());
    DurableBytes bytes = heap.root("bytes", DurableBytes.of());
    DurableAtomicLong number = heap.root("number", DurableAtomicLong.of(7));
    DurableCounter counter = heap.root("counter", DurableCounter.of());
    DurableReference<String> reference = heap.root("reference", DurableReference.of(String.class));
    Block block = heap.block("block", 1000);
    reads.put("text.toString", text::toString);
    reads.put("text.charAt", () -> text.charAt(50_000));
    reads.put("bytes.toArray", () -> bytes.toArray().length);
    reads.put("number.get", number::get);
    reads.put("counter.sum", counter::sum);
    reads.put("reference.get", reference::get);
    reads.put("block.getLong", () -> block.getLong(8));
    reads.put("block.getLong, in two words", () -> block.getLong(5));
    reads.put(
        "block.copyTo",
        () -> {
          byte[] copy = new byte[1000];
          block.copyTo(0, copy, 0, copy.length);
          return (int) copy[8];
        });
    reads.put("blocks.at", () -> heap.blocks().at(block.handle()).size());
    reads.put("blocks.isValid", () -> heap.blocks().isValid(block.handle()));
    reads.put("heap.root, text", () -> heap.root("text", DurableText.of()).length());
    reads.put("heap.root, bytes", () -> heap.root("bytes", DurableBytes.of()).length());
    reads.put("heap.root, number", () -> heap.root("number", DurableAtomicLong.of(7)).get());
    reads.put("heap.root, counter", () -> heap.root("counter", DurableCounter.of()).sum());
    reads.put(
        "heap.root, reference",
        () -> heap.root("reference", DurableReference.of(String.class)).get());
    UnloggedRegion region = heap.region("region", 1 << 16);
    region.setLong(8, 7);
    reads.put("region.getLong", () -> region.getLong(8));
    reads.put("region.getInt", () -> region.getInt(8));
    reads.put(
        "region.copyTo",
        () -> {
          byte[] copy = new byte[1 << 16];
          region.copyTo(0, MemorySegment.ofArray(copy), 0, copy.length);
          return (int) copy[8];
        });
    reads.put("heap.region", () -> heap.region("region", 1 << 16).size());
    reads.put("heap.block", () -> heap.block("block", 1000).getLong(8));
  }

  private void addObjects() {
    DurableMap<String, Person> people = heap.map("people", String.class, Person.class);
    Person person = people.get("person 7");
    reads.put("object.long", person::id);
    reads.put("object.int", person::age);
    reads.put("object.String", person::name);
    reads.put("object.reference", () -> person.friend().id());
    reads.put("object.chain", () -> chain(person()));
    reads.put("object.structure", () -> person().numbers().size());
    reads.put("object in a map", () -> people.get("person 9").name());
    reads.put("objects of a map", () -> count(people.values().iterator()));
    reads.put("heap.object", () -> person().name());
  }

  private void addNested() {
    reads.put("list in a map", () -> nested("lists", DurableList.of(Long.class)).get("a").size());
    reads.put(
        "deque in a map", () -> nested("deques", DurableDeque.of(String.class)).get("a").size());
    reads.put(
        "queue in a map",
        () -> nested("queues", DurablePriorityQueue.of(Long.class)).get("a").peek());
    reads.put(
        "map in a map",
        () -> nested("maps", DurableMap.of(Long.class, Long.class)).get("a").get(1L));
    reads.put("set in a map", () -> nested("sets", DurableSet.of(Long.class)).get("a").size());
    reads.put(
        "sorted map in a map",
        () -> nested("sorted maps", DurableSortedMap.of(Long.class, Long.class)).get("a").get(1L));
    reads.put(
        "sorted set in a map",
        () -> nested("sorted sets", DurableSortedSet.of(Long.class)).get("a").first());
    reads.put("number in a map", () -> nested("numbers", DurableAtomicLong.of(7)).get("a").get());
    reads.put("counter in a map", () -> nested("counters", DurableCounter.of()).get("a").sum());
    reads.put(
        "reference in a map",
        () -> nested("references", DurableReference.of(String.class)).get("a").get());
    reads.put("text in a map", () -> nested("texts", DurableText.of()).get("a").toString());
    reads.put("bytes in a map", () -> nested("buffers", DurableBytes.of()).get("a").length());
    reads.put(
        "array in a map", () -> nested("arrays", DurableLongArray.ofLength(10)).get("a").get(1));
    reads.put(
        "string array in a map",
        () -> nested("string arrays", DurableArray.of(String.class, 10)).get("a").get(1));
  }

  private void addHeap() {
    DurableMap<Long, Long> words = words();
    DurableSortedMap<Long, Long> sorted = sorted();
    reads.put("heap.read", () -> heap.read(() -> words.get(7L) + sorted.get(7L) + words.size()));
    reads.put("heap.names", heap::names);
    reads.put("heap.roots", heap::roots);
    reads.put("heap.types", heap::types);
    reads.put("heap.contains", () -> heap.contains("words"));
    reads.put("heap.compare", () -> heap.compare(Person.class).toString());
    reads.put("heap.stats", () -> heap.stats().formatVersion());
    for (String name : List.copyOf(heap.names())) {
      reads.put("heap.entries of " + name, () -> count(heap.entries(name).iterator()));
    }
    reads.put(
        "heap.map, codecs", () -> heap.map("words", Codecs.LONG, Codecs.LONG).getOrDefault(7L, 0L));
  }

  private static long sum(Iterable<Long> values) {
    List<Long> all = new ArrayList<>();
    values.forEach(all::add);
    return all.stream().mapToLong(v -> v).sum();
  }

  private static int count(Iterator<?> iterator) {
    int count = 0;
    while (iterator.hasNext()) {
      iterator.next();
      count++;
    }
    return count;
  }

  private static long chain(Person first) {
    long sum = 0;
    for (Person p = first; p != null; p = p.friend()) {
      sum += p.id();
    }
    return sum;
  }
}
