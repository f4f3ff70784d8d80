package io.everheap.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.StoppedException;
import io.everheap.memory.MediumSetting;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What listeners hear of a transaction in which the disk fails. */
class UnknownOutcomeTest {
  private final SimulatedMedium medium = SimulatedMedium.file(1);
  private final Heap heap =
      MediumSetting.medium(Heap.builder(Path.of(medium.location())), medium).open();
  private final Map<String, Long> accounts = heap.map("accounts", String.class, Long.class);
  private final TransactionTemplate transactions =
      new TransactionTemplate(new HeapTransactionManager(heap));
  private final List<String> heard = new ArrayList<>();

  @AfterEach
  void close() {
    heap.close();
  }

  private void put(String key, Runnable last) {
    transactions.executeWithoutResult(
        status -> {
          TransactionSynchronizationManager.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                  heard.add("committed");
                }

                @Override
                public void afterCompletion(int outcome) {
                  heard.add("status " + outcome);
                }
              });
          accounts.put(key, 1L);
          last.run();
        });
  }

  @Test
  void aCommitWhoseDurableWriteFailsHasAnUnknownOutcome() {
    assertThatThrownBy(() -> put("a", () -> medium.faults().failDurableWrite(1)))
        .isInstanceOf(StoppedException.class);
    assertThat(heard).containsExactly("status " + TransactionSynchronization.STATUS_UNKNOWN);
  }

  @Test
  void aBodyThatEndsAfterTheHeapStoppedIsRolledBack() {
    assertThatThrownBy(() -> put("a", () -> medium.faults().failDurableWrite(1)));
    heard.clear();
    assertThatThrownBy(() -> put("b", () -> {})).isInstanceOf(StoppedException.class);
    assertThat(heard).doesNotContain("committed");
    assertThat(heard).doesNotContain("status " + TransactionSynchronization.STATUS_UNKNOWN);
  }
}
