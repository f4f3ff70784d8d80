package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.collection.DurableMap;
import io.everheap.error.ClosedException;
import io.everheap.error.EverheapException;
import io.everheap.heap.HeapSettings;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosedHeapTest {
  private static final int ENTRIES = 2000;

  @TempDir Path temp;
  private Path directory;

  @BeforeEach
  void nameAHeap() {
    directory = temp.resolve("h");
  }

  private Heap openAutomatic() {
    return HeapSettings.options(Heap.builder(directory), TestHeaps.automatic()).open();
  }

  private static void fill(Heap heap) {
    DurableMap<Integer, String> map = TestHeaps.numbers(heap);
    heap.transact(() -> map.putAll(TestHeaps.expected(ENTRIES)));
  }

  @Test
  void theListsOfOperationsNameEveryPublicMethod() {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      Set<String> ofMap = new TreeSet<>(Operations.reads(map).keySet());
      ofMap.addAll(Operations.writes(map).keySet());
      ofMap.addAll(Operations.HARMLESS_OF_MAP);
      assertThat(ofMap).containsAll(Operations.signatures(DurableMap.class));

      Set<String> ofHeap = new TreeSet<>(Operations.reads(heap, map).keySet());
      ofHeap.addAll(Operations.writes(heap, map).keySet());
      ofHeap.addAll(Operations.HARMLESS);
      assertThat(ofHeap).isEqualTo(Operations.signatures(Heap.class));
    }
  }

  @Test
  void everyMethodOfAClosedHeapAndItsMapsSaysSo() {
    Heap heap = openAutomatic();
    fill(heap);
    DurableMap<Integer, String> map = TestHeaps.numbers(heap);
    heap.close();

    Operations.assertAllThrow(
        Operations.all(heap, map),
        ClosedException.class,
        "EH-CLOSED",
        directory.toString(),
        "Heap.open");
    assertThat(heap.isOpen()).isFalse();
    assertThat(heap).hasToString("Heap[" + directory + ", closed]");
    assertThat(heap.durability()).isEqualTo(Durability.SYNC);
    heap.close();
    TestHeaps.assertHolds(directory, ENTRIES);
  }

  @Test
  void everyMethodOfAClosedVolatileHeapSaysSo() {
    Heap heap = Heap.inMemory();
    fill(heap);
    DurableMap<Integer, String> map = TestHeaps.numbers(heap);
    heap.close();
    Operations.assertAllThrow(Operations.all(heap, map), ClosedException.class, "EH-CLOSED");
  }

  @Test
  void everyMethodOfAClosedReadOnlyHeapSaysSo() {
    TestHeaps.create(directory, 10);
    Heap heap = TestHeaps.openReadOnly(directory);
    DurableMap<Integer, String> map = TestHeaps.numbers(heap);
    heap.close();
    Map<String, Callable<?>> reads = Operations.reads(map);
    reads.putAll(Operations.reads(heap, map));
    Operations.assertAllThrow(reads, ClosedException.class, "EH-CLOSED");
    TestHeaps.assertHolds(directory, 10);
  }

  @Test
  void iteratorsViewsAndEntriesEndWithTheirHeap() {
    Heap heap = openAutomatic();
    fill(heap);
    DurableMap<Integer, String> map = TestHeaps.numbers(heap);
    Iterator<Integer> keys = map.keySet().iterator();
    Iterator<String> values = map.values().iterator();
    Iterator<Map.Entry<Integer, String>> entries = map.entrySet().iterator();
    Spliterator<Integer> split = map.keySet().spliterator();
    keys.next();
    values.next();
    Map.Entry<Integer, String> entry = entries.next();
    heap.close();

    for (Callable<?> use :
        List.<Callable<?>>of(
            () -> drain(keys),
            () -> drain(values),
            () -> drain(entries),
            () -> {
              keys.remove();
              return null;
            },
            () -> entry.setValue("x"),
            () -> {
              split.forEachRemaining(k -> {});
              return null;
            })) {
      assertThatExceptionOfType(ClosedException.class)
          .isThrownBy(use::call)
          .returns("EH-CLOSED", EverheapException::code);
    }
    assertThat(entry.getValue()).isEqualTo(TestHeaps.value(entry.getKey()));
    TestHeaps.assertHolds(directory, ENTRIES);
  }

  private static int drain(Iterator<?> iterator) {
    int count = 0;
    while (iterator.hasNext()) {
      iterator.next();
      count++;
    }
    return count;
  }

  @Test
  void closingInsideATransactionIsRefusedAndTheTransactionGoesOn() {
    try (Heap heap = openAutomatic()) {
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      heap.transact(
          () -> {
            map.put(0, TestHeaps.value(0));
            assertThatIllegalStateException()
                .isThrownBy(heap::close)
                .withMessageContaining("inside a transaction");
            map.put(1, TestHeaps.value(1));
          });
      assertThat(heap.isOpen()).isTrue();
      TestHeaps.put(heap, 2, 3);
    }
    TestHeaps.assertHolds(directory, 3);
  }

  @Test
  void closingInsideAReadIsRefusedOrEndsTheRead() {
    Heap heap = openAutomatic();
    TestHeaps.put(heap, 0, 5);
    DurableMap<Integer, String> map = TestHeaps.numbers(heap);
    assertThatExceptionOfType(RuntimeException.class)
        .isThrownBy(
            () ->
                heap.read(
                    () -> {
                      heap.close();
                      return map.get(1);
                    }));
    heap.close();
    TestHeaps.assertHolds(directory, 5);
  }

  @Test
  void closingWaitsForTheTransactionThatRuns() throws Exception {
    Heap heap = openAutomatic();
    DurableMap<Integer, String> map = TestHeaps.numbers(heap);
    Threads.Running<?>[] closing = new Threads.Running<?>[1];
    heap.transact(
        () -> {
          map.put(0, TestHeaps.value(0));
          closing[0] =
              Threads.start(
                  "closing",
                  () -> {
                    heap.close();
                    return null;
                  });
          closing[0].awaitWaiting();
          map.put(1, TestHeaps.value(1));
          heap.transact(() -> map.put(2, TestHeaps.value(2)));
        });
    closing[0].result();
    assertThat(heap.isOpen()).isFalse();
    TestHeaps.assertHolds(directory, 3);
  }

  @Test
  void aTransactionThatWaitsForItsTurnIsToldThatTheHeapWasClosed() throws Exception {
    Heap heap = openAutomatic();
    DurableMap<Integer, String> map = TestHeaps.numbers(heap);
    Threads.Running<?>[] others = new Threads.Running<?>[2];
    heap.transact(
        () -> {
          map.put(0, TestHeaps.value(0));
          others[0] = Threads.start("waiting", () -> map.put(99, "late"));
          others[0].awaitWaiting();
          others[1] =
              Threads.start(
                  "closing",
                  () -> {
                    heap.close();
                    return null;
                  });
          Limit.until("the heap is being closed", () -> !heap.isOpen());
        });
    others[1].result();
    boolean put;
    try {
      others[0].result();
      put = true;
    } catch (java.util.concurrent.ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(ClosedException.class);
      put = false;
    }
    try (Heap reopened = TestHeaps.open(directory)) {
      assertThat(TestHeaps.numbers(reopened).containsKey(99)).isEqualTo(put);
      assertThat(TestHeaps.numbers(reopened)).containsEntry(0, TestHeaps.value(0));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void threadsThatReadAndWriteAreToldAndNothingHangs(boolean sync) throws Exception {
    long interval = sync ? 0 : 1_000_000;
    Heap heap =
        HeapSettings.options(
                Heap.builder(directory),
                TestHeaps.options(1L << 30, 1L << 28, TestHeaps.HOUR, sync, interval, true))
            .open();
    DurableMap<Integer, Integer> map = heap.map("counts", Integer.class, Integer.class);
    int writers = 4;
    AtomicInteger[] acknowledged = new AtomicInteger[writers];
    CountDownLatch working = new CountDownLatch(writers + 4);
    List<Threads.Running<EverheapException>> running = new ArrayList<>();
    for (int i = 0; i < writers; i++) {
      int key = i;
      acknowledged[key] = new AtomicInteger();
      map.put(key, 0);
      running.add(
          untilRefused(
              "writer " + i,
              working,
              () -> {
                int next = acknowledged[key].get() + 1;
                map.put(key, next);
                acknowledged[key].set(next);
              }));
    }
    running.add(untilRefused("get", working, () -> map.get(1)));
    running.add(untilRefused("iterate", working, () -> map.values().forEach(v -> {})));
    running.add(untilRefused("read", working, () -> heap.read(() -> map.get(0) + map.get(1))));
    running.add(untilRefused("transact", working, () -> heap.transact(() -> map.get(2))));
    Limit.await(working);

    heap.close();

    for (Threads.Running<EverheapException> thread : running) {
      assertThat(thread.result())
          .as(thread.thread().getName())
          .isInstanceOf(ClosedException.class)
          .returns("EH-CLOSED", EverheapException::code);
    }
    try (Heap reopened = TestHeaps.open(directory)) {
      assertThat(reopened.stats().recovery().clean()).isTrue();
      Map<Integer, Integer> found = reopened.map("counts", Integer.class, Integer.class);
      for (int i = 0; i < writers; i++) {
        assertThat(found.get(i)).isBetween(acknowledged[i].get(), acknowledged[i].get() + 1);
      }
      assertThat(reopened.verify().problems()).isEmpty();
    }
  }

  private static Threads.Running<EverheapException> untilRefused(
      String name, CountDownLatch working, Runnable work) {
    return Threads.start(
        name,
        () -> {
          try {
            for (int i = 0; ; i++) {
              work.run();
              if (i == 20) {
                working.countDown();
              }
            }
          } catch (EverheapException e) {
            return e;
          }
        });
  }
}
