package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads while a transaction is open: those of other threads see what is committed, at once. */
@Campaign
class ReadsDuringTransactionTest {
  @TempDir Path temp;

  /** Whoever asks for the writer's turn while another thread has it fails soon. */
  private Heap open() {
    return HeapSettings.options(
            Heap.builder(temp.resolve("h")),
            TestHeaps.options(1L << 30, 1L << 28, 1_000_000, true, 0, true))
        .open();
  }

  @Test
  void noReadOfAnotherThreadWaitsForATransaction() throws Exception {
    try (Heap heap = open()) {
      EveryRead every = new EveryRead(heap);
      Map<String, Object> expected = every.results();
      Set<String> wrong = new TreeSet<>();
      heap.transact(
          () -> {
            every.change();
            Threads.start(
                    "reader",
                    () -> {
                      every
                          .reads()
                          .forEach((name, read) -> check(name, read, expected.get(name), wrong));
                      return null;
                    })
                .result();
          });
      assertThat(wrong).isEmpty();
    }
  }

  private static void check(String name, Callable<?> read, Object expected, Set<String> wrong) {
    try {
      Object result = read.call();
      if (!expected.equals(result)) {
        wrong.add(name + " returned " + result + ", not " + expected);
      }
    } catch (Throwable e) {
      wrong.add(name + ": " + e);
    }
  }

  @Test
  void statisticsTakenDuringATransactionAreThoseOfWhatIsCommitted() throws Exception {
    try (Heap heap = open()) {
      EveryRead every = new EveryRead(heap);
      OpenHeap.engine(heap).drainHousekeeping();
      HeapStats before = heap.stats();
      heap.transact(
          () -> {
            every.change();
            heap.blocks().allocate(3 << 20);
            HeapStats during = Threads.start("statistics", heap::stats).result();
            assertThat(during.blocks()).isEqualTo(before.blocks());
            assertThat(during.usedBytes()).isEqualTo(before.usedBytes());
            assertThat(during.capacity()).isEqualTo(before.capacity());
            assertThat(during.sizeClasses()).isEqualTo(before.sizeClasses());
          });
      assertThat(heap.stats().usedBytes()).isGreaterThan(before.usedBytes());
    }
  }

  @Test
  void aParallelStreamInATransactionReadsWhatIsCommittedInItsOtherThreads() {
    try (Heap heap = open()) {
      DurableMap<String, DurableList<Long>> lists =
          heap.root("lists", DurableMap.of(String.class, DurableList.of(Long.class)));
      List<String> names = new ArrayList<>();
      heap.transact(
          () -> {
            for (int i = 0; i < 1000; i++) {
              lists.put("list " + i, heap.create(DurableList.of(Long.class)));
              lists.get("list " + i).add((long) i);
              names.add("list " + i);
            }
          });
      DurableMap<String, DurableList<Long>> again =
          heap.root("lists", DurableMap.of(String.class, DurableList.of(Long.class)));
      heap.transact(
          () -> {
            long sum = names.parallelStream().mapToLong(name -> again.get(name).getFirst()).sum();
            assertThat(sum).isEqualTo(999 * 1000 / 2);
          });
    }
  }

  @Test
  void aParallelStreamOverACollectionInATransactionSeesWhatItStored() {
    try (Heap heap = open()) {
      List<Collection<Long>> all =
          List.of(
              heap.list("list", Long.class),
              heap.deque("deque", Long.class),
              heap.priorityQueue("queue", Long.class),
              heap.set("set", Long.class),
              heap.sortedSet("sorted set", Long.class));
      DurableMap<Long, Long> map = heap.map("map", Long.class, Long.class);
      DurableSortedMap<Long, Long> sorted = heap.sortedMap("sorted", Long.class, Long.class);
      heap.transact(
          () -> {
            for (long i = 0; i < 10_000; i++) {
              for (Collection<Long> each : all) {
                each.add(i);
              }
              map.put(i, i);
              sorted.put(i, i);
            }
            all.forEach(ReadsDuringTransactionTest::assertComplete);
            assertComplete(map.values());
            assertComplete(sorted.values());
            assertComplete(sorted.descendingKeySet());
          });
      all.forEach(ReadsDuringTransactionTest::assertComplete);
      assertComplete(map.values());
      assertComplete(sorted.values());
    }
  }

  private static void assertComplete(Collection<Long> all) {
    assertThat(all.parallelStream().mapToLong(i -> i).sum()).isEqualTo(49_995_000);
  }
}
