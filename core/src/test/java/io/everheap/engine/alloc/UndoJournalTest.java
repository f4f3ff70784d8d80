package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UndoJournalTest {
  private final UndoJournal journal = new UndoJournal();

  private void add(int count) {
    for (int i = 0; i < count; i++) {
      journal.add(UndoJournal.ALLOCATE, i * 16L);
    }
  }

  private void requireAllocations(int count) {
    assertThat(journal.size()).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      if (journal.operation(i) != UndoJournal.ALLOCATE || journal.value(i) != i * 16L) {
        throw new AssertionError("entry " + i);
      }
    }
  }

  @Test
  void keepsTheEntriesOfALargeTransactionAndOfTheNextOne() {
    for (int count : new int[] {0, 1, 63, 64, 65, 300_000, 300_000, 65, 600_000}) {
      add(count);
      requireAllocations(count);
      journal.truncate(0);
    }
  }

  @Test
  void aSavepointIsALength() {
    add(100);
    journal.truncate(70);
    requireAllocations(70);
    journal.add(UndoJournal.FREE, 5);
    assertThat(journal.size()).isEqualTo(71);
    assertThat(journal.operation(70)).isEqualTo(UndoJournal.FREE);
    assertThat(journal.value(70)).isEqualTo(5);
  }

  @Test
  void saysWhetherAllEntriesAreAllocations() {
    assertThat(journal.onlyAllocations()).isTrue();
    add(3);
    assertThat(journal.onlyAllocations()).isTrue();
    journal.add(UndoJournal.FREE, 5);
    assertThat(journal.onlyAllocations()).isFalse();
    journal.add(UndoJournal.ALLOCATE, 16);
    assertThat(journal.onlyAllocations()).isFalse();
    journal.truncate(0);
    assertThat(journal.onlyAllocations()).isTrue();
  }

  @Test
  void givesTheMemoryOfALargeTransactionBackAtTheNextReservation() {
    add(600_000);
    journal.truncate(0);
    assertThat(journal.room()).isGreaterThanOrEqualTo(600_000);
    journal.reserve();
    assertThat(journal.room()).isEqualTo(64);
  }

  @Test
  void keepsTheMemoryOfAnOrdinaryTransaction() {
    for (int count : new int[] {1000, 1 << 18}) {
      add(count);
      int room = journal.room();
      journal.truncate(0);
      journal.reserve();
      assertThat(journal.room()).isEqualTo(room);
    }
  }
}
