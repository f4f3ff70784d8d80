package io.everheap.structure.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.Lease;
import io.everheap.engine.Signals;
import io.everheap.error.ClosedException;
import io.everheap.error.GoneException;
import io.everheap.error.LeaseLostException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.list.DurableListTest;
import io.everheap.support.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many workers of one queue: each job is done, its result is stored once, and waits end. */
class DurableWorkQueueConcurrencyTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Heap heap = Heap.inMemory();
  private final DurableWorkQueue<Long> queue = heap.workQueue("queue", Long.class);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    threads.shutdownNow();
    if (heap.isOpen()) {
      assertThat(heap.verify().problems()).isEmpty();
      heap.close();
    }
  }

  /** Some workers fail, some are slower than their lease, some forget what they leased. */
  @Test
  void eachJobsResultIsStoredOnceWhateverWorkersDo() throws Exception {
    int jobs = 600;
    DurableMap<Long, Integer> results = heap.map("results", Long.class, Integer.class);
    List<Future<Void>> workers = new ArrayList<>();
    for (int w = 0; w < 8; w++) {
      int worker = w;
      workers.add(threads.submit(() -> work(worker, results, jobs)));
    }
    for (long job = 0; job < jobs; job++) {
      queue.add(job);
    }
    for (Future<Void> worker : workers) {
      Limit.get(worker);
    }
    assertThat(results).hasSize(jobs);
    assertThat(results.values()).containsOnly(1);
    assertThat(queue.isEmpty()).isTrue();
  }

  private Void work(int worker, DurableMap<Long, Integer> results, int jobs)
      throws InterruptedException {
    for (int i = worker; results.size() < jobs; i++) {
      Duration time = i % 4 == 0 ? Duration.ofNanos(1 + i) : HOUR;
      Lease<Long> lease = queue.tryLease(time, Duration.ofMillis(20));
      if (lease == null) {
        continue;
      }
      if (i % 8 == 4) {
        continue; // dies; its lease was a short one
      }
      if (i % 5 == 0) {
        lease.close();
        continue;
      }
      try {
        heap.transact(
            () -> {
              results.merge(lease.element(), 1, Integer::sum);
              lease.acknowledge();
            });
      } catch (LeaseLostException e) {
        assertThat(time).isLessThan(HOUR);
      }
    }
    return null;
  }

  @Test
  void aWaitEndsWhenAnElementIsAdded() throws Exception {
    Future<Lease<Long>> waiting = waiting(() -> queue.lease(HOUR));
    queue.add(1L);

    assertThat(Limit.get(waiting).element()).isEqualTo(1);
  }

  @Test
  void aWaitEndsWhenAnElementIsReleased() throws Exception {
    queue.add(1L);
    Lease<Long> lease = Objects.requireNonNull(queue.tryLease(HOUR));
    Future<Lease<Long>> waiting = waiting(() -> queue.lease(HOUR));
    lease.close();

    assertThat(Limit.get(waiting).attempt()).isEqualTo(2);
  }

  @Test
  void aWaitEndsWhenALeaseEnds() throws Exception {
    queue.add(1L);
    Lease<Long> lease = Objects.requireNonNull(queue.tryLease(Duration.ofMillis(20)));
    assertThat(queue.lease(HOUR).attempt()).isEqualTo(2);
    assertThatThrownBy(lease::acknowledge).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void aWaitEndsWhenALeaseEndsThatBeganLaterOrWasShortened() throws Exception {
    Future<Lease<Long>> waiting = waiting(() -> queue.lease(HOUR));
    Lease<Long> lease =
        heap.transact(
            () -> {
              queue.add(1L);
              return Objects.requireNonNull(queue.tryLease(Duration.ofMillis(20)));
            });
    Lease<Long> second = Limit.get(waiting);
    assertThat(second.attempt()).isGreaterThan(lease.attempt());

    Future<Lease<Long>> another = waiting(() -> queue.lease(HOUR));
    second.extend(Duration.ofMillis(20));
    assertThat(Limit.get(another).attempt()).isGreaterThan(second.attempt());
  }

  @Test
  void aTimeoutEndsTheWaitThoughALeaseGoesOn() throws Exception {
    queue.add(1L);
    assertThat(queue.tryLease(HOUR, Duration.ZERO)).isNotNull();
    assertThat(queue.tryLease(HOUR, Duration.ZERO)).isNull();
    assertThat(queue.tryLease(HOUR, Duration.ofMillis(1))).isNull();
  }

  @Test
  void anInterruptEndsTheWaitAndTheElementGoesToAnother() throws Exception {
    Future<Lease<Long>> interrupted = waiting(() -> queue.lease(HOUR));
    Future<Lease<Long>> other = waiting(() -> queue.lease(HOUR));
    interrupted.cancel(true);
    queue.add(1L);

    assertThat(Limit.get(other).element()).isEqualTo(1);
  }

  @Test
  void aWaitInsideATransactionIsRefused() throws InterruptedException {
    heap.transact(
        () -> {
          assertThatThrownBy(() -> queue.lease(HOUR)).isInstanceOf(IllegalStateException.class);
          queue.add(1L);
          assertThat(queue.lease(HOUR).element()).isEqualTo(1);
        });
  }

  @Test
  void closingTheHeapOrRemovingTheQueueEndsTheWait() throws Exception {
    Future<Lease<Long>> first = waiting(() -> queue.lease(HOUR));
    heap.remove("queue");
    assertFailsWith(first, GoneException.class);

    DurableWorkQueue<Long> other = heap.workQueue("queue", Long.class);
    Future<Lease<Long>> second = waiting(() -> other.lease(HOUR));
    heap.close();
    assertFailsWith(second, ClosedException.class);
  }

  private static void assertFailsWith(Future<?> future, Class<? extends Exception> failure)
      throws InterruptedException {
    try {
      assertThat(Limit.get(future)).isNull();
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(failure);
    }
  }

  /** Runs a call that waits for an element; returns when it waits. */
  private <T> Future<T> waiting(Callable<T> call) throws Exception {
    var started = new CountDownLatch(1);
    long key = DurableListTest.referenceOf(heap, "queue");
    Future<T> future =
        threads.submit(
            () -> {
              started.countDown();
              return call.call();
            });
    Limit.await(started);
    Signals signals = OpenHeap.engine(heap).context().signals();
    Limit.until("the call waits", () -> signals.isAwaited(key) || future.isDone());
    return future;
  }
}
