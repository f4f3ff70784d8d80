package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.home.HomeLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Words of the allocator that were damaged lead to no other block, and few pages are touched. */
class DamagedBlocksTest {
  private static final int SLOTS = 31; // of 8 KiB in a chunk
  private static final int PAYLOAD = 8184;

  private final AllocatorRig rig = new AllocatorRig(22, 16);

  @AfterEach
  void close() {
    rig.close();
  }

  /**
   * A block whose bit is clear lowers the count of its chunk when it is freed, although no slot
   * becomes free: the chunk counts a free slot that its bitmap does not have.
   */
  @Test
  void aCountThatDoesNotFitTheBitmapLeadsToNoUsedSlot() {
    List<Long> blocks = rig.allocate(3 * SLOTS, PAYLOAD);
    long first = blocks.getFirst();
    int chunk = ChunkLayout.chunkOf(Reference.address(first));
    List<Long> ofChunk =
        blocks.stream()
            .filter(block -> ChunkLayout.chunkOf(Reference.address(block)) == chunk)
            .toList();
    assertThat(ofChunk).hasSize(SLOTS);
    rig.free(ofChunk.subList(10, SLOTS));
    long bitmap = ChunkLayout.address(chunk) + SlotLayout.BITMAP;
    rig.home.putLong(bitmap, rig.home.getLong(bitmap) & ~1L);
    rig.reopen();
    rig.free(first);
    Set<Long> used = new HashSet<>();
    blocks.forEach(block -> used.add(Reference.address(block)));
    ofChunk.subList(10, SLOTS).forEach(block -> used.remove(Reference.address(block)));
    used.remove(Reference.address(first));
    long header = rig.home.getLong(Reference.address(blocks.getLast()));
    for (long block : rig.allocate(SLOTS, PAYLOAD)) {
      assertThat(used.add(Reference.address(block))).as(Reference.describe(block)).isTrue();
    }
    assertThat(rig.home.getLong(Reference.address(blocks.getLast()))).isEqualTo(header);
  }

  /** The bits of a chunk of pages say how many blocks it has; their headers are not read. */
  @Test
  void figuresCountABlockOfPagesWhoseHeaderIsDamaged() {
    long block = rig.allocate(20_000);
    AllocatorStats before = rig.allocator.stats();
    rig.home.putLong(Reference.address(block), 0);
    rig.reopen();
    assertThat(rig.allocator.stats().pageBlocks()).isEqualTo(1);
    assertThat(rig.allocator.stats().pageBytesUsed()).isEqualTo(before.pageBytesUsed());
  }

  /** A chunk costs what is used of it: the headers of its other slots are not written. */
  @Test
  void aSmallBlockTouchesFewPagesOfANewChunk() {
    long address = Reference.address(rig.allocate(8));
    long first = ChunkLayout.address(ChunkLayout.chunkOf(address)) / HomeLayout.PAGE_SIZE;
    int pages = ChunkLayout.CHUNK_BYTES / HomeLayout.PAGE_SIZE;
    long touched =
        LongStream.range(first, first + pages).filter(rig.home.dirty()::containsPage).count();
    assertThat(touched).isBetween(1L, 8L);
  }
}
