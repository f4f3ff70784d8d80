package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.support.tier.Campaign;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@Campaign
class CrashTestTest {
  @Test
  void aTransferInOneTransactionSurvivesEveryCrash() {
    CrashReport report =
        CrashTest.of(CrashTestTest::transfers)
            .effort(2, 4)
            .verify(
                (heap, progress) -> {
                  DurableMap<String, Long> accounts = accounts(heap);
                  long a = accounts.getOrDefault("a", 0L);
                  assertThat(accounts.getOrDefault("b", 0L)).isEqualTo(-a);
                  assertThat(a).isBetween((long) progress.least(), (long) progress.most());
                });

    assertThat(report.states()).isGreaterThan(report.points());
  }

  @Test
  void aTransferInTwoTransactionsIsCaughtHalfDone() {
    CrashTest test =
        CrashTest.of(
                (heap, steps) -> {
                  DurableMap<String, Long> accounts = accounts(heap);
                  accounts.put("a", 1L);
                  accounts.put("b", -1L);
                })
            .onFilesOnly();

    assertThatThrownBy(
            () ->
                test.verify(
                    (heap, progress) -> {
                      DurableMap<String, Long> accounts = accounts(heap);
                      assertThat(accounts.containsKey("a")).isEqualTo(accounts.containsKey("b"));
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("seed 1 on simulated-file")
        .hasMessageContaining("point");
  }

  @Test
  void withoutWaitingAPrefixSurvivesThatHoldsWhatWasSynced() {
    CrashTest.of(
            (heap, steps) -> {
              transfers(heap, steps);
              heap.sync();
              steps.durable();
              transfers(heap, steps);
            })
        .durability(Durability.async(Duration.ofMinutes(30)))
        .effort(2, 4)
        .onFilesOnly()
        .verify(
            (heap, progress) -> {
              long a = accounts(heap).getOrDefault("a", 0L);
              assertThat(a).isBetween((long) progress.least(), (long) progress.most());
            });
  }

  private static void transfers(Heap heap, CrashTest.Steps steps) {
    DurableMap<String, Long> accounts = accounts(heap);
    for (int i = 0; i < 8; i++) {
      steps.begin();
      heap.transact(
          () -> {
            accounts.merge("a", 1L, Long::sum);
            accounts.merge("b", -1L, Long::sum);
          });
      steps.end();
    }
  }

  private static DurableMap<String, Long> accounts(Heap heap) {
    return heap.map("accounts", String.class, Long.class);
  }
}
