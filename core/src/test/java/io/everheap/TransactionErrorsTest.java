package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.collection.DurableMap;
import io.everheap.error.EverheapException;
import io.everheap.error.LockTimeoutException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.heap.HeapSettings;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransactionErrorsTest {
  @TempDir Path temp;
  private Path directory;

  @BeforeEach
  void nameAHeap() {
    directory = temp.resolve("h");
  }

  @Test
  void aTransactionThatAnotherThreadUsesNamesBothThreads() throws Exception {
    try (Heap heap = TestHeaps.open(directory)) {
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      heap.transact(
          () -> {
            map.put(0, TestHeaps.value(0));
            Transaction mine = heap.transaction();
            for (Runnable use :
                new Runnable[] {() -> mine.onCommit(() -> {}), () -> mine.onAbort(() -> {})}) {
              Threads.Running<Object> thief =
                  Threads.start(
                      "thief",
                      () -> {
                        use.run();
                        return "used it";
                      });
              assertThatExceptionOfType(ExecutionException.class)
                  .isThrownBy(thief::result)
                  .havingCause()
                  .isInstanceOfSatisfying(
                      OutsideTransactionException.class,
                      e -> assertThat(e.code()).isEqualTo("EH-TX-THREAD"))
                  .withMessageContainingAll("thief", Thread.currentThread().getName());
            }
            Threads.Running<Transaction> outsider = Threads.start("outsider", heap::transaction);
            assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(outsider::result)
                .havingCause()
                .isInstanceOfSatisfying(
                    OutsideTransactionException.class,
                    e -> assertThat(e.code()).isEqualTo("EH-TX-REQUIRED"))
                .withMessageContaining("Heap.transact");
            map.put(1, TestHeaps.value(1));
          });
      TestHeaps.assertHolds(heap, 2);
    }
    TestHeaps.assertHolds(directory, 2);
  }

  @Test
  void aTransactionIsOverWithItsBody() {
    try (Heap heap = TestHeaps.open(directory)) {
      Transaction[] kept = new Transaction[1];
      heap.transact(
          () -> {
            kept[0] = heap.transaction();
            TestHeaps.put(heap, 0, 1);
          });
      assertThatExceptionOfType(OutsideTransactionException.class)
          .isThrownBy(() -> kept[0].onCommit(() -> {}))
          .withMessageContaining("(EH-TX-THREAD)")
          .returns("EH-TX-THREAD", EverheapException::code)
          .withMessageContaining("ended");
      TestHeaps.assertHolds(heap, 1);
    }
    TestHeaps.assertHolds(directory, 1);
  }

  @Test
  void whoWaitsTooLongIsToldWhoseTransactionRuns() throws Exception {
    long timeout = 30_000_000;
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (Heap heap =
        HeapSettings.options(
                Heap.builder(directory),
                TestHeaps.options(1L << 30, 1L << 28, timeout, true, 0, true))
            .open()) {
      TestHeaps.put(heap, 0, 1);
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      Threads.Running<Object> slow =
          Threads.start(
              "the slow one",
              () -> {
                heap.transact(
                    () -> {
                      map.put(1, TestHeaps.value(1));
                      begun.countDown();
                      Limit.await(end);
                    });
                return "done";
              });
      Limit.await(begun);

      assertThatExceptionOfType(LockTimeoutException.class)
          .isThrownBy(() -> map.put(0, "changed"))
          .returns("EH-TX-TIMEOUT", EverheapException::code)
          .withMessageContainingAll("the slow one", "0.03 s", "HeapBuilder.lockTimeout");
      assertThatExceptionOfType(LockTimeoutException.class)
          .isThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        throw new AssertionError("the body must not run");
                      }));
      assertThat(map.get(0)).as("reads do not wait").isEqualTo(TestHeaps.value(0));
      assertThat(map.get(1)).as("nor see what is not committed").isNull();

      end.countDown();
      assertThat(slow.result()).isEqualTo("done");
      TestHeaps.put(heap, 2, 3);
      TestHeaps.assertHolds(heap, 3);
    }
    TestHeaps.assertHolds(directory, 3);
  }

  @Test
  void aReadThatFindsNoQuietMomentDoesNotWaitForeverForATransaction() throws Exception {
    long timeout = 30_000_000;
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    try (Heap heap =
        HeapSettings.options(
                Heap.builder(directory),
                TestHeaps.options(1L << 30, 1L << 28, timeout, true, 0, true))
            .open()) {
      TestHeaps.put(heap, 0, 1);
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      List<Threads.Running<Object>> slow = new ArrayList<>();
      assertThatExceptionOfType(LockTimeoutException.class)
          .isThrownBy(
              () ->
                  heap.read(
                      () -> {
                        map.get(0);
                        Threads.start(
                                "a writer",
                                () -> map.put(0, TestHeaps.value(0) + runs.incrementAndGet()))
                            .result();
                        if (runs.get() == 16) {
                          slow.add(Threads.start("the slow one", () -> hold(heap, begun, end)));
                          Limit.await(begun);
                        }
                        return map.get(0);
                      }))
          .withMessageContaining("the slow one");
      end.countDown();
      assertThat(slow.getFirst().result()).isEqualTo("done");
      assertThat(map.get(0)).isEqualTo(TestHeaps.value(0) + 16);
    }
  }

  private static Object hold(Heap heap, CountDownLatch begun, CountDownLatch end) throws Exception {
    heap.transact(
        () -> {
          begun.countDown();
          Limit.await(end);
        });
    return "done";
  }

  @Test
  void anExceptionThatTheBodyCatchesLeavesTheTransactionUsable() {
    try (Heap heap = TestHeaps.open(directory)) {
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      heap.transact(
          () -> {
            map.put(0, TestHeaps.value(0));
            assertThatIllegalStateException()
                .isThrownBy(
                    () ->
                        map.compute(
                            0,
                            (k, v) -> {
                              map.put(1, "undone");
                              throw new IllegalStateException("no");
                            }));
            assertThatIllegalStateException()
                .isThrownBy(() -> heap.transactAsync(() -> map.put(2, "never")));
            assertThatIllegalStateException().isThrownBy(heap::shrink);
          });
      TestHeaps.assertHolds(heap, 1);
    }
    TestHeaps.assertHolds(directory, 1);
  }

  @Test
  void anErrorInABodyUndoesItToo() {
    try (Heap heap = TestHeaps.open(directory)) {
      TestHeaps.put(heap, 0, 5);
      DurableMap<Integer, String> map = TestHeaps.numbers(heap);
      assertThatExceptionOfType(StackOverflowError.class)
          .isThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        map.clear();
                        throw new StackOverflowError("made up");
                      }));
      TestHeaps.assertHolds(heap, 5);
    }
    TestHeaps.assertHolds(directory, 5);
  }
}
