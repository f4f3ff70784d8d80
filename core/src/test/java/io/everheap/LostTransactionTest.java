package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.collection.DurableMap;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.ClosedException;
import io.everheap.error.LockTimeoutException;
import io.everheap.error.StoppedException;
import io.everheap.heap.OpenHeap;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Transactions whose ends could not be called, as after a StackOverflowError in a {@code finally},
 * and what threads are told that wait for the turn of another one.
 */
@Campaign
final class LostTransactionTest {
  @TempDir Path temp;
  private Path directory;
  private Heap heap;

  @BeforeEach
  void open() {
    directory = temp.resolve("h");
    heap = TestHeaps.open(directory);
    TestHeaps.put(heap, 0, 2);
  }

  @AfterEach
  void whatWasCommittedIsThere() {
    heap.close();
    TestHeaps.assertHolds(directory, 2);
  }

  /** What a thread does that announces an end and cannot call it. */
  private static void lose(Heap heap) {
    Transactions transactions = OpenHeap.engine(heap).transactions();
    transactions.begin();
    TestHeaps.put(heap, 1, 3);
    transactions.lock.endsDue++;
  }

  @Test
  void itsThreadReadsWhatWasCommitted() {
    DurableMap<Integer, String> map = TestHeaps.numbers(heap);
    lose(heap);
    assertThat(map.get(2)).isNull();
    assertThat(map.get(1)).isEqualTo(TestHeaps.value(1));
  }

  @Test
  void theNextTransactionOfItsThreadPoisonsTheHeap() {
    lose(heap);
    assertThatExceptionOfType(StoppedException.class)
        .isThrownBy(() -> TestHeaps.put(heap, 1, 3))
        .withStackTraceContaining("could not end its transaction");
    assertThat(heap.isOpen()).isFalse();
  }

  @Test
  void anotherThreadThatWaitsPoisonsTheHeap() throws Exception {
    Threads.start(
            "loser",
            () -> {
              lose(heap);
              return true;
            })
        .result();
    assertThatExceptionOfType(StoppedException.class)
        .isThrownBy(() -> TestHeaps.put(heap, 1, 3))
        .withStackTraceContaining("could not end its transaction");
    assertThat(heap.isOpen()).isFalse();
  }

  @Test
  void theOuterLevelOfALostOnePoisonsTheHeap() {
    assertThatExceptionOfType(StoppedException.class)
        .isThrownBy(() -> heap.transact(() -> lose(heap)));
    assertThat(heap.isOpen()).isFalse();
  }

  @Test
  void aHeapWithALostOneCloses() throws Exception {
    Threads.start(
            "loser",
            () -> {
              lose(heap);
              return true;
            })
        .result();
    heap.close();
  }

  @Test
  void aHeapThatItsThreadClosesCloses() {
    lose(heap);
    heap.close();
  }

  @Test
  void theEndsOfLevelsWithinALongTransactionAreNotTakenForLost() throws Exception {
    heap.close();
    try (Heap impatient = Heap.builder(directory).lockTimeout(Duration.ofMillis(5)).open()) {
      DurableMap<Integer, String> map = TestHeaps.numbers(impatient);
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch waited = new CountDownLatch(8);
      Threads.Running<Boolean> holder =
          Threads.start(
              "holder",
              () -> {
                impatient.transact(
                    () -> {
                      begun.countDown();
                      while (waited.getCount() > 0) {
                        map.set(1, TestHeaps.value(1));
                      }
                    });
                return true;
              });
      Limit.await(begun);
      List<Threads.Running<Boolean>> waiters = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        waiters.add(Threads.start("waiter", () -> waitForATurn(map, waited)));
      }
      for (Threads.Running<Boolean> waiter : waiters) {
        assertThat(waiter.result()).isTrue();
      }
      assertThat(holder.result()).isTrue();
      assertThat(impatient.isOpen()).isTrue();
    }
  }

  private static boolean waitForATurn(DurableMap<Integer, String> map, CountDownLatch waited) {
    try {
      for (int i = 0; i < 100; i++) {
        assertThatExceptionOfType(LockTimeoutException.class)
            .isThrownBy(() -> map.put(1, TestHeaps.value(1)));
      }
    } finally {
      waited.countDown();
    }
    return true;
  }

  @Test
  void aRefusalHasTheStackOfItsCaller() {
    heap.close();
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(() -> TestHeaps.put(heap, 1, 3))
        .satisfies(
            e ->
                assertThat(e.getStackTrace())
                    .anyMatch(f -> f.getMethodName().equals("aRefusalHasTheStackOfItsCaller")));
  }

  @Test
  void allHooksRunAlthoughOneFailsWithAnError() {
    List<String> calls = new ArrayList<>();
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () ->
                heap.transact(
                    () -> {
                      heap.transaction()
                          .onCommit(
                              () -> {
                                throw new AssertionError("first");
                              });
                      heap.transaction().onCommit(() -> calls.add("second"));
                    }));
    assertThat(calls).containsExactly("second");
  }

  @Test
  void theFailureOfAnAbortHookGoesWithThatOfTheBody() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                heap.transact(
                    () -> {
                      heap.transaction()
                          .onAbort(
                              () -> {
                                throw new AssertionError("hook");
                              });
                      throw new IllegalStateException("body");
                    }))
        .withMessage("body")
        .satisfies(e -> assertThat(e.getSuppressed()).hasOnlyElementsOfType(AssertionError.class));
  }

  @Test
  void aTimeoutTellsWhatTheHolderDoes() throws Exception {
    heap.close();
    try (Heap impatient = Heap.builder(directory).lockTimeout(Duration.ofMillis(20)).open()) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      Threads.Running<Boolean> holder =
          Threads.start("holder", () -> impatient.transact(() -> holdATurn(begun, end)));
      Limit.await(begun);
      assertThatExceptionOfType(LockTimeoutException.class)
          .isThrownBy(() -> TestHeaps.put(impatient, 1, 3))
          .withMessageContaining("holder")
          .satisfies(e -> assertThat(stackOf(e.getSuppressed()[0])).contains("holdATurn"));
      end.countDown();
      assertThat(holder.result()).isTrue();
    }
  }

  private static boolean holdATurn(CountDownLatch begun, CountDownLatch end)
      throws InterruptedException {
    begun.countDown();
    Limit.await(end);
    return true;
  }

  private static List<String> stackOf(Throwable t) {
    return List.of(t.getStackTrace()).stream().map(StackTraceElement::getMethodName).toList();
  }
}
