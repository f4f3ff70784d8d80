package io.everheap.structure.array;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableCounter;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableText;
import io.everheap.structure.bytes.ChunkedLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Readers of arrays, texts and references beside a writer see whole commits. */
class ArrayConcurrencyTest {
  private static final int ROUNDS = 5_000;

  @Test
  void copiesAcrossChunksAreOfOneCommit() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      var array = heap.root("array", DurableLongArray.ofLength(40_000));
      long[] ends = {ChunkedLayout.CHUNK / 8 - 50, 2L * ChunkedLayout.CHUNK / 8 + 50};
      whileWriting(
          () -> {
            for (int i = 0; i < ROUNDS / 10; i++) {
              array.fill(ends[0], ends[1], i);
            }
          },
          () -> {
            long[] copy = array.toArray(ends[0], ends[1]);
            assertThat(copy).containsOnly(copy[0]);
          });
    }
  }

  @Test
  void aTextIsSeenWholeWhileItGrowsAndShrinks() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      var text = heap.root("text", DurableText.of());
      whileWriting(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              if (i % 700 == 699) {
                text.clear();
              } else {
                text.append("0123456789".repeat(1 + i % 40));
              }
            }
          },
          () -> {
            String all = text.toString();
            assertThat(all.length() % 10).isZero();
            if (!all.isEmpty()) {
              assertThat(all).startsWith("0123456789").endsWith("0123456789");
            }
          });
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void aReferenceAlwaysHasAWholeValue() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      var reference = heap.root("reference", DurableReference.of(String.class));
      var array = heap.root("array", DurableArray.of(String.class, 3));
      whileWriting(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              String value =
                  i % 5 == 0 ? null : String.valueOf((char) ('a' + i % 20)).repeat(i % 300);
              reference.set(value);
              array.set(i % 3, value);
            }
          },
          () -> {
            for (String value : new String[] {reference.get(), array.get(1)}) {
              if (value != null && !value.isEmpty()) {
                assertThat(value).isEqualTo(value.substring(0, 1).repeat(value.length()));
              }
            }
          });
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void incrementsOfSeveralThreadsAllCount() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      var number = heap.root("number", DurableAtomicLong.of());
      var counter = heap.root("counter", DurableCounter.of());
      var array = heap.root("array", DurableLongArray.ofLength(3));
      Callable<Void> task =
          () -> {
            for (int i = 0; i < 2_000; i++) {
              number.incrementAndGet();
              counter.increment();
              array.getAndAdd(1, 1);
            }
            return null;
          };
      run(List.of(task, task, task));

      assertThat(number.get()).isEqualTo(6_000);
      assertThat(counter.sum()).isEqualTo(6_000);
      assertThat(array.get(1)).isEqualTo(6_000);
    }
  }

  private static void whileWriting(Runnable writer, Runnable reader) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Callable<Void> reading =
        () -> {
          do {
            reader.run();
          } while (!done.get());
          return null;
        };
    Callable<Void> writing =
        () -> {
          try {
            writer.run();
          } finally {
            done.set(true);
          }
          return null;
        };
    run(List.of(writing, reading, reading));
  }

  private static void run(List<Callable<Void>> tasks) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
      List<Future<Void>> all = new ArrayList<>();
      for (Callable<Void> task : tasks) {
        all.add(threads.submit(task));
      }
      for (Future<Void> one : all) {
        one.get();
      }
    }
  }
}
