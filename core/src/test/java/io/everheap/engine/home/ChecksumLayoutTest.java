package io.everheap.engine.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class ChecksumLayoutTest {
  private static final long KEY = ChecksumLayout.key(new UUID(1, 2));

  @Test
  void anEntryHoldsTheCrcOfItsPage() {
    for (int crc : new int[] {0, 1, -1, Integer.MIN_VALUE, 0x1234_5678}) {
      long entry = ChecksumLayout.entry(KEY, 77, crc);
      assertThat(entry).isNotZero();
      assertThat(ChecksumLayout.crc(entry)).isEqualTo(crc);
      assertThat(ChecksumLayout.valid(KEY, 77, entry)).isTrue();
    }
  }

  @Test
  void anEntryCountsInItsPlaceOfItsHeapOnly() {
    long entry = ChecksumLayout.entry(KEY, 77, 5);
    assertThat(ChecksumLayout.valid(KEY, 78, entry)).isFalse();
    assertThat(ChecksumLayout.valid(ChecksumLayout.key(new UUID(1, 3)), 77, entry)).isFalse();
    assertThat(ChecksumLayout.valid(KEY, 0xFFFF_FFFFL, entry)).isFalse();
  }

  @Test
  void everyFlippedBitOfAnEntryIsNoticed() {
    long entry = ChecksumLayout.entry(KEY, 77, 0x0BAD_CAFE);
    for (int bit = 0; bit < 64; bit++) {
      assertThat(ChecksumLayout.valid(KEY, 77, entry ^ (1L << bit))).as("bit %d", bit).isFalse();
    }
  }

  @Test
  void theEntriesOfAChunkAreOneSector() {
    long pages = HomeLayout.CHUNK_SIZE / HomeLayout.PAGE_SIZE;
    assertThat(ChecksumLayout.position(pages)).isEqualTo(512);
    assertThat(ChecksumLayout.size(HomeLayout.INITIAL_CAPACITY)).isEqualTo(4 * 512);
  }
}
