package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExtentGuessTest {
  private static final long CHUNK = ChunkLayout.CHUNK_BYTES;
  private static final int SLOTS = 5;

  private final Map<Long, Long> words = new HashMap<>();

  private int guess(int chunks) {
    return ExtentGuess.shift(address -> words.getOrDefault(address, 0L), chunks * CHUNK);
  }

  @Test
  void theImageOfAHeapHasTheSizeOfItsExtents() {
    for (int shift = 20; shift < 24; shift++) {
      try (AllocatorRig rig = new AllocatorRig(shift, 40)) {
        for (int i = 0; i < 12; i++) {
          rig.allocate(8, 8000 - 600 * i);
          rig.allocate(1, i % 3 == 0 ? 200_000 : 20_000);
          rig.allocate(30, 8000 - 600 * i);
        }
        long capacity = rig.allocator.stats().capacity();
        assertThat(ExtentGuess.shift(rig.home::getLong, capacity)).isEqualTo(shift);
      }
    }
  }

  @Test
  void withoutAnyBlockTheSmallestExtentsAreGuessed() {
    assertThat(guess(0)).isEqualTo(20);
    assertThat(guess(1)).isEqualTo(20);
    assertThat(guess(16)).isEqualTo(20);
  }

  /** Chunks 1 to {@code chunks}, as the table of one extent has them. */
  private void slots(int chunks, int shift) {
    for (int chunk = 1; chunk <= chunks; chunk++) {
      words.put(ChunkLayout.entry(chunk, shift), (long) SLOTS);
      words.put(ChunkLayout.address(chunk), (long) SLOTS);
    }
  }

  @Test
  void chunksThatAgreeWithTheirEntriesCount() {
    slots(7, 21); // 4 is a block; of extents of 1 MiB it would be metadata
    assertThat(guess(8)).isEqualTo(21);
    words.clear();
    words.put(ChunkLayout.entry(5, 21), (long) ChunkKind.PAGES);
    words.put(ChunkLayout.address(5), (long) ChunkKind.PAGES | 0x700);
    assertThat(guess(8)).isEqualTo(21);
  }

  /** One chunk that agrees is worth more than a table that is empty, not more than four. */
  @Test
  void anEntryThatAgreesIsWorthFourEmptyTables() {
    words.put(ChunkLayout.entry(9, 22), (long) SLOTS);
    words.put(ChunkLayout.address(9), (long) SLOTS);
    assertThat(guess(16)).as("4 for the chunk and 1 for a table; 4 for four tables").isEqualTo(22);
    assertThat(guess(20)).as("4 and 2; 5").isEqualTo(22);
    assertThat(guess(21)).as("4 and 2; 6, where the smaller size wins").isEqualTo(20);
    assertThat(guess(25)).as("4 and 2; 7").isEqualTo(20);
  }

  @Test
  void aChunkThatDoesNotAgreeWithItsEntryCountsAgainstIt() {
    words.put(ChunkLayout.entry(1, 20), (long) SLOTS); // the same entry for each size
    words.put(ChunkLayout.entry(5, 20), (long) SLOTS); // in the second extent of 1 MiB
    assertThat(guess(16)).as("4 - 8 of 1 MiB, 2 - 4 of 2 MiB").isEqualTo(21);
    words.put(ChunkLayout.address(5), (long) SLOTS);
    assertThat(guess(16)).as("4 - 4 + 4 of 1 MiB").isEqualTo(20);
  }

  @Test
  void anEntryOfNoKindCountsAgainstTheSize() {
    words.put(ChunkLayout.entry(5, 20), 99L);
    assertThat(guess(16)).as("4 - 4 of 1 MiB, 2 of 2 MiB").isEqualTo(21);
    words.put(ChunkLayout.entry(5, 20), (long) ChunkKind.LARGE);
    assertThat(guess(16)).as("a kind without a header in its chunk").isEqualTo(20);
  }

  @Test
  void anEntryOfAMetadataChunkCountsAgainstTheSize() {
    words.put(ChunkLayout.entry(4, 20), (long) ChunkKind.LARGE);
    words.put(ChunkLayout.entry(8, 20), (long) ChunkKind.LARGE);
    words.put(ChunkLayout.entry(12, 20), (long) ChunkKind.LARGE);
    assertThat(guess(16)).as("1 - 3 of 1 MiB, 1 - 1 of 2 MiB, 1 of 4 MiB").isEqualTo(22);
    words.remove(ChunkLayout.entry(8, 20));
    assertThat(guess(16)).as("2 - 2 of 1 MiB, 2 of 2 MiB, 1 of 4 MiB").isEqualTo(21);
  }

  @Test
  void theLargestExtentsAreGuessedToo() {
    for (int chunk = 2049; chunk < 4096; chunk++) { // of extents of 1 GiB alone
      words.put(ChunkLayout.entry(chunk, 30), (long) SLOTS);
      words.put(ChunkLayout.address(chunk), (long) SLOTS);
    }
    assertThat(guess(4096)).isEqualTo(30);
  }
}
