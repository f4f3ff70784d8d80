package io.everheap.infinispan;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.ClosedException;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedSyncTest {
  private static final Durability UNSYNCED = Durability.async(Duration.ofHours(1));

  @TempDir Path directory;

  private Heap heap;
  private DurableMap<Integer, Integer> map;
  private ExecutorService pool;

  @BeforeEach
  void open() {
    heap = Heap.open(directory.resolve("heap"));
    map = heap.map("map", Integer.class, Integer.class);
    pool = Executors.newCachedThreadPool();
  }

  @AfterEach
  void close() {
    pool.close();
    heap.close();
  }

  private CompletableFuture<Integer> put(SharedSync sync, int key, boolean inline) {
    heap.transact(UNSYNCED, () -> map.set(key, key));
    return sync.complete(key, inline).toCompletableFuture();
  }

  @Test
  void whatIsCompleteIsDurable() throws Exception {
    var sync = new SharedSync(heap, pool);
    for (boolean inline : new boolean[] {false, true}) {
      assertThat(Limit.get(put(sync, 1, inline))).isEqualTo(1);
      assertThat(heap.stats().durableLsn()).isEqualTo(heap.stats().appendedLsn());
    }
  }

  @Test
  void allWritesOfManyThreadsComplete() throws Exception {
    var sync = new SharedSync(heap, pool);
    var writers = new ArrayList<CompletableFuture<List<CompletableFuture<Integer>>>>();
    for (int i = 0; i < 4; i++) {
      int first = i * 1000;
      writers.add(
          CompletableFuture.supplyAsync(
              () -> {
                var all = new ArrayList<CompletableFuture<Integer>>();
                for (int n = first; n < first + 1000; n++) {
                  all.add(put(sync, n, n % 7 == 0));
                }
                return all;
              },
              pool));
    }
    for (var writer : writers) {
      for (var write : Limit.get(writer)) {
        assertThat(map).containsKey(Limit.get(write));
      }
    }
    assertThat(map).hasSize(4000);
  }

  @Test
  void whatFollowsAWriteMayWaitForAnother() throws Exception {
    var sync = new SharedSync(heap, pool);
    var gate = new CountDownLatch(1);
    Executor slow =
        task ->
            pool.execute(
                () -> {
                  try {
                    Limit.await(gate);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  task.run();
                });
    var late = new SharedSync(heap, slow);
    CompletableFuture<Integer> both =
        put(late, 1, false).thenApply(one -> one + put(late, 2, false).join());
    gate.countDown();
    assertThat(Limit.get(both)).isEqualTo(3);
    CompletableFuture<Integer> last = put(sync, 3, false).thenApply(x -> put(sync, 4, true).join());
    assertThat(Limit.get(last)).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatFollowsAWriteMayWaitForAnotherOfTheSameSync(boolean newestWaits) throws Exception {
    List<Runnable> tasks = new ArrayList<>();
    var sync =
        new SharedSync(
            heap,
            task -> {
              if (tasks.isEmpty()) {
                tasks.add(task); // it begins when all are committed
              } else {
                pool.execute(task);
              }
            });
    var writes = new ArrayList<CompletableFuture<Integer>>();
    for (int i = 0; i < 3; i++) {
      writes.add(put(sync, i, false).orTimeout(Limit.seconds(), SECONDS));
    }
    CompletableFuture<Integer> first = newestWaits ? writes.getLast() : writes.getFirst();
    CompletableFuture<Integer> all =
        first.thenApply(one -> writes.stream().mapToInt(CompletableFuture::join).sum());
    pool.execute(tasks.getFirst());
    assertThat(Limit.get(all)).isEqualTo(3);
  }

  /** What follows it is known when it has returned. */
  @Test
  void aThreadThatSyncsItselfReturnsWhateverFollowsOtherWrites() throws Exception {
    var sync = new SharedSync(heap, pool);
    for (int i = 0; i < 1000; i++) {
      var returned = new CompletableFuture<Integer>();
      var threads = new ArrayList<Future<?>>();
      for (int n = 0; n < 8; n++) {
        int key = n;
        threads.add(
            pool.submit(
                () ->
                    key == 0
                        ? returned.complete(put(sync, key, true).join())
                        : put(sync, key, false)
                            .thenRun(() -> returned.orTimeout(Limit.seconds(), SECONDS).join())));
      }
      for (Future<?> thread : threads) {
        Limit.get(thread);
      }
      assertThat(returned).isCompleted();
    }
  }

  /** As Infinispan's pool does when its queue is full. */
  @Test
  void aPoolThatRunsTasksInTheCallersThreadNestsNoSyncs() throws Exception {
    var deepest = new AtomicInteger();
    var depth = ThreadLocal.withInitial(() -> 0);
    Executor saturated =
        task -> {
          depth.set(depth.get() + 1);
          deepest.accumulateAndGet(depth.get(), Math::max);
          task.run();
          depth.set(depth.get() - 1);
        };
    var sync = new SharedSync(heap, saturated);
    var writers = new ArrayList<CompletableFuture<List<CompletableFuture<Integer>>>>();
    for (int i = 0; i < 3; i++) {
      writers.add(CompletableFuture.supplyAsync(() -> puts(sync, 1000), pool));
    }
    for (var writer : writers) {
      for (var write : Limit.get(writer)) {
        Limit.get(write);
      }
    }
    assertThat(deepest).hasValue(1);
  }

  private List<CompletableFuture<Integer>> puts(SharedSync sync, int count) {
    return IntStream.range(0, count).mapToObj(i -> put(sync, i, false)).toList();
  }

  @Test
  void anInterruptedThreadSyncsAndStaysInterrupted() throws Exception {
    var sync = new SharedSync(heap, pool);
    Thread.currentThread().interrupt();
    CompletableFuture<Integer> write = put(sync, 1, true);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(Limit.get(write)).isEqualTo(1);
    assertThat(Limit.get(put(sync, 2, false))).isEqualTo(2);
  }

  @Test
  void anExecutorThatRefusesIsNotNeeded() throws Exception {
    var sync =
        new SharedSync(
            heap,
            task -> {
              throw new RejectedExecutionException("stopping");
            });
    assertThat(Limit.get(put(sync, 1, false))).isEqualTo(1);
  }

  @Test
  void aFailureReachesEveryWrite() {
    List<Runnable> tasks = new ArrayList<>();
    var sync = new SharedSync(heap, tasks::add);
    CompletableFuture<Integer> one = put(sync, 1, false);
    CompletableFuture<Integer> two = put(sync, 2, false);
    assertThat(tasks).hasSize(1); // one sync for both
    heap.close();
    tasks.removeFirst().run();
    assertThatThrownBy(() -> Limit.get(one)).hasCauseInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> Limit.get(two)).hasCauseInstanceOf(ClosedException.class);
    tasks.removeFirst().run(); // the second thread, which finds nothing to do
    assertThat(tasks).isEmpty();
  }
}
