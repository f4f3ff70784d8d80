package io.everheap.structure.deque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.engine.Signals;
import io.everheap.error.ClosedException;
import io.everheap.error.GoneException;
import io.everheap.heap.OpenHeap;
import io.everheap.structure.list.DurableListTest;
import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several producers and takers: nothing is lost, nothing comes twice, and who waits is woken. */
class DurableDequeConcurrencyTest {
  private static final long STOP = -1;

  private final Heap heap = Heap.inMemory();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    threads.shutdownNow();
    if (heap.isOpen()) {
      assertThat(heap.verify().problems()).isEmpty();
      heap.close();
    }
  }

  @Test
  void nothingIsLostOrTakenTwiceAndEachProducersOrderStays() throws Exception {
    exchange(heap.deque("deque", Long.class), 3, 4, 400);
  }

  @Test
  void producersOfABoundedDequeWaitForRoom() throws Exception {
    exchange(heap.root("deque", DurableDeque.of(Long.class, 2)), 3, 3, 200);
  }

  /** Value: number of the producer, and in the low bits its count. */
  private void exchange(BlockingQueue<Long> queue, int producers, int takers, int each)
      throws Exception {
    List<Future<Void>> producing = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      long base = (long) p << 32;
      producing.add(
          threads.submit(
              () -> {
                for (int i = 0; i < each; i++) {
                  queue.put(base + i);
                }
                return null;
              }));
    }
    List<Future<List<Long>>> taking = new ArrayList<>();
    for (int t = 0; t < takers; t++) {
      boolean aborting = t % 2 == 1;
      taking.add(threads.submit(() -> takeAll(queue, aborting)));
    }
    for (Future<Void> future : producing) {
      Limit.get(future);
    }
    for (int t = 0; t < takers; t++) {
      queue.put(STOP);
    }
    List<Long> all = new ArrayList<>();
    for (Future<List<Long>> future : taking) {
      List<Long> taken = Limit.get(future);
      Map<Long, Long> last = new HashMap<>();
      for (long value : taken) {
        Long before = last.put(value >> 32, value);
        assertThat(before == null || before < value).as("order of %d", value).isTrue();
      }
      all.addAll(taken);
    }
    assertThat(new HashSet<>(all)).hasSize(producers * each);
    assertThat(all).hasSize(producers * each);
    assertThat(queue).isEmpty();
  }

  /** Takes until it is told to stop; some of them take things back now and then. */
  private List<Long> takeAll(BlockingQueue<Long> queue, boolean aborting)
      throws InterruptedException {
    List<Long> taken = new ArrayList<>();
    for (int i = 0; ; i++) {
      if (aborting && i % 3 == 0) {
        try {
          heap.transact(
              () -> {
                queue.poll();
                throw new IllegalArgumentException("taken back");
              });
        } catch (IllegalArgumentException e) {
          assertThat(e).hasMessage("taken back");
        }
      }
      Long value = i % 5 == 0 ? queue.poll(1, TimeUnit.MILLISECONDS) : queue.take();
      if (value != null) {
        if (value == STOP) {
          return taken;
        }
        taken.add(value);
      }
    }
  }

  @Test
  void whoWaitsInsideATransactionIsRefused() throws InterruptedException {
    DurableDeque<Long> deque = heap.root("deque", DurableDeque.of(Long.class, 1));
    heap.transact(
        () -> {
          assertThatThrownBy(deque::take).isInstanceOf(IllegalStateException.class);
          assertThatThrownBy(() -> deque.poll(1, TimeUnit.SECONDS))
              .isInstanceOf(IllegalStateException.class);
          assertThat(deque.poll(0, TimeUnit.SECONDS)).isNull();
          deque.put(1L);
          assertThatThrownBy(() -> deque.put(2L)).isInstanceOf(IllegalStateException.class);
          assertThat(deque.take()).isEqualTo(1L);
        });
    assertThat(deque).isEmpty();
  }

  /** Workers wait outside of the transaction in which they take; one of them is slower at times. */
  @Test
  void anElementIsAwaitedOutsideAndTakenInsideATransaction() throws Exception {
    DurableDeque<Long> deque = heap.deque("deque", Long.class);
    DurablePriorityQueue<Long> done = heap.priorityQueue("done", Long.class);
    int jobs = 300;
    List<Future<Void>> workers = new ArrayList<>();
    for (int w = 0; w < 4; w++) {
      workers.add(
          threads.submit(
              () -> {
                while (done.size() < jobs) {
                  if (deque.awaitElement(20, TimeUnit.MILLISECONDS)) {
                    heap.transact(
                        () -> {
                          Long job = deque.poll();
                          if (job != null) {
                            done.add(job);
                          }
                        });
                  }
                }
                return null;
              }));
    }
    for (long job = 0; job < jobs; job++) {
      deque.add(job);
    }
    for (Future<Void> worker : workers) {
      Limit.get(worker);
    }
    assertThat(deque).isEmpty();
    assertThat(done).hasSize(jobs).doesNotHaveDuplicates();
  }

  @Test
  void awaitingAnElementTakesNoneAndTellsAllWhoWait() throws Exception {
    DurableDeque<Long> deque = heap.deque("deque", Long.class);
    List<Future<Boolean>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(
          waiting(
              deque,
              () -> {
                deque.awaitElement();
                return true;
              }));
    }
    deque.add(1L);
    for (Future<Boolean> told : waiting) {
      assertThat(Limit.get(told)).isTrue();
    }
    assertThat(deque).containsExactly(1L);

    DurablePriorityQueue<Long> queue = heap.priorityQueue("queue", Long.class);
    assertThat(queue.awaitElement(1, TimeUnit.MILLISECONDS)).isFalse();
    queue.add(1L);
    queue.awaitElement();
    assertThat(queue).containsExactly(1L);
  }

  @Test
  void awaitingAnElementInsideATransactionIsRefusedIfThereIsNone() throws InterruptedException {
    DurableDeque<Long> deque = heap.deque("deque", Long.class);
    heap.transact(
        () -> {
          assertThatThrownBy(deque::awaitElement).isInstanceOf(IllegalStateException.class);
          deque.add(1L);
          deque.awaitElement();
        });
  }

  @Test
  void aTimeoutEndsTheWait() throws Exception {
    DurableDeque<Long> deque = heap.root("deque", DurableDeque.of(Long.class, 1));

    assertThat(deque.poll(1, TimeUnit.MILLISECONDS)).isNull();
    assertThat(deque.offer(1L, 1, TimeUnit.MILLISECONDS)).isTrue();
    assertThat(deque.offer(2L, 1, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(deque.pollLast(1, TimeUnit.MILLISECONDS)).isEqualTo(1L);
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    DurableDeque<Long> deque = heap.deque("deque", Long.class);
    Future<Long> taker = waiting(deque, deque::take);
    taker.cancel(true);
    Future<Long> other = waiting(deque, deque::take);
    deque.put(1L);

    assertThat(Limit.get(other)).isEqualTo(1L);
    Thread.currentThread().interrupt();
    assertThatThrownBy(deque::take).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void whoWasInterruptedBeforeAnElementCameDoesNotTakeIt() throws Exception {
    DurableDeque<Long> deque = heap.deque("deque", Long.class);
    for (long i = 0; i < 200; i++) {
      long element = i;
      Future<Long> taker = waiting(deque, deque::take);
      heap.transact(
          () -> {
            OpenHeap.engine(heap)
                .context()
                .signals()
                .wakeAll(DurableListTest.referenceOf(heap, "deque"));
            taker.cancel(true);
            deque.add(element);
          });

      assertThat(deque.take()).isEqualTo(element);
    }
  }

  @Test
  void takersAreWokenByOtherHandlesAndByTransactions() throws Exception {
    DurableDeque<Long> deque = heap.deque("deque", Long.class);
    List<Future<Long>> takers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      takers.add(waiting(deque, deque::take));
    }
    DurableDeque<Long> another = heap.deque("deque", Long.class);
    heap.transact(() -> another.addAll(List.of(1L, 2L, 3L)));

    List<Long> taken = new ArrayList<>();
    for (Future<Long> taker : takers) {
      taken.add(Limit.get(taker));
    }
    assertThat(taken).containsExactlyInAnyOrder(1L, 2L, 3L);
  }

  @Test
  void whatWasAddedAndRolledBackWakesNobodyForGood() throws Exception {
    DurableDeque<Long> deque = heap.deque("deque", Long.class);
    Future<Long> taker = waiting(deque, deque::take);
    heap.transact(
        () -> {
          try {
            heap.transact(
                () -> {
                  deque.add(1L);
                  throw new IllegalArgumentException();
                });
          } catch (IllegalArgumentException e) {
            deque.add(2L);
          }
        });

    assertThat(Limit.get(taker)).isEqualTo(2L);
  }

  @Test
  void closingTheHeapEndsTheWait() throws Exception {
    DurableDeque<Long> deque = heap.deque("deque", Long.class);
    Future<Long> taker = waiting(deque, deque::take);
    heap.close();

    assertFailsWith(taker, ClosedException.class);
  }

  @Test
  void removingTheDequeEndsTheWait() throws Exception {
    DurableDeque<Long> deque = heap.deque("deque", Long.class);
    Future<Long> taker = waiting(deque, deque::take);
    heap.remove("deque");

    assertFailsWith(taker, GoneException.class);
  }

  @Test
  void clearingAFullDequeMakesRoom() throws Exception {
    DurableDeque<Long> deque = heap.root("deque", DurableDeque.of(Long.class, 1));
    deque.put(1L);
    long room = ~DurableListTest.referenceOf(heap, "deque");
    Future<Boolean> putter =
        waiting(
            room,
            () -> {
              deque.put(2L);
              return true;
            });
    deque.clear();

    assertThat(Limit.get(putter)).isTrue();
    assertThat(deque).containsExactly(2L);
  }

  private static void assertFailsWith(Future<Long> future, Class<? extends Exception> failure)
      throws InterruptedException {
    try {
      assertThat(Limit.get(future)).isNull();
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(failure);
    }
  }

  /** Runs a call that waits for an element; returns when it waits. */
  private <T> Future<T> waiting(DurableDeque<?> deque, Callable<T> call) throws Exception {
    assertThat(deque).isEmpty();
    return waiting(DurableListTest.referenceOf(heap, "deque"), call);
  }

  private <T> Future<T> waiting(long key, Callable<T> call) throws Exception {
    var started = new CountDownLatch(1);
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
