package io.everheap.testkit.error;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.heap.OpenHeap;
import io.everheap.testkit.error.HeapContents.Person;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The programs on heaps. */
final class HeapPrograms {
  /** Storage and durability. */
  enum Setup {
    FILE_SYNC,
    FILE_ASYNC,
    DAX
  }

  private final Setup setup;

  HeapPrograms(Setup setup) {
    this.setup = setup;
  }

  /** The programs by name. */
  Map<String, Program<Heap>> all() {
    Map<String, Program<Heap>> all = new LinkedHashMap<>();
    all.put("map", map());
    all.put("sorted map", sortedMap());
    all.put("list", list());
    all.put("deque", deque());
    all.put("objects", objects());
    all.put("nested", nested());
    all.put("caught", caught());
    all.put("hooks", hooks());
    all.put("reads", reads());
    all.put("async", async());
    all.put("checkpoint", checkpoint());
    all.put("growth", growth());
    all.put("collect", collect());
    all.put("recovery", recovery());
    all.put("waits", waits());
    return all;
  }

  /** Programs that errors strike in threads of the library. */
  Map<String, Program<Heap>> inTheBackground() {
    Map<String, Program<Heap>> all = new LinkedHashMap<>();
    all.put("background", background());
    return all;
  }

  private Durability durability() {
    return setup == Setup.FILE_ASYNC ? Durability.async(Duration.ofMinutes(30)) : Durability.SYNC;
  }

  private static SimulatedMedium empty(Setup setup) {
    return setup == Setup.DAX ? SimulatedMedium.dax(7) : SimulatedMedium.file(7);
  }

  private HeapProgram program() {
    return new HeapProgram(() -> empty(setup), durability());
  }

  /** Begins with what another program left when it was killed. */
  private HeapProgram after(HeapProgram first) {
    return new HeapProgram(killed(first), durability());
  }

