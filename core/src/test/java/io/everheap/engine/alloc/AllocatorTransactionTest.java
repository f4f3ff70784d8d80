package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the allocator forgets when a transaction was applied. */
class AllocatorTransactionTest {
  private static final long BLOCK = Reference.of(ChunkLayout.CHUNK_BYTES + 4096, 3);

  private final UndoJournal journal = new UndoJournal();
  private final BurnedGenerations burned = new BurnedGenerations();

  @SuppressWarnings("NullAway") // parts that the end of a transaction does not use
  private AllocatorTransaction transaction() {
    return new AllocatorTransaction(null, null, null, journal, burned, null, null, null, null);
  }

  /** Otherwise a map in memory would grow with each slot that was ever rolled back. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSlotThatIsUsedAgainHasNoBurnedGeneration(boolean freesToo) {
    burned.burnSlot(BLOCK);
    journal.reserve();
    journal.add(UndoJournal.ALLOCATE, BLOCK);
    if (freesToo) {
      journal.reserve();
      journal.add(UndoJournal.FREE, Reference.of(2L * ChunkLayout.CHUNK_BYTES, 1));
    }
    transaction().applied();
    assertThat(burned.hasSlots()).isFalse();
  }

  @Test
  void aSlotThatIsOnlyFreedKeepsItsBurnedGeneration() {
    burned.burnSlot(BLOCK);
    journal.reserve();
    journal.add(UndoJournal.FREE, BLOCK);
    transaction().applied();
    assertThat(burned.slotAtLeast(Reference.address(BLOCK), 0)).isEqualTo(4);
  }
}
