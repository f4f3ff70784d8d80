package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The words of references, block headers and chunk tables, as the document of the format says. */
class HeaderFormatTest {
  private static final int LAST = (1 << 24) - 1;

  @Test
  void aReferenceHasTheGenerationInFrontOfTheAddress() {
    assertThat(Reference.of(0x1230, 5)).isEqualTo(0x0000_0500_0000_0123L);
    assertThat(Reference.of((1L << 44) - 16, LAST)).isEqualTo(-1);
    long reference = Reference.of(0xABC_DEF0, LAST - 1);
    assertThat(Reference.address(reference)).isEqualTo(0xABC_DEF0);
    assertThat(Reference.payload(reference)).isEqualTo(0xABC_DEF8);
    assertThat(Reference.generation(reference)).isEqualTo(LAST - 1);
    assertThat(Reference.describe(Reference.of(0x1230, 5))).isEqualTo("0x1230 generation 5");
    assertThat(Reference.withGenerationOf(0x1230, BlockHeader.allocated(9, 1, 0)))
        .isEqualTo(Reference.of(0x1230, 9));
  }

  @Test
  void aHeaderHasGenerationTypeSlackAndFlags() {
    long header = BlockHeader.allocated(3, 0xABCDE, 0x2FFFF);
    assertThat(header).isEqualTo(3L << 40 | 0xABCDEL << 20 | 0x2FFFFL << 2 | 1);
    assertThat(BlockHeader.generation(header)).isEqualTo(3);
    assertThat(BlockHeader.type(header)).isEqualTo(0xABCDE);
    assertThat(BlockHeader.slack(header)).isEqualTo(0x2FFFF);
    assertThat(BlockHeader.isAllocated(header)).isTrue();
    assertThat(BlockHeader.isRetired(header)).isFalse();
    long last = BlockHeader.allocated(LAST, (1 << 20) - 1, (1 << 18) - 1);
    assertThat(last).isEqualTo(-3);
    assertThat(BlockHeader.generation(last)).isEqualTo(LAST);
    assertThat(BlockHeader.type(last)).isEqualTo(BlockType.MAX);
    assertThat(BlockHeader.slack(last)).isEqualTo((1 << 18) - 1);
  }

  @Test
  void aFreedSlotHasTheNextGenerationOrIsRetired() {
    assertThat(BlockHeader.free(7)).isEqualTo(7L << 40);
    assertThat(BlockHeader.freed(7)).isEqualTo(8L << 40);
    assertThat(BlockHeader.freed(LAST - 1)).isEqualTo((long) LAST << 40);
    assertThat(BlockHeader.freed(LAST)).isEqualTo((long) LAST << 40 | 2);
    assertThat(BlockHeader.isRetired(BlockHeader.freed(LAST))).isTrue();
    assertThat(BlockHeader.isAllocated(BlockHeader.freed(LAST))).isFalse();
    assertThat(BlockHeader.isRetired(BlockHeader.freed(LAST - 1))).isFalse();
  }

  @Test
  void aHeaderMatchesAReferenceOfItsGenerationIfItIsAllocated() {
    long reference = Reference.of(0x1230, 5);
    assertThat(BlockHeader.matches(BlockHeader.allocated(5, 77, 8), reference)).isTrue();
    assertThat(BlockHeader.matches(BlockHeader.allocated(4, 77, 8), reference)).isFalse();
    assertThat(BlockHeader.matches(BlockHeader.allocated(LAST, 77, 8), reference)).isFalse();
    assertThat(BlockHeader.matches(BlockHeader.free(5), reference)).isFalse();
  }

  @Test
  void theSlackOfARunHasItsPagesAndItsRoom() {
    assertThat(BlockHeader.runSlack(32, 4095)).isEqualTo(32 << 12 | 4095);
    long header = BlockHeader.allocated(1, 2, BlockHeader.runSlack(32, 4095));
    assertThat(BlockHeader.runPages(header)).isEqualTo(32);
    assertThat(BlockHeader.runRoom(header)).isEqualTo(4095);
  }