  private static Supplier<SimulatedMedium> killed(HeapProgram first) {
    var image =
        new Object() {
          io.everheap.testkit.machine.CrashImage left;
        };
    return () -> {
      synchronized (image) {
        if (image.left == null) {
          SimulatedMedium medium = first.medium();
          Heap heap = first.open(medium);
          for (int step = 0; step < first.steps(); step++) {
            try {
              first.step(heap, step, -1);
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
          image.left = medium.image();
          heap.close();
        }
        return image.left.processKill();
      }
    };
  }

  private static DurableMap<Integer, String> map(Heap heap) {
    return heap.map("map", Integer.class, String.class);
  }

  private static DurableMap<Integer, byte[]> large(Heap heap) {
    return heap.map("large", Integer.class, byte[].class);
  }

  private static DurableSortedMap<String, Integer> sorted(Heap heap) {
    return heap.sortedMap("sorted", String.class, Integer.class);
  }

  private static DurableList<String> list(Heap heap) {
    return heap.list("list", String.class);
  }

  private static DurableDeque<String> deque(Heap heap) {
    return heap.deque("deque", String.class);
  }

  private static DurableMap<Integer, Person> people(Heap heap) {
    return heap.map(HeapContents.PEOPLE, Integer.class, Person.class);
  }

  private HeapProgram map() {
    return after(
            program()
                .step(h -> h.transact(() -> fill(h, 0, 24)))
                .step(h -> large(h).put(1, new byte[9000])))
        .step(h -> map(h).put(100, "new"))
        .step(h -> map(h).put(1, "replaced by a text that is longer than the one before"))
        .step(h -> map(h).remove(2))
        .step(h -> map(h).compute(3, (k, v) -> v + " computed"))
        .step(h -> map(h).putIfAbsent(101, "absent"))
        .step(h -> map(h).putIfAbsent(101, "not absent"))
        .step(h -> map(h).merge(4, "merged", String::concat))
        .step(h -> h.transact(() -> fill(h, 200, 260))) // the table grows
        .step(h -> large(h).put(1, new byte[20000]))
        .step(h -> map(h).clear());
  }

  private static void fill(Heap heap, int from, int to) {
    for (int i = from; i < to; i++) {
      map(heap).put(i, "value " + i);
    }
  }

  private HeapProgram sortedMap() {
    return after(
            program()
                .step(
                    h ->
                        h.transact(
                            () -> {
                              for (int i = 0; i < 150; i++) {
                                sorted(h).put("key number " + i, i);
                              }
                            })))
        .step(h -> sorted(h).put("key number 77a", 1))
        .step(h -> sorted(h).put("key number 5", 1))
        .step(h -> sorted(h).remove("key number 6"))
        .step(h -> sorted(h).pollFirstEntry())
        .step(h -> sorted(h).compute("key number 9", (k, v) -> v == null ? 1 : v + 1))
        .step(
            h ->
                h.transact(
                    () -> {
                      for (int i = 0; i < 60; i++) {
                        sorted(h).put("key number 3" + i, i); // leaves split
                      }
                    }))
        .step(h -> sorted(h).headMap("key number 3", true).clear());
  }

  private HeapProgram list() {
    return after(program().step(h -> h.transact(() -> add(h, 200))))
        .step(h -> list(h).add("last"))
        .step(h -> list(h).add(1, "second"))
        .step(h -> list(h).set(3, "replaced"))
        .step(h -> list(h).remove(4))
        .step(h -> h.transact(() -> add(h, 100)))
        .step(h -> list(h).subList(10, 150).clear());
  }

  private static void add(Heap heap, int count) {
    for (int i = 0; i < count; i++) {
      list(heap).add("element " + i);
    }
  }

  private HeapProgram deque() {
    return after(program().step(h -> deque(h).add("first")))
        .step(h -> deque(h).addFirst("zeroth"))
        .step(h -> deque(h).addLast("second"))
        .step(h -> deque(h).pollFirst())
        .step(
            h ->
                h.transact(
                    () -> {
                      for (int i = 0; i < 100; i++) {
                        deque(h).addLast("element " + i);
                      }
                    }))
        .step(h -> deque(h).pollLast())
        .step(h -> deque(h).removeFirstOccurrence("element 50"))
        .step(h -> deque(h).clear());
  }

  private HeapProgram objects() {
    return after(program().step(h -> person(h, 1)))
        .step(h -> person(h, 2))
        .step(h -> people(h).get(1).age(77))
        .step(h -> people(h).get(1).name("a name that is longer than the one before"))
        .step(h -> people(h).get(1).friend(people(h).get(2)))
        .step(
            h ->
                h.transact(
                    () -> {
                      people(h).get(2).age(5);
                      people(h).get(2).name(null);
                    }))
        .step(
            h ->
                h.transact(
                    () -> {
                      people(h).get(1).friend(null);
                      Person gone = people(h).remove(2);
                      h.free(gone);
                    }));
  }

  private static void person(Heap heap, int key) {
    heap.transact(
        () -> {
          Person person =
              heap.create(
                  Person.class,
                  p -> {
                    p.age(key);
                    p.name("person " + key);
                  });
          people(heap).put(key, person);
        });
  }

  /** Leaves a block and ends the transaction or the savepoint. */
  private static final class Rollback extends Exception {
    private static final long serialVersionUID = 1;
  }

  private static void rolledBack(Heap heap, HeapProgram.WholeStep body) throws Exception {
    try {
      heap.transact(
          () -> {
            body.run(heap);
            throw new Rollback();
          });
    } catch (Rollback e) {
      // as wanted
    }
  }

  private HeapProgram nested() {
    return after(program().step(h -> h.transact(() -> fill(h, 0, 24))).step(h -> person(h, 1)))
        .step(
            h ->
                h.transact(
                    () -> {
                      map(h).put(1, "outer");
                      list(h).add("outer");
                      rolledBack(
                          h,
                          in -> {
                            map(in).put(1, "inner");
                            map(in).remove(2);
                            list(in).add("inner");
                            sorted(in).put("inner", 1);
                            deque(in).add("inner");
                            person(in, 2);
                            large(in).put(1, new byte[5000]);
                          });
                      sorted(h).put("outer", 1);
                      h.transact(() -> map(h).put(3, "kept"));
                      deque(h).add("outer");
                    }))
        .step(
            h ->
                rolledBack(
                    h,
                    in -> {
                      fill(in, 300, 350);
                      map(in).remove(3);
                      list(in).add("gone");
                      person(in, 3);
                      h.transact(() -> sorted(in).put("gone", 2));
                      in.transaction().onAbort(() -> {});
                    }));
  }

  /** An error is caught inside the transaction, which goes on. */
  private HeapProgram caught() {
    return after(
            program()
                .step(h -> h.transact(() -> fill(h, 0, 24)))
                .step(h -> person(h, 1))
                .step(h -> sorted(h).put("a", 1))
                .step(h -> list(h).add("a"))
                .step(h -> deque(h).add("a")))
        .step(
            8,
            (h, skipped) ->
                h.transact(
                    () -> {
                      guarded(0, skipped, () -> map(h).put(1, "caught"));
                      guarded(1, skipped, () -> map(h).remove(2));
                      guarded(2, skipped, () -> sorted(h).put("b", 1));
                      guarded(3, skipped, () -> list(h).add("b"));
                      guarded(4, skipped, () -> deque(h).add("b"));
                      guarded(5, skipped, () -> people(h).get(1).name("caught"));
                      guarded(6, skipped, () -> person(h, 2));
                      guarded(7, skipped, () -> sorted(h).remove("a"));
                      sorted(h).put("c", 1);
                      list(h).add("c");
                      deque(h).add("c");
                      people(h).get(1).age(88);
                      map(h).put(5, "caught");
                    }));
  }

  private static void guarded(int number, int skipped, Runnable operation) {
    if (number == skipped) {
      return;
    }
    try {
      operation.run();
    } catch (StackOverflowError | OutOfMemoryError | Kind.StruckError e) {
      if (Thread.currentThread().getThreadGroup() instanceof Strike strike) {
        strike.disarm();
      }
    }
  }

  private HeapProgram hooks() {
    return program()
        .step(
            h ->
                h.transact(
                    () -> {
                      map(h).put(1, "hooked");
                      h.transaction().onCommit(() -> map(h).get(1));
                      rolledBack(
                          h,
                          in -> {
                            map(in).put(2, "gone");
                            in.transaction().onAbort(() -> map(in).get(2));
                          });
                    }))
        .step(h -> h.sync())
        .step(h -> h.transact(Durability.SYNC, () -> map(h).put(3, "sync")))
        .step(h -> h.sync());
  }

  @SuppressWarnings("ReturnValueIgnored") // what they read does not matter
  private HeapProgram reads() {
    return after(
            program()
                .step(h -> h.transact(() -> fill(h, 0, 24)))
                .step(h -> person(h, 1))
                .step(h -> sorted(h).put("a", 1))
                .step(h -> list(h).add("a"))
                .step(h -> deque(h).add("a")))
        .step(h -> h.read(() -> map(h).get(1) + map(h).size() + sorted(h).get("a")))
        .step(h -> map(h).get(1))
        .step(h -> people(h).get(1).name())
        .step(h -> people(h).get(1).age())
        .step(h -> list(h).contains("b"))
        .step(h -> deque(h).peekFirst())
        .step(h -> sorted(h).headMap("b").size())
        .step(h -> map(h).forEach((k, v) -> {}))
        .step(Heap::stats)
        .step(Heap::roots)
        .step(Heap::verify)
        .step(h -> map(h).put(1, "after the reads"));
  }

  private HeapProgram async() {
    return program()
        .step(h -> h.transactAsync(() -> map(h).put(1, "a")).toCompletableFuture().get())
        .step(h -> h.transactAsync(() -> map(h).put(2, "b")).toCompletableFuture().get());
  }

  private HeapProgram checkpoint() {
    return after(program().step(h -> h.transact(() -> fill(h, 0, 24))))
        .step(h -> map(h).put(1, "before"))
        .step(Heap::checkpoint)
        .step(h -> map(h).put(2, "between"))
        .step(h -> h.transact(() -> large(h).put(1, new byte[150_000]))) // segments of the log end
        .step(Heap::checkpoint)
        .step(h -> map(h).put(3, "after"))
        .step(h -> h.transact(() -> large(h).put(2, new byte[150_000])))
        .step(h -> h.transact(() -> large(h).put(3, new byte[150_000])))
        .step(Heap::checkpoint);
  }

  private HeapProgram growth() {
    return after(program().step(h -> map(h).put(1, "a")))
        .step(h -> large(h).put(1, new byte[1_500_000]))
        .step(Heap::checkpoint)
        .step(h -> large(h).remove(1))
        .step(h -> OpenHeap.engine(h).drainHousekeeping())
        .step(Heap::shrink)
        .step(h -> large(h).put(2, new byte[1_500_000]))
        .step(h -> map(h).put(2, "b"));
  }

  private HeapProgram collect() {
    return after(
            program()
                .step(h -> person(h, 1))
                .step(h -> person(h, 2))
                .step(h -> people(h).get(1).friend(people(h).get(2)))
                .step(h -> h.transact(() -> h.create(Person.class, p -> p.age(9))))
                .step(
                    h ->
                        h.transact(
                            () ->
                                h.create(DurableMap.of(Integer.class, String.class))
                                    .put(1, "garbage"))))
        .step(Heap::collect)
        .step(h -> people(h).get(1).friend(null))
        .step(h -> people(h).remove(2))
        .step(Heap::collect)
        .step(h -> person(h, 3));
  }

  private HeapProgram recovery() {
    HeapProgram before =
        program()
            .step(h -> h.transact(() -> fill(h, 0, 24)))
            .step(Heap::checkpoint)
            .step(h -> map(h).put(1, "after the checkpoint"))
            .step(h -> large(h).put(1, new byte[100_000]))
            .step(h -> large(h).remove(1))
            .step(h -> person(h, 1));
    return after(before).strikingOpening().step(h -> map(h).put(2, "after the recovery"));
  }

  /** What a thread that waits leaves behind must keep no commit from going on. */
  private HeapProgram waits() {
    return after(program().step(h -> deque(h).add("first")).step(h -> deque(h).clear()))
        .step(h -> deque(h).pollFirst(2, TimeUnit.MILLISECONDS))
        .step(h -> Program.elsewhere(() -> deque(h).addLast("a")))
        .step(h -> deque(h).pollFirst(1, TimeUnit.MINUTES))
        .step(h -> deque(h).pollFirst(2, TimeUnit.MILLISECONDS))
        .step(h -> deque(h).addLast("b"));
  }

  private HeapProgram background() {
    Durability durability =
        setup == Setup.FILE_ASYNC ? Durability.async(Duration.ofMillis(1)) : Durability.SYNC;
    HeapProgram before = program().step(h -> h.transact(() -> fill(h, 0, 24)));
    HeapProgram program = new HeapProgram(killed(before), durability).background();
    program.strikingOpening();
    for (int i = 0; i < 12; i++) {
      int n = i;
      program.step(h -> large(h).put(n % 3, new byte[60_000 + n]));
      program.step(h -> map(h).put(n, "between"));
    }
    return program.step(Heap::sync).step(h -> OpenHeap.engine(h).drainHousekeeping());
  }
}
