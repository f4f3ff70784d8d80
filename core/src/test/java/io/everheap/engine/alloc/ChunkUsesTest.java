package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChunkUsesTest {
  private static final int CHUNK = ChunkLayout.CHUNK_BYTES;

  @Test
  void eachChunkHasItsUse() {
    try (AllocatorRig rig = new AllocatorRig(21, 16)) {
      List<Long> slots = rig.allocate(5, 100);
      List<Long> pages = rig.allocate(2, 20_000);
      rig.allocate(2L * CHUNK);
      rig.free(slots.subList(0, 2));
      rig.allocate(1000);
      rig.home.putLong(ChunkLayout.entry(7, 21), ChunkLayout.oneMoreRetired(ChunkKind.RETIRED));
      rig.home.putLong(ChunkLayout.entry(9, 21), 99);
      rig.home.putLong(8192, 11L * CHUNK);
      rig.reopen();
      assertThat(rig.allocator.chunkUses())
          .containsExactly(
              new ChunkUse("metadata", 0, 1, 1),
              new ChunkUse("slots", 112, 3, SizeClasses.slots(SizeClasses.of(112))),
              new ChunkUse("pages", 0, 10, 63),
              new ChunkUse("large", 0, 1, 1),
              new ChunkUse("large", 0, 1, 1),
              new ChunkUse("large", 0, 1, 1),
              new ChunkUse("slots", 1024, 1, SizeClasses.slots(SizeClasses.of(1024))),
              new ChunkUse("retired", 0, 1, 1),
              new ChunkUse("metadata", 0, 1, 1),
              new ChunkUse("damaged", 0, 0, 1),
              new ChunkUse("free", 0, 0, 1));
      AllocatorStats stats = rig.allocator.stats();
      assertThat(stats.freeChunks()).isEqualTo(1);
      assertThat(stats.metadataChunks()).isEqualTo(2);
      assertThat(stats.largeChunks()).isEqualTo(3);
      assertThat(stats.retiredBlocks()).isEqualTo(1);
      assertThat(stats.pageBlocks()).isEqualTo(pages.size());
    }
  }

  /** In a chunk with retired runs, only headers tell which runs are blocks. */
  @Test
  void retiredRunsAreNoBlocks() {
    try (AllocatorRig rig = new AllocatorRig(21, 16)) {
      List<Long> runs = rig.allocate(4, 20_000);
      long address = Reference.address(runs.get(1));
      long entry = ChunkLayout.entry(ChunkLayout.chunkOf(address), 21);
      rig.home.putLong(address, BlockHeader.freed(Reference.MAX_GENERATION));
      rig.home.putLong(entry, ChunkLayout.oneMoreRetired(rig.home.getLong(entry)));
      rig.home.putLong(entry + 8, Reference.MAX_GENERATION);
      assertThat(rig.problems()).isEmpty();
      AllocatorStats stats = rig.open().stats();
      assertThat(stats.pageBlocks()).isEqualTo(3);
      assertThat(stats.pageBytesUsed()).isEqualTo(3 * 20_480);
      assertThat(stats.pageChunks()).isEqualTo(1);
      assertThat(stats.retiredBlocks()).isEqualTo(1);
      assertThat(stats.blocks()).isEqualTo(3);
    }
  }

  @Test
  void classesAreListedFromTheSmallestOn() {
    try (AllocatorRig rig = new AllocatorRig(21, 16)) {
      rig.allocate(2, 8000);
      rig.allocate(3, 8);
      List<AllocatorStats.SizeClass> classes = rig.allocator.stats().sizeClasses();
      assertThat(classes).hasSize(SizeClasses.COUNT);
      assertThat(classes.getFirst()).isEqualTo(new AllocatorStats.SizeClass(16, 3, 1));
      assertThat(classes.getLast()).isEqualTo(new AllocatorStats.SizeClass(8192, 2, 1));
      for (int i = 1; i < classes.size(); i++) {
        assertThat(classes.get(i).blockBytes()).isGreaterThan(classes.get(i - 1).blockBytes());
      }
    }
  }
}
