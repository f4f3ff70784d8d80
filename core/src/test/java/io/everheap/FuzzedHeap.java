package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.everheap.collection.DurableWorkQueue;
import io.everheap.durable.Durable;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.HeapCopy;
import io.everheap.heap.HeapSettings;
import io.everheap.support.fuzz.Directories;
import io.everheap.support.fuzz.Form;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A small heap with a structure of every kind, for fuzzers: what is stored in it, in stages, and
 * calls that read and change all of it.
 */
public final class FuzzedHeap {
  /** The key of encrypted ones. */
  public static final KeyProvider KEY = KeyProvider.of(new byte[32]);

  /** Commits after the checkpoint of the heaps that were killed. */
  static final int STAGES = 3;

  private static final int ENTRIES = 120;
  private static final String LARGE = "text, ".repeat(30_000);

  /** An object with a word, a value and references. */
  @Durable
  public interface Person {
    long id();

    void id(long value);

    @Nullable String name();

    void name(@Nullable String value);

    @Nullable Person friend();

    void friend(@Nullable Person value);

    @Nullable DurableList<Long> numbers();

    void numbers(@Nullable DurableList<Long> value);
  }

  private final Heap heap;

  FuzzedHeap(Heap heap) {
    this.heap = heap;
  }

  /**
   * Makes the zip files of the corpus that are missing.
   *
   * @param arguments the directory of the corpus
   */
  public static void main(String[] arguments) throws IOException {
    Path to = Files.createDirectories(Path.of(arguments[0], "heap"));
    Path heap = Files.createTempDirectory("fuzz").resolve("heap");
    make(heap, false);
    for (String state : List.of("closed", "killed")) {
      Path zip = to.resolve(state + ".zip");
      if (!Files.exists(zip)) {
        Path from = state.equals("closed") ? heap : killed(heap);
        Files.write(zip, Form.FILES.format(Directories.read(from)));
      }
    }
  }

  /** Makes a closed heap, and {@link #killed} beside it. */
  static void make(Path directory, boolean encrypted) {
    try (Heap heap = builder(directory, encrypted, TestHeaps.manual()).open()) {
      var filled = new FuzzedHeap(heap);
      filled.fill();
      if (!encrypted) {
        heap.region("region", 1 << 16).setLong(8, 7);
        Backups.in(directory.resolveSibling("backups")).take(heap); // makes the file "changed"
      }
      heap.checkpoint();
      for (int stage = 1; stage <= STAGES; stage++) {
        filled.change(stage);
      }
      HeapCopy.killed(directory, killed(directory));
    }
  }

  /** What a kill would have left of a heap. */
  static Path killed(Path directory) {
    return directory.resolveSibling(directory.getFileName() + "-killed");
  }

  /** A builder of heaps whose commits wait for no disk. */
  static HeapBuilder builder(Path directory, boolean encrypted) {
    return builder(
        directory,
        encrypted,
        TestHeaps.options(1L << 30, 1L << 28, TestHeaps.HOUR, false, TestHeaps.HOUR, false));
  }

  private static HeapBuilder builder(Path directory, boolean encrypted, EngineOptions options) {
    HeapBuilder builder =
        HeapSettings.options(Heap.builder(directory), options).lookup(MethodHandles.lookup());
    return encrypted ? builder.encrypt(KEY) : builder;
  }

  // ---- What there is ------------------------------------------------------------------------

  private DurableMap<Long, Long> words() {
    return heap.map("words", Long.class, Long.class);
  }

  private DurableMap<String, String> strings() {
    return heap.map("strings", String.class, String.class);
  }

  private DurableSet<String> set() {
    return heap.set("set", String.class);
  }

  private DurableSortedMap<String, String> sorted() {
    return heap.sortedMap("sorted", String.class, String.class);
  }

  private DurableSortedSet<Long> sortedSet() {
    return heap.sortedSet("sorted set", Long.class);
  }

  private DurableList<String> list() {
    return heap.list("list", String.class);
  }

  private DurableDeque<String> deque() {
    return heap.deque("deque", String.class);
  }

  private DurablePriorityQueue<Long> queue() {
    return heap.priorityQueue("queue", Long.class);
  }

  private DurableWorkQueue<String> jobs() {
    return heap.root("jobs", DurableWorkQueue.of(String.class));
  }

  private DurableArray<String> array() {
    return heap.root("array", DurableArray.of(String.class, 20));
  }

  private DurableLongArray longs() {
    return heap.root("longs", DurableLongArray.ofLength(3000));
  }

  private DurableText text() {
    return heap.root("text", DurableText.of());
  }

  private DurableBytes bytes() {
    return heap.root("bytes", DurableBytes.of());
  }

  private DurableReference<String> reference() {
    return heap.root("reference", DurableReference.of(String.class));
  }