  @Test
  void aTableEntryIsInTheTableOfItsExtent() {
    assertThat(ChunkLayout.entry(0, 20)).isEqualTo(65_536);
    assertThat(ChunkLayout.entry(3, 20)).isEqualTo(65_536 + 48);
    assertThat(ChunkLayout.entry(4, 20)).isEqualTo((1 << 20) + 65_536);
    assertThat(ChunkLayout.entry(9, 20)).isEqualTo((2 << 20) + 65_536 + 16);
    assertThat(ChunkLayout.entry(9, 22)).isEqualTo(65_536 + 144);
    assertThat(ChunkLayout.entry(4096 + 4095, 30)).isEqualTo((1L << 30) + 65_536 + 16 * 4095);
    assertThat(ChunkLayout.chunksPerExtent(20)).isEqualTo(4);
    assertThat(ChunkLayout.chunksPerExtent(30)).isEqualTo(4096);
  }

  @Test
  void aTableEntryHasKindFlagRetiredAndChunks() {
    long word = 0x0000_1234_5678_0165L;
    assertThat(ChunkLayout.kind(word)).isEqualTo(0x65);
    assertThat(ChunkLayout.kind(0xFF)).isEqualTo(0xFF);
    assertThat(ChunkLayout.isFull(word)).isTrue();
    assertThat(ChunkLayout.isFull(word & ~256)).isFalse();
    assertThat(ChunkLayout.retired(word)).isEqualTo(0x5678);
    assertThat(ChunkLayout.retired(-1)).isEqualTo(0xFFFF);
    assertThat(ChunkLayout.oneMoreRetired(word)).isEqualTo(0x0000_1234_5679_0165L);
    assertThat(ChunkLayout.chunks(word)).isEqualTo(0x1234);
    assertThat(ChunkLayout.chunks(-1)).isEqualTo(0xFFFF);
    assertThat(ChunkLayout.large(101, 5)).isEqualTo(5L << 32 | 101);
    assertThat(ChunkLayout.floor(-1)).isEqualTo(LAST);
    assertThat(ChunkLayout.floor(1L << 24 | 3)).isEqualTo(3);
  }

  @Test
  void aCapacityIsAPositiveNumberOfChunksUpTo16TiB() {
    assertThat(ChunkLayout.isCapacity(0)).isFalse();
    assertThat(ChunkLayout.isCapacity(-ChunkLayout.CHUNK_BYTES)).isFalse();
    assertThat(ChunkLayout.isCapacity(ChunkLayout.CHUNK_BYTES)).isTrue();
    assertThat(ChunkLayout.isCapacity(ChunkLayout.CHUNK_BYTES + 4096)).isFalse();
    assertThat(ChunkLayout.isCapacity(ChunkLayout.CHUNK_BYTES - 1)).isFalse();
    assertThat(ChunkLayout.isCapacity(1L << 44)).isTrue();
    assertThat(ChunkLayout.isCapacity((1L << 44) + ChunkLayout.CHUNK_BYTES)).isFalse();
    assertThat(ChunkLayout.chunkOf(3L << 18)).isEqualTo(3);
    assertThat(ChunkLayout.chunkOf((3L << 18) - 1)).isEqualTo(2);
    assertThat(ChunkLayout.address(1 << 25)).isEqualTo(1L << 43);
  }

  @Test
  void theKindsInATableAreFreeSlotsPagesLargeBlocksAndRetired() {
    for (int kind = 0; kind < 256; kind++) {
      boolean slots = kind >= 1 && kind <= 96;
      assertThat(ChunkKind.isSlots(kind)).as("%s", kind).isEqualTo(slots);
      assertThat(ChunkKind.isStorable(kind))
          .as("%s", kind)
          .isEqualTo(kind == 0 || slots || (kind >= 100 && kind <= 103));
    }
    assertThat(ChunkKind.ofClass(0)).isEqualTo(1);
    assertThat(ChunkKind.ofClass(95)).isEqualTo(96);
    assertThat(ChunkKind.sizeClass(96)).isEqualTo(95);
  }

