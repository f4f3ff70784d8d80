package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tutorial of docs/testing-under-crashes.md, which quotes it. */
@Campaign
class TestYourOwnInvariantTest {
  // An invariant [
  @Test
  void aTransferNeitherMakesNorLosesMoney() {
    CrashTest.of(
            (heap, steps) -> {
              for (int i = 0; i < 10; i++) {
                steps.begin();
                transfer(accounts(heap), heap, "alice", "bob", 5);
                steps.end();
              }
            })
        .verify(
            (heap, progress) -> {
              long alice = accounts(heap).getOrDefault("alice", 0L);
              long bob = accounts(heap).getOrDefault("bob", 0L);
              assertThat(alice + bob).isZero();
              assertThat(bob).isBetween(5L * progress.least(), 5L * progress.most());
            });
  }

  static void transfer(
      DurableMap<String, Long> accounts, Heap heap, String from, String to, long amount) {
    heap.transact(
        () -> {
          accounts.merge(from, -amount, Long::sum);
          accounts.merge(to, amount, Long::sum);
        });
  }

  static DurableMap<String, Long> accounts(Heap heap) {
    return heap.map("accounts", String.class, Long.class);
  }

  // ]

  // A bug [
  @Test
  void aTransferInTwoTransactionsIsCaught() {
    List<CrashTest.Operation> operations = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      operations.add(heap -> accounts(heap).merge("alice", -5L, Long::sum));
      operations.add(heap -> accounts(heap).merge("bob", 5L, Long::sum));
    }
    CrashTest test = CrashTest.ofOperations(operations).effort(2, 2).onFilesOnly();

    assertThatThrownBy(
            () ->
                test.verify(
                    (heap, progress) -> {
                      long alice = accounts(heap).getOrDefault("alice", 0L);
                      long bob = accounts(heap).getOrDefault("bob", 0L);
                      assertThat(alice + bob).isZero();
                    }))
        .hasMessageContaining("seed 1 on simulated-file")
        .hasMessageContaining("void reproduction()");
  }

  // ]

  // A budget [
  @Test
  void aTransferIsOneDurableWrite() throws Exception {
    FlushLint.Cost cost =
        FlushLint.of(heap -> transfer(accounts(heap), heap, "alice", "bob", 5))
            .after(heap -> transfer(accounts(heap), heap, "bob", "alice", 5))
            .onFiles();

    assertThat(cost.syncs()).isEqualTo(1);
    assertThat(cost.unflushed()).isEmpty();
  }
  // ]
}
