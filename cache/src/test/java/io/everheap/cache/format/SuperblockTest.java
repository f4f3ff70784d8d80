package io.everheap.cache.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SuperblockTest {
  private static final int SECTOR = 512;

  /** A state with as much in it as there can be. */
  private static State full() {
    return State.empty(-1)
        .opening(-1, new UUID(-1, -1))
        .next()
        .reserved(1000)
        .formed(999)
        .voids(
            LongStream.range(0, State.MAX_VOIDS)
                .mapToObj(i -> new Span(10 * i, 10 * i + 5))
                .toList());
  }

  private static Superblock superblock() {
    return new Superblock(new UUID(-1, -2), -1, 1L << 40, 1 << 20, 1 << 16, -1, full());
  }

  @Test
  void allThatIsNotZeroIsInOneSectorWhichAPowerLossCannotTear() {
    ByteBuffer bytes = ByteBuffer.allocate(Superblock.SIZE);
    superblock().write(bytes, null);
    byte[] rest = Arrays.copyOfRange(bytes.array(), SECTOR, Superblock.SIZE);
    assertThat(rest).containsOnly(0);
  }

  @Test
  void aFullStateIsReadAsItWasWritten() {
    ByteBuffer bytes = ByteBuffer.allocate(Superblock.SIZE);
    superblock().write(bytes, null);
    assertThat(Superblock.read(bytes, null)).isEqualTo(superblock());
  }
}