  @Test
  void theHeaderOfAChunkWithSlotsHasItsKindSlotsAndOpenedWords() {
    int kind = ChunkKind.ofClass(SizeClasses.of(112));
    int slots = SizeClasses.slots(SizeClasses.of(112));
    int words = (slots + 63) / 64;
    long header = SlotLayout.header(kind, slots, 5);
    assertThat(header).isEqualTo(5L << 32 | (long) slots << 16 | kind);
    assertThat(SlotLayout.opened(header)).isEqualTo(5);
    assertThat(SlotLayout.opened(-1)).isEqualTo(0xFFFF);
    assertThat(SlotLayout.isValid(header, kind)).isTrue();
    assertThat(SlotLayout.isValid(SlotLayout.header(kind, slots, 0), kind)).isTrue();
    assertThat(SlotLayout.isValid(SlotLayout.header(kind, slots, words), kind)).isTrue();
    assertThat(SlotLayout.isValid(SlotLayout.header(kind, slots, words + 1), kind)).isFalse();
    assertThat(SlotLayout.isValid(SlotLayout.header(kind, slots + 1, 5), kind)).isFalse();
    assertThat(SlotLayout.isValid(header, kind + 1)).isFalse();
    assertThat(SlotLayout.isValid(header | 1L << 48, kind)).isFalse();
    assertThat(SlotLayout.isValid(header | 1L << 8, kind)).isFalse();
  }

  @Test
  void bitsBehindTheLastSlotAreSet() {
    int sizeClass = SizeClasses.of(8192); // 31 slots
    assertThat(SizeClasses.slots(sizeClass)).isEqualTo(31);
    assertThat(SlotLayout.padding(sizeClass, 0)).isEqualTo(-1L << 31);
    int fits = SizeClasses.of(4096 - 64); // 4096: 63 slots
    assertThat(SizeClasses.slots(fits)).isEqualTo(63);
    assertThat(SlotLayout.padding(fits, 0)).isEqualTo(-1L << 63);
    int small = SizeClasses.of(16);
    int last = SizeClasses.words(small) - 1;
    int left = SizeClasses.slots(small) - 64 * last;
    assertThat(SlotLayout.padding(small, last)).isEqualTo(left == 64 ? 0 : -1L << left);
    assertThat(SlotLayout.padding(small, last - 1)).isZero();
  }

  @Test
  void onlyAnAllocatedBlockOfATypeLooksLikeIt() {
    assertThat(Allocator.looksLike(BlockHeader.allocated(4, 77, 16), 77)).isTrue();
    assertThat(Allocator.looksLike(BlockHeader.allocated(4, 77, 16), 76)).isFalse();
    assertThat(Allocator.looksLike(BlockHeader.allocated(4, 77, 16) | 2, 77)).isFalse();
    assertThat(Allocator.looksLike(BlockHeader.allocated(4, 77, 16) & ~1, 77)).isFalse();
    assertThat(Allocator.looksLike(0, 0)).isFalse();
    assertThat(Allocator.typeOf(BlockHeader.allocated(4, 77, 16))).isEqualTo(77);
  }

  @Test
  void theFootprintIsTheSlotThePagesOrTheChunks() {
    assertThat(Allocator.footprint(0)).isEqualTo(16);
    assertThat(Allocator.footprint(8)).isEqualTo(16);
    assertThat(Allocator.footprint(9)).isEqualTo(32);
    assertThat(Allocator.footprint(1100)).isEqualTo(1152);
    assertThat(Allocator.footprint(8184)).isEqualTo(8192);
    assertThat(Allocator.footprint(8185)).isEqualTo(12_288);
    assertThat(Allocator.footprint(12_280)).isEqualTo(12_288);
    assertThat(Allocator.footprint(12_281)).isEqualTo(16_384);
    assertThat(Allocator.footprint(131_064)).isEqualTo(131_072);
    assertThat(Allocator.footprint(131_065)).isEqualTo(262_144);
    assertThat(Allocator.footprint(262_136)).isEqualTo(262_144);
    assertThat(Allocator.footprint(262_137)).isEqualTo(524_288);
    assertThat(Allocator.maxBlock(20)).isEqualTo(3 * 262_144 - 8);
  }
}
