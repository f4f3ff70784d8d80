package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the keys of a store are, which never changes: stores on disks depend on it. */
class PlacementTest {
  /** The hashes of keys of 0 to 17 bytes: 200, 207, and so on. */
  private static final long[] HASHES = {
    0x6e789e6aa1b965f4L,
    0xe697a98b03af1789L,
    0xc99408e7ae2b99f6L,
    0x638ef6a37d47430cL,
    0x2412f4e10983d50cL,
    0xb99185d8398c48c3L,
    0x8882112cefa6c59eL,
    0x7d2df76c8ab5eb1cL,
    0x59fa6833096fb5ebL,
    0x1f7e1e37315c74a9L,
    0xa1f63de3af7dbf38L,
    0x2ec90f8fac7ef655L,
    0x73e5df954e62d6bdL,
    0x08d9320ef9631467L,
    0xbc82ae1ab2094ad6L,
    0xe484ab91d84155bcL,
    0xaba28505cc41b251L,
    0x46b68c4bc32f3ec3L
  };

  private static byte[] key(int length) {
    byte[] key = new byte[length];
    for (int i = 0; i < length; i++) {
      key[i] = (byte) (200 + 7 * i);
    }
    return key;
  }

  @Test
  void theHashOfAKeyNeverChanges() {
    for (int length = 0; length < HASHES.length; length++) {
      assertThat(Placement.hash(key(length))).as("%s bytes", length).isEqualTo(HASHES[length]);
      assertThat(Placement.slot(key(length))).isEqualTo((int) (HASHES[length] >>> 52));
    }
    assertThat(Placement.slot(key(1))).isEqualTo(3689);
  }

  /** A number of shards, and a hash of the shards of all slots. */
  @ParameterizedTest
  @CsvSource({
    "1, 0",
    "2, -223073771",
    "3, 222904228",
    "5, -469547287",
    "8, -99291145",
    "16, 1773544282",
    "256, 1453607868"
  })
  void theShardOfASlotNeverChanges(int shards, int hash) {
    Placement placement = new Placement(shards, shards);
    int sum = 0;
    for (int slot = 0; slot < Placement.SLOTS; slot++) {
      sum = 31 * sum + placement.target(slot);
      assertThat(placement.source(slot)).isEqualTo(placement.target(slot));
    }
    assertThat(sum).isEqualTo(hash);
  }

  @Test
  void aNewShardTakesSlotsOfAllOthersAndNothingMovesBetweenThose() {
    for (int shards = 1; shards < 20; shards++) {
      Placement placement = new Placement(shards, shards + 1);
      int[] taken = new int[shards];
      for (int slot = 0; slot < Placement.SLOTS; slot++) {
        if (placement.source(slot) != placement.target(slot)) {
          assertThat(placement.target(slot)).isEqualTo(shards);
          taken[placement.source(slot)]++;
        }
      }
      assertThat(Arrays.stream(taken).min().getAsInt()).isPositive();
      assertThat(IntStream.of(taken).sum())
          .isBetween(Placement.SLOTS / (shards + 1) / 2, 2 * Placement.SLOTS / (shards + 1));
    }
  }

  @Test
  void keysMoveOnlyWhileTheNumberChanges() {
    Placement moving = new Placement(2, 5);
    assertThat(moving.moving()).isTrue();
    assertThat(moving.from()).isEqualTo(2);
    assertThat(moving.to()).isEqualTo(5);
    assertThat(moving.shards()).isEqualTo(5);
    assertThat(new Placement(5, 2).shards()).isEqualTo(5);
    assertThat(new Placement(5, 5).moving()).isFalse();
    Placement from = new Placement(2, 2);
    Placement to = new Placement(5, 5);
    for (int slot = 0; slot < Placement.SLOTS; slot++) {
      assertThat(moving.source(slot)).isEqualTo(from.target(slot));
      assertThat(moving.target(slot)).isEqualTo(to.target(slot));
    }
  }
}