  private DurableMap<String, DurableList<Long>> nested() {
    return heap.root("nested", DurableMap.of(String.class, DurableList.of(Long.class)));
  }

  private Person person() {
    return heap.object("person", Person.class);
  }

  /** A large one now and then. */
  private static String value(long i) {
    return i == 7 ? LARGE : i % 10 == 3 ? "a long value ".repeat(300) + i : "value " + i;
  }

  /** Stores what the checkpoint has. */
  void fill() {
    heap.transact(
        () -> {
          for (long i = 0; i < ENTRIES; i++) {
            words().put(i, -i);
            set().add("element " + i);
            sorted().put("key " + i, "value " + i);
            sortedSet().add(i * 31 % ENTRIES);
            queue().add(i * 7919 % ENTRIES);
          }
          for (int i = 0; i < 20; i++) {
            strings().put("key " + i, value(i));
            list().add(value(i));
            deque().add("value " + i);
            jobs().add("job " + i);
            array().set(i, value(i));
          }
          longs().fill(7);
          text().append(LARGE);
          bytes().append(new byte[9000]);
          reference().set("a value ".repeat(1000));
          heap.root("number", DurableAtomicLong.of(7));
          heap.root("counter", DurableCounter.of()).add(7);
          heap.block("block", 1000).setLong(8, 7);
          heap.map("none", Long.class, Long.class);
        });
    heap.transact(
        () -> {
          Person last = person();
          last.name("first");
          last.numbers(heap.create(DurableList.of(Long.class)));
          for (int i = 0; i < 10; i++) {
            Person next = heap.create(Person.class);
            next.id(i);
            next.name(value(i));
            last.friend(next);
            last = next;
          }
          DurableList<Long> inner = heap.create(DurableList.of(Long.class));
          inner.addAll(List.of(1L, 2L, 3L));
          nested().put("a", inner);
        });
    heap.transact(() -> jobs().tryLease(Duration.ofDays(70_000)));
    DurableMap<Long, String> pending = heap.map("pending", Long.class, String.class);
    heap.transact(
        () -> {
          for (long i = 0; i < 5000; i++) {
            pending.put(i, "v");
          }
        });
    heap.checkpoint();
    heap.remove("pending"); // too much for one transaction: stays on the list
  }

  /** A commit after the checkpoint, which changes something of every kind. */
  void change(int stage) {
    heap.transact(
        () -> {
          words().put(1000L + stage, 1L);
          words().put((long) stage, 1L);
          strings().put("new " + stage, value(stage));
          strings().remove("key " + (10 + stage));
          set().remove("element " + stage);
          sorted().put("key 5" + stage, "changed");
          sorted().remove("key 1" + stage);
          sortedSet().add(1000L + stage);
          list().addFirst("new " + stage);
          list().removeLast();
          deque().pollFirst();
          queue().poll();
          jobs().add("new " + stage);
          array().set(stage, "changed");
          longs().set(stage, stage);
          text().append("end " + stage);
          reference().set("stage " + stage);
          person().name("name " + stage);
          nested().computeIfPresent("a", (key, list) -> added(list, stage));
        });
  }

  private static DurableList<Long> added(DurableList<Long> list, long element) {
    list.add(element);
    return list;
  }

  // ---- Reading ------------------------------------------------------------------------------

  /** The calls that read it all, in both directions where there are two. */
  Map<String, Callable<Object>> reads() {
    Map<String, Callable<Object>> reads = new LinkedHashMap<>();
    reads.put("names", () -> heap.names().stream().sorted().toList());
    reads.put("contains", () -> heap.contains("words") + " " + heap.contains("nothing"));
    reads.put("roots", () -> heap.roots().size());
    reads.put("types", () -> heap.types().size());
    reads.put("words", () -> new LinkedHashMap<>(words()));
    for (long i = 0; i < ENTRIES; i += 7) {
      long key = i;
      reads.put("word " + i, () -> String.valueOf(words().get(key)));
    }
    reads.put("size", () -> words().size() + strings().size() + set().size() + sorted().size());
    reads.put("strings", () -> new LinkedHashMap<>(strings()));
    reads.put("string", () -> String.valueOf(strings().get("key 7")));
    reads.put("set", () -> set().stream().sorted().toList());
    reads.put("sorted", () -> new LinkedHashMap<>(sorted()));
    reads.put("sorted, descending", () -> listOf(sorted().descendingMap().values()));
    reads.put("sorted, part", () -> listOf(sorted().subMap("key 2", "key 5").keySet()));
    reads.put("sorted, get", () -> String.valueOf(sorted().get("key 77")));
    reads.put("sorted, last", () -> String.valueOf(sorted().lastEntry()));
    reads.put("sorted set", () -> listOf(sortedSet()));
    reads.put("sorted set, descending", () -> listOf(sortedSet().descendingSet()));
    reads.put("list", () -> listOf(list()));
    reads.put(
        "list, backwards",
        () -> {
          List<String> all = new ArrayList<>();
          for (var each = list().listIterator(list().size()); each.hasPrevious(); ) {
            all.add(each.previous());
          }
          return all;
        });
    reads.put("deque", () -> listOf(deque()));
    reads.put(
        "deque, backwards",
        () -> {
          List<String> all = new ArrayList<>();
          deque().descendingIterator().forEachRemaining(all::add);
          return all;
        });
    reads.put("queue", () -> queue().stream().sorted().toList());
    reads.put("jobs", () -> listOf(jobs()));
    reads.put("array", () -> IntStream.range(0, 20).mapToObj(array()::get).toList());
    reads.put("longs", () -> longs().stream().sum());
    reads.put("text", () -> text().toString());
    reads.put("bytes", () -> bytes().toArray().length);
    reads.put("reference", () -> String.valueOf(reference().get()));
    reads.put("number", () -> heap.root("number", DurableAtomicLong.of(7)).get());
    reads.put("counter", () -> heap.root("counter", DurableCounter.of()).sum());
    reads.put("block", () -> heap.block("block", 1000).getLong(8));
    reads.put("nested", () -> listOfNullable(nested().get("a")));
    reads.put(
        "people",
        () -> {
          List<String> all = new ArrayList<>();
          Person each = person();
          for (int i = 0; each != null && i < 100; i++) {
            all.add(each.id() + " " + each.name());
            each = each.friend();
          }
          return all;
        });
    reads.put("person's numbers", () -> listOfNullable(person().numbers()));
    return reads;
  }

