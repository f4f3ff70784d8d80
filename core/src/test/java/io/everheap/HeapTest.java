package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.engine.EngineOptions;
import io.everheap.error.GoneException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.error.SchemaMismatchException;
import io.everheap.error.UnsupportedTypeException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.support.Limit;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeapTest {
  @TempDir Path temp;

  private record Account(String owner, long balance) {}

  @Test
  void aMapIsThereAfterTheHeapWasClosedAndOpenedAgain() {
    try (Heap heap = Heap.open(temp.resolve("bank"))) {
      DurableMap<String, Long> accounts = heap.map("accounts", String.class, Long.class);
      heap.transact(
          () -> {
            accounts.merge("alice", -10L, Long::sum);
            accounts.merge("bob", 10L, Long::sum);
          });
    }
    try (Heap heap = Heap.open(temp.resolve("bank"))) {
      DurableMap<String, Long> accounts = heap.map("accounts", String.class, Long.class);
      assertThat(accounts)
          .containsOnly(java.util.Map.entry("alice", -10L), java.util.Map.entry("bob", 10L));
      assertThat(heap.stats().recovery().clean()).isTrue();
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void recordsAreValuesOnceALookupIsGiven() {
    try (Heap heap = Heap.builder(temp.resolve("r")).lookup(MethodHandles.lookup()).open()) {
      DurableMap<Integer, Account> accounts = heap.map("accounts", Integer.class, Account.class);
      accounts.put(1, new Account("alice", 5));
      assertThat(accounts.get(1)).isEqualTo(new Account("alice", 5));
    }
  }

  @Test
  void aTypeWithoutACodecIsNamed() {
    try (Heap heap = Heap.inMemory()) {
      assertThatThrownBy(() -> heap.map("x", String.class, Thread.class))
          .isInstanceOf(UnsupportedTypeException.class)
          .hasMessageContaining("Thread");
    }
  }

  @Test
  void otherTypesThanTheStoredOnesAreRefusedWithBothNames() {
    try (Heap heap = Heap.inMemory()) {
      heap.map("x", String.class, Long.class).put("a", 1L);
      assertThatThrownBy(() -> heap.map("x", String.class, Integer.class))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("long")
          .hasMessageContaining("int");
    }
  }

  @Test
  void anExceptionUndoesTheTransactionAndPasses() {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<String, Long> map = heap.map("m", String.class, Long.class);
      map.put("a", 1L);
      assertThatThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        map.put("a", 2L);
                        map.put("b", 2L);
                        throw new IOException("no");
                      }))
          .isInstanceOf(IOException.class);
      assertThat(map).containsOnly(java.util.Map.entry("a", 1L));
    }
  }

  @Test
  void anInnerFailureThatTheOuterBodyCatchesUndoesOnlyTheInnerPart() {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<String, Long> map = heap.map("m", String.class, Long.class);
      heap.transact(
          () -> {
            map.put("outer", 1L);
            try {
              heap.transact(
                  () -> {
                    map.put("inner", 1L);
                    map.put("outer", 2L);
                    throw new IllegalStateException("inner");
                  });
            } catch (IllegalStateException expected) {
              map.put("after", 3L);
            }
          });
      assertThat(map)
          .containsOnly(java.util.Map.entry("outer", 1L), java.util.Map.entry("after", 3L));
    }
  }

  @Test
  void aRootThatIsMadeInAnAbortedTransactionDoesNotExist() {
    try (Heap heap = Heap.inMemory()) {
      List<DurableMap<String, Long>> leaked = new ArrayList<>();
      assertThatThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        leaked.add(heap.map("m", String.class, Long.class));
                        throw new IllegalStateException("no");
                      }))
          .isInstanceOf(IllegalStateException.class);
      assertThat(heap.names()).isEmpty();
      assertThatThrownBy(() -> leaked.get(0).put("a", 1L)).isInstanceOf(GoneException.class);
      heap.map("m", String.class, Long.class).put("b", 1L);
      assertThatThrownBy(() -> leaked.get(0).get("a")).isInstanceOf(GoneException.class);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void aRemovedRootIsStaleAndItsNameFree() {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<String, Long> map = heap.map("m", String.class, Long.class);
      map.put("a", 1L);
      assertThat(heap.remove("m")).isTrue();
      assertThat(heap.remove("m")).isFalse();
      assertThat(heap.contains("m")).isFalse();
      assertThatThrownBy(() -> map.get("a")).isInstanceOf(GoneException.class);
      assertThat(heap.map("m", Long.class, Long.class)).isEmpty();
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void aHeapTakesManyRoots() {
    try (Heap heap = Heap.inMemory()) {
      heap.transact(
          () -> {
            for (int i = 0; i < 3000; i++) {
              heap.map("root" + i, Integer.class, String.class).put(i, "value " + i);
            }
          });
      assertThat(heap.names()).hasSize(3000);
      assertThat(heap.map("root2999", Integer.class, String.class))
          .containsEntry(2999, "value 2999");
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void hooksRunAfterTheirTransaction() {
    List<String> calls = new ArrayList<>();
    try (Heap heap = Heap.inMemory()) {
      heap.transact(
          () -> {
            heap.transaction().onCommit(() -> calls.add("commit"));
            heap.transaction().onAbort(() -> calls.add("abort"));
          });
      assertThat(calls).containsExactly("commit");
    }
  }

  @Test
  void aTransactionBelongsToItsThreadAndItsBody() throws Exception {
    try (Heap heap = Heap.inMemory();
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      AtomicReference<Transaction> leaked = new AtomicReference<>();
      heap.transact(
          () -> {
            leaked.set(heap.transaction());
            Future<?> use = other.submit(() -> leaked.get().onCommit(() -> {}));
            assertThatThrownBy(() -> Limit.get(use))
                .hasCauseInstanceOf(OutsideTransactionException.class);
          });
      assertThatThrownBy(() -> leaked.get().onCommit(() -> {}))
          .isInstanceOf(OutsideTransactionException.class)
          .hasMessageContaining("(EH-TX-THREAD)");
      heap.transact(
          () ->
              assertThatThrownBy(() -> leaked.get().onAbort(() -> {}))
                  .isInstanceOf(OutsideTransactionException.class)
                  .hasMessageContaining("(EH-TX-THREAD)"));
      assertThatThrownBy(heap::transaction).isInstanceOf(OutsideTransactionException.class);
    }
  }

  @Test
  void anAsynchronousTransactionCompletesOnceItIsDurable() throws Exception {
    try (Heap heap = Heap.open(temp.resolve("h"))) {
      DurableMap<String, Long> map = heap.map("m", String.class, Long.class);
      CompletableFuture<String> transaction =
          heap.transactAsync(
                  () -> {
                    map.put("a", 1L);
                    return "done";
                  })
              .toCompletableFuture();
      assertThat(Limit.get(transaction)).isEqualTo("done");
      assertThat(heap.stats().durableLsn()).isEqualTo(heap.stats().appendedLsn());
    }
  }

  @Test
  void durabilityCanBeChosenPerTransaction() throws Exception {
    try (Heap heap =
        Heap.builder(temp.resolve("h")).durability(Durability.async(Duration.ofHours(1))).open()) {
      DurableMap<String, Long> map = heap.map("m", String.class, Long.class);
      heap.transact(Durability.SYNC, () -> map.put("a", 1L));
      assertThat(heap.stats().durableLsn()).isEqualTo(heap.stats().appendedLsn());
      map.put("b", 1L);
      boolean atOnce = OpenHeap.engine(heap).medium().byteAddressable(); // there, ASYNC is SYNC
      assertThat(heap.stats().durableLsn() == heap.stats().appendedLsn()).isEqualTo(atOnce);
      heap.sync();
      assertThat(heap.stats().durableLsn()).isEqualTo(heap.stats().appendedLsn());
    }
  }

  @Test
  void severalReadsInOneViewSeeOneState() throws Exception {
    try (Heap heap = Heap.inMemory();
        ExecutorService writer = Executors.newSingleThreadExecutor()) {
      DurableMap<Integer, Long> map = heap.map("m", Integer.class, Long.class);
      heap.transact(
          () -> {
            map.put(1, 0L);
            map.put(2, 0L);
          });
      CountDownLatch started = new CountDownLatch(1);
      Future<?> writes =
          writer.submit(
              () -> {
                started.countDown();
                for (long i = 1; i <= 20_000; i++) {
                  long value = i;
                  heap.transact(
                      () -> {
                        map.put(1, value);
                        map.put(2, -value);
                      });
                }
              });
      Limit.await(started);
      while (!writes.isDone()) {
        long sum = heap.read(() -> map.get(1) + map.get(2));
        assertThat(sum).isZero();
      }
      Limit.get(writes);
    }
  }

  @Test
  void aWriteInsideAReadIsRefused() {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<Integer, Long> map = heap.map("m", Integer.class, Long.class);
      assertThatThrownBy(() -> heap.read(() -> map.put(1, 1L)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("transact");
    }
  }

  @Test
  void anInterruptedCallerLosesNothingAndStaysInterrupted() {
    try (Heap heap = Heap.open(temp.resolve("h"))) {
      DurableMap<Integer, Long> map = heap.map("m", Integer.class, Long.class);
      for (int i = 0; i < 50; i++) {
        Thread.currentThread().interrupt();
        map.put(i, (long) i);
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(map).hasSize(50);
    }
    try (Heap heap = Heap.open(temp.resolve("h"))) {
      assertThat(heap.map("m", Integer.class, Long.class)).hasSize(50);
    }
  }

  @Test
  void virtualThreadsCommitTogether() throws Exception {
    try (Heap heap = Heap.open(temp.resolve("h"))) {
      DurableMap<Integer, Long> map = heap.map("m", Integer.class, Long.class);
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
          int key = i % 100;
          all.add(threads.submit(() -> map.merge(key, 1L, Long::sum)));
        }
        for (Future<?> f : all) {
          Limit.get(f);
        }
      }
      assertThat(map.values()).hasSize(100).allMatch(v -> v == 20);
    }
  }

  @Test
  void whatDependsOnAnAsynchronousTransactionMayWriteToTheHeap() throws Exception {
    EngineOptions small =
        new EngineOptions(
            1L << 30,
            22,
            1 << 20,
            1 << 16,
            1 << 16,
            1L << 28,
            64 << 20,
            60_000_000_000L,
            true,
            0,
            true);
    byte[] large = new byte[3000];
    try (Heap heap = HeapSettings.options(Heap.builder(temp.resolve("h")), small).open()) {
      DurableMap<Integer, byte[]> map = heap.map("m", Integer.class, byte[].class);
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        int key = i;
        all.add(
            heap.transactAsync(() -> map.put(key, large))
                .thenRun(() -> map.put(-key - 1, large))
                .toCompletableFuture());
        map.put(1000 + i, large);
      }
      Limit.get(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
      assertThat(map).hasSize(900);
      assertThat(heap.verify().problems()).isEmpty();
    }
    try (Heap heap = HeapSettings.options(Heap.builder(temp.resolve("h")), small).open()) {
      assertThat(heap.map("m", Integer.class, byte[].class)).hasSize(900);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void aHookThatFailsFailsTheCompletionOfItsAsynchronousTransaction() throws Exception {
    try (Heap heap = Heap.open(temp.resolve("h"))) {
      DurableMap<Integer, Long> map = heap.map("m", Integer.class, Long.class);
      var stage =
          heap.transactAsync(
              () -> {
                heap.transaction()
                    .onCommit(
                        () -> {
                          throw new IllegalStateException("hook");
                        });
                return map.put(1, 1L);
              });
      assertThatThrownBy(() -> Limit.get(stage.toCompletableFuture())).hasRootCauseMessage("hook");
      assertThat(map).hasSize(1);
    }
  }

  @Test
  void aHeapCanShrinkRightAfterItWasOpened() {
    for (int i = 0; i < 20; i++) {
      try (Heap heap = Heap.open(temp.resolve("h"))) {
        assertThat(heap.shrink()).isNotNegative();
        heap.map("m", Integer.class, Long.class).put(i, 1L);
      }
    }
  }

  @Test
  void whatNeedsTheWriterLockIsRefusedInsideATransaction() {
    try (Heap heap = Heap.inMemory()) {
      heap.transact(
          () -> {
            assertThatThrownBy(heap::checkpoint).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(heap::shrink).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(heap::close).isInstanceOf(IllegalStateException.class);
          });
      assertThat(heap.isOpen()).isTrue();
    }
  }
}
