package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.error.StoppedException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads whose stacks end inside an operation, wherever that is, catch the error and go on. After
 * that the heap works, or is poisoned; what it acknowledged is there when it is opened again.
 */
@Campaign
final class StackOverflowTest {
  private static final int THREADS = Integer.getInteger("everheap.crash.effort", 1) * 12;
  private static final int LEVELS = 40;
  private static final int MORE = 5;

  @TempDir Path directory;

  /** What runs at each depth of the stack. */
  enum Operation {
    PUT {
      @Override
      void run(Heap heap, long key) {
        map(heap).put(key, key);
      }
    },
    COMPUTE {
      @Override
      void run(Heap heap, long key) {
        map(heap).compute(key, (k, old) -> k);
      }
    },
    TRANSACT {
      @Override
      void run(Heap heap, long key) {
        heap.transact(() -> heap.transact(() -> map(heap).put(key, key)));
      }
    },
    SORTED {
      @Override
      void run(Heap heap, long key) {
        DurableSortedMap<String, Long> sorted = heap.sortedMap("sorted", String.class, Long.class);
        heap.transact(
            () -> {
              map(heap).put(key, key);
              sorted.put("key " + key, key);
            });
      }
    },
    DEQUE_AND_LIST {
      @Override
      void run(Heap heap, long key) {
        DurableDeque<Long> deque = heap.deque("deque", Long.class);
        DurableList<String> list = heap.list("list", String.class);
        heap.transact(
            () -> {
              map(heap).put(key, key);
              deque.addLast(key);
              list.add("element " + key);
              if (deque.size() > 10) {
                deque.removeFirst();
                list.remove(0);
              }
            });
      }
    },
    READ_THEN_PUT {
      @Override
      void run(Heap heap, long key) {
        DurableMap<Long, Long> map = map(heap);
        assertThat(heap.read(() -> map.get(key))).isNull();
        map.put(key, key);
      }
    };

    abstract void run(Heap heap, long key);
  }

  private static DurableMap<Long, Long> map(Heap heap) {
    return heap.map("map", Long.class, Long.class);
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void syncedHeapsWorkOrArePoisoned(Operation operation) throws Exception {
    overflow(operation, Durability.SYNC);
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void asyncHeapsWorkOrArePoisoned(Operation operation) throws Exception {
    overflow(operation, Durability.async(Duration.ofMillis(50)));
  }

  private void overflow(Operation operation, Durability durability) throws Exception {
    List<Long> acknowledged = new ArrayList<>();
    long next = 0;
    for (int thread = 0; thread < THREADS; ) {
      try (Heap heap = open(durability)) {
        operation.run(heap, next);
        acknowledged.add(next++);
        boolean poisoned = false;
        for (; thread < THREADS && !poisoned; thread++) {
          Recursion recursion = new Recursion(heap, operation, next);
          acknowledged.addAll(recursion.runWithStackOf(160_000 + thread * 1_100L));
          next = recursion.next;
          poisoned = !works(heap, operation, next);
          if (!poisoned) {
            acknowledged.add(next++);
          }
          assertThat(heap.isOpen()).isEqualTo(!poisoned);
        }
      }
      try (Heap heap = open(durability)) {
        assertThat(heap.verify().problems()).isEmpty();
        assertThat(map(heap).keySet()).containsAll(acknowledged);
      }
    }
  }

  private Heap open(Durability durability) {
    return Heap.builder(directory.resolve("heap"))
        .durability(durability)
        .lockTimeout(Limit.limit())
        .open();
  }

  /** Whether another thread can still write: else the heap must be poisoned. */
  private static boolean works(Heap heap, Operation operation, long key) throws Exception {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    operation.run(heap, key);
                  } catch (Throwable t) {
                    failure.set(t);
                  }
                });
    Limit.join(thread);
    if (failure.get() != null) {
      assertThat(failure.get()).isInstanceOf(StoppedException.class);
    }
    return failure.get() == null;
  }

  /**
   * Recurses until the stack ends, runs an operation at each level of the way back, which ends
   * wherever the stack does, and then some at the top.
   */
  private static final class Recursion {
    private final Heap heap;
    private final Operation operation;
    private final long[] keys = new long[LEVELS + MORE];
    private int count;
    long next;
    private @Nullable Throwable failure;

    Recursion(Heap heap, Operation operation, long next) {
      this.heap = heap;
      this.operation = operation;
      this.next = next;
    }

    List<Long> runWithStackOf(long bytes) throws InterruptedException {
      Thread thread = new Thread(null, this::run, "small", bytes);
      thread.start();
      Limit.join(thread);
      assertThat(failure).isNull();
      return Arrays.stream(keys, 0, count).boxed().toList();
    }

    private void run() {
      try {
        recurse();
        for (int i = 0; i < MORE; i++) {
          once();
        }
      } catch (StoppedException e) {
        // the heap says so
      } catch (Throwable t) {
        failure = t;
      }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private int recurse() {
      int left;
      try {
        left = recurse();
      } catch (StackOverflowError e) {
        left = LEVELS;
      }
      if (left > 0) {
        try {
          once();
        } catch (StackOverflowError e) {
          // caught, as programs do that mean well
        }
      }
      return left - 1;
    }

    private void once() {
      long key = next++;
      operation.run(heap, key);
      keys[count] = key;
      count++;
    }
  }
}
