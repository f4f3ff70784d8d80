package io.everheap.engine.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SuperblockTest {
  private static final Superblock BLOCK =
      new Superblock(
          new UUID(1, 2),
          7,
          3,
          4096,
          99,
          8192,
          1 << 20,
          30,
          1 << 24,
          1 << 24,
          1,
          12345,
          Superblock.CLEAN);

  private static ByteBuffer bytes(Superblock s) {
    return s.encode().order(java.nio.ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void readsBackWhatItWrote() {
    assertThat(Superblock.decode(bytes(BLOCK))).isEqualTo(new Superblock.Slot.Valid(BLOCK));
  }

  @Test
  void everyFlippedBitIsNoticed() {
    for (int bit = 0; bit < Superblock.SIZE * 8; bit++) {
      ByteBuffer damaged = bytes(BLOCK);
      damaged.put(bit / 8, (byte) (damaged.get(bit / 8) ^ (1 << (bit % 8))));
      Superblock.Slot slot = Superblock.decode(damaged);
      if (bit / 8 >= 508) {
        continue; // behind the checksum: nothing stands there
      }
      assertThat(slot).as("bit %d", bit).isNotInstanceOf(Superblock.Slot.Valid.class);
    }
  }

  @Test
  void consecutiveGenerationsStandInDifferentSlots() {
    assertThat(BLOCK.reaching(9000).address()).isNotEqualTo(BLOCK.address());
    assertThat(Math.abs(BLOCK.reaching(9000).address() - BLOCK.address())).isEqualTo(4096);
  }

  @Test
  void theNewestValidSlotCounts() {
    Superblock.Slot older = new Superblock.Slot.Valid(BLOCK);
    Superblock.Slot newer = new Superblock.Slot.Valid(BLOCK.reaching(9000));
    assertThat(Superblock.newest(older, newer)).isEqualTo(BLOCK.reaching(9000));
    assertThat(Superblock.newest(newer, older)).isEqualTo(BLOCK.reaching(9000));
    assertThat(Superblock.newest(older, new Superblock.Slot.Damaged())).isEqualTo(BLOCK);
    assertThat(Superblock.newest(new Superblock.Slot.Damaged(), new Superblock.Slot.Foreign()))
        .isNull();
  }

  @Test
  void aCheckpointInTheSameEpochKeepsTheReachAndANewEpochStartsItAnew() {
    assertThat(BLOCK.checkpointed(3, 5120, 1, 1 << 20, false).minReplayEnd()).isEqualTo(8192);
    assertThat(BLOCK.checkpointed(4, 5120, 1, 1 << 20, false).minReplayEnd()).isEqualTo(5120);
  }
}
