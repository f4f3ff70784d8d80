package io.everheap.engine.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
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
          Superblock.CLEAN,
          List.of());

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
  void aCheckpointKeepsTheReach() {
    assertThat(BLOCK.checkpointed(3, 5120, 1, 1 << 20, false).minReplayEnd()).isEqualTo(8192);
    assertThat(BLOCK.checkpointed(4, 9216, 1, 1 << 20, false).minReplayEnd()).isEqualTo(9216);
  }

  @Test
  void laterEpochsAreReadBackAndEndWithACheckpoint() {
    Superblock open = BLOCK.continued(5, 8192, 11).continued(6, 9216, 12);
    assertThat(open.clean()).isFalse();
    assertThat(open.minReplayEnd()).isEqualTo(9216);
    assertThat(open.laterEpochs())
        .containsExactly(new Superblock.Later(5, 8192, 11), new Superblock.Later(6, 9216, 12));
    assertThat(Superblock.decode(bytes(open))).isEqualTo(new Superblock.Slot.Valid(open));
    assertThat(open.reaching(9232).laterEpochs()).isEqualTo(open.laterEpochs());
    Superblock after = open.checkpointed(6, 9232, 13, 1 << 20, false);
    assertThat(after.laterEpochs()).isEmpty();
    assertThat(after.epoch()).isEqualTo(6);
  }

  @Test
  void anEpochThatHoldsNothingIsForgotten() {
    Superblock open = BLOCK.continued(5, 8192, 11).continued(6, 8192, 11);
    assertThat(open.laterEpochs()).containsExactly(new Superblock.Later(6, 8192, 11));
  }

  @Test
  void thereIsRoomForAFewEpochsOnly() {
    Superblock open = BLOCK;
    for (int i = 0; i < Superblock.MAX_LATER_EPOCHS; i++) {
      assertThat(open.canContinue(8192 + 16 * i)).isTrue();
      open = open.continued(4 + i, 8192 + 16 * i, i);
    }
    assertThat(Superblock.decode(bytes(open))).isEqualTo(new Superblock.Slot.Valid(open));
    assertThat(open.canContinue(9216)).isFalse();
    assertThat(open.canContinue(open.laterEpochs().getLast().lsn())).isTrue();
    assertThat(Superblock.decode(bytes(open.continued(99, 9216, 1))))
        .isInstanceOf(Superblock.Slot.Damaged.class);
  }

  @Test
  void epochsThatCannotFollowEachOtherAreDamage() {
    for (Superblock wrong :
        List.of(
            BLOCK.continued(3, 8192, 1), // not higher
            BLOCK.continued(5, 8200, 1), // not a part's LSN
            BLOCK.continued(5, 4096, 1), // holds nothing
            BLOCK.continued(5, 8192, 1).continued(5, 9216, 1),
            BLOCK.continued(5, 8192, 1).continued(6, 5120, 1),
            BLOCK.continued(5, 8192, 1).with(Superblock.CLEAN))) {
      assertThat(Superblock.decode(bytes(wrong)))
          .as("%s", wrong)
          .isInstanceOf(Superblock.Slot.Damaged.class);
    }
  }
}
