package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BurnedGenerationsTest {
  private static final long SLOT = ChunkLayout.address(3) + 112;
  private static final long OTHER = ChunkLayout.address(3) + 224;

  private final BurnedGenerations burned = new BurnedGenerations();

  @Test
  void withoutARollbackGenerationsAreThoseOfTheHeaders() {
    assertThat(burned.hasSlots()).isFalse();
    assertThat(burned.slotAtLeast(SLOT, 4)).isEqualTo(4);
    assertThat(burned.slotAtLeast(SLOT, 0)).isZero();
    assertThat(burned.chunkAtLeast(3, 4)).isEqualTo(4);
    assertThat(burned.chunkAtLeast(3, 0)).isZero();
  }

  @Test
  void theNextBlockInASlotOrAtTheStartOfItsChunkHasALaterGeneration() {
    burned.burnSlot(Reference.of(SLOT, 7));
    assertThat(burned.hasSlots()).isTrue();
    assertThat(burned.slotAtLeast(SLOT, 7)).isEqualTo(8);
    assertThat(burned.slotAtLeast(SLOT, 9)).isEqualTo(9);
    assertThat(burned.slotAtLeast(OTHER, 7)).isEqualTo(7);
    assertThat(burned.chunkAtLeast(3, 0)).isEqualTo(8);
    assertThat(burned.chunkAtLeast(2, 0)).isZero();
    assertThat(burned.chunkAtLeast(4, 0)).isZero();
  }

  @Test
  void theLargestBurnedGenerationOfAChunkCounts() {
    burned.burnSlot(Reference.of(SLOT, 7));
    burned.burnSlot(Reference.of(OTHER, 2));
    assertThat(burned.chunkAtLeast(3, 0)).isEqualTo(8);
    burned.burnChunk(Reference.of(ChunkLayout.address(3), 20));
    assertThat(burned.chunkAtLeast(3, 0)).isEqualTo(21);
    burned.burnChunk(Reference.of(ChunkLayout.address(3), 10));
    assertThat(burned.chunkAtLeast(3, 0)).isEqualTo(21);
    assertThat(burned.slotAtLeast(SLOT, 0)).isEqualTo(8);
  }

  @Test
  void aSlotIsForgottenWhenItsHeaderHasALaterGenerationButItsChunkIsNot() {
    burned.burnSlot(Reference.of(SLOT, 7));
    burned.burnSlot(Reference.of(OTHER, 2));
    burned.forgetSlot(SLOT);
    assertThat(burned.slotAtLeast(SLOT, 0)).isZero();
    assertThat(burned.slotAtLeast(OTHER, 0)).isEqualTo(3);
    assertThat(burned.hasSlots()).isTrue();
    burned.forgetSlot(OTHER);
    assertThat(burned.hasSlots()).isFalse();
    assertThat(burned.chunkAtLeast(3, 0)).isEqualTo(8);
  }

  @Test
  void aBlockOfAChunkBurnsNoSlot() {
    burned.burnChunk(Reference.of(ChunkLayout.address(3), 20));
    assertThat(burned.hasSlots()).isFalse();
    assertThat(burned.slotAtLeast(ChunkLayout.address(3), 0)).isZero();
  }
}