  private static List<Object> listOfNullable(@Nullable Iterable<?> elements) {
    return elements == null ? List.of() : listOf(elements);
  }

  private static List<Object> listOf(Iterable<?> elements) {
    List<Object> list = new ArrayList<>();
    elements.forEach(list::add);
    return list;
  }

  /** The results of all reads. */
  Map<String, Object> results() throws Exception {
    Map<String, Object> results = new LinkedHashMap<>();
    for (var read : reads().entrySet()) {
      results.put(read.getKey(), read.getValue().call());
    }
    return results;
  }

  /** Reads all regions, and all roots by the types that are stored with them. */
  void listed() {
    heap.regions().forEach(name -> heap.region(name, 1 << 16).getLong(8));
    for (String name : heap.names()) {
      try {
        heap.entries(name).forEach(entry -> {});
      } catch (IllegalArgumentException e) {
        // a damaged map may list a name that it does not find, which no caller could have known
        assertThat(e).hasMessage("no root named " + name);
      }
    }
  }

  // ---- Writing ------------------------------------------------------------------------------

  /**
   * Calls that would store something new if what is stored were taken for absent. Each returns
   * whether it was.
   */
  List<Callable<Boolean>> absences() {
    List<Callable<Boolean>> calls = new ArrayList<>();
    for (String name : List.of("words", "strings", "set", "sorted", "list", "person", "nested")) {
      calls.add(() -> !heap.contains(name));
    }
    calls.add(() -> heap.contains("nothing"));
    for (long i = 20; i < 40; i++) {
      long key = i;
      calls.add(() -> words().putIfAbsent(key, key) == null);
      calls.add(() -> set().add("element " + key));
      calls.add(() -> sorted().putIfAbsent("key " + key, "new") == null);
      calls.add(() -> sortedSet().add(key));
    }
    calls.add(() -> strings().putIfAbsent("key 3", "new") == null);
    return calls;
  }

  private void removeNested() {
    DurableList<Long> removed = nested().remove("a");
    if (removed != null) {
      heap.freeDeep(removed);
    }
  }

  /** Calls that change all of it. */
  List<Runnable> writes() {
    return List.of(
        () -> change(4),
        () -> words().keySet().removeIf(key -> key % 3 == 0),
        () -> strings().replaceAll((key, value) -> value + value),
        () ->
            heap.transact(
                () -> {
                  for (long i = 1000; i < 1400; i++) {
                    words().put(i, i);
                    sortedSet().add(i);
                  }
                }),
        () -> sorted().subMap("key 3", "key 6").clear(),
        () -> list().remove("value 5"),
        () -> list().subList(2, 6).clear(),
        () -> deque().removeLast(),
        () -> queue().poll(),
        () -> jobs().tryLease(Duration.ofHours(1)),
        () -> array().set(7, "x"),
        () -> text().delete(100, 20_000),
        () -> bytes().clear(),
        () -> reference().set(null),
        () -> person().friend(null),
        () -> strings().clear(),
        this::removeNested,
        () -> heap.map("new", String.class, int[].class).put("x", new int[2000]),
        heap::collect,
        () -> heap.remove("strings"),
        () -> heap.remove("words"),
        heap::checkpoint,
        heap::shrink,
        () -> heap.transact(() -> heap.map("more", Long.class, Long.class).put(1L, 1L)));
  }
}
