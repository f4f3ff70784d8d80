package io.everheap.infinispan;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.HeapClosedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
      assertThat(put(sync, 1, inline).get(1, MINUTES)).isEqualTo(1);
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
      for (var write : writer.get(1, MINUTES)) {
        assertThat(map).containsKey(write.get(1, MINUTES));
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
                    gate.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  task.run();
                });
    var late = new SharedSync(heap, slow);
    CompletableFuture<Integer> both =
        put(late, 1, false).thenApply(one -> one + put(late, 2, false).join());
    gate.countDown();
    assertThat(both.get(1, MINUTES)).isEqualTo(3);
    assertThat(put(sync, 3, false).thenApply(x -> put(sync, 4, true).join()).get(1, MINUTES))
        .isEqualTo(4);
  }

  @Test
  void anExecutorThatRefusesIsNotNeeded() throws Exception {
    var sync =
        new SharedSync(
            heap,
            task -> {
              throw new RejectedExecutionException("stopping");
            });
    assertThat(put(sync, 1, false).get(1, MINUTES)).isEqualTo(1);
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
    assertThatThrownBy(() -> one.get(1, MINUTES)).hasCauseInstanceOf(HeapClosedException.class);
    assertThatThrownBy(() -> two.get(1, MINUTES)).hasCauseInstanceOf(HeapClosedException.class);
    assertThat(tasks).isEmpty();
  }
}
