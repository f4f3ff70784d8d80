package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.home.HomeLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a walk finds which problem, and which words it says are the allocator's. */
class AllocationProblemsTest {
  private static final int CHUNK = ChunkLayout.CHUNK_BYTES;
  private static final int LAST = Reference.MAX_GENERATION;

  private final AllocatorRig rig = new AllocatorRig(21, 16);

  @AfterEach
  void close() {
    rig.close();
  }

  private long entry(int chunk) {
    return ChunkLayout.entry(chunk, rig.extentShift);
  }

  private void put(long address, long word) {
    rig.home.putLong(address, word);
  }

  private long get(long address) {
    return rig.home.getLong(address);
  }

  private void requireProblems(String... expected) {
    assertThat(rig.problems()).containsExactly(expected);
  }

  private int blocks() {
    return rig.blocks().size();
  }

  @Test
  void bitsOfATableEntryThatAreAlwaysZero() {
    rig.allocate(100);
    long word = get(entry(1));
    for (int bit = 9; bit < 64; bit++) {
      if (bit < 16 || bit >= 48) {
        put(entry(1), word | 1L << bit);
        requireProblems(
            entry(1)
                + ": The table entry has unknown bits: 0x"
                + Long.toHexString(word | 1L << bit));
      }
    }
    put(entry(1), word | 1L << 40);
    requireProblems(entry(1) + ": Only the chunks of large blocks are counted");
    put(entry(1), word);
    requireProblems();
    put(entry(1) + 8, 1L << 24);
    requireProblems(entry(1) + 8 + ": The generation floor of the chunk is 16777216");
  }

  @Test
  void entriesOfChunksThatCannotBeInUse() {
    put(entry(0), 1);
    put(entry(2), 1 << 8);
    put(entry(5), ChunkLayout.oneMoreRetired(ChunkKind.RETIRED)); // behind the capacity of 4
    put(entry(7), 1);
    requireProblems(
        entry(0) + ": The chunk cannot be in use, but its table entry is not 0",
        entry(2) + ": The chunk cannot be in use, but its table entry is not 0",
        entry(5) + ": The chunk is behind the capacity, but its table entry is not 0",
        entry(7) + ": The chunk is behind the capacity, but its table entry is not 0");
  }

  @Test
  void kindsThatAreUnknownOrOutOfPlace() {
    put(entry(1), ChunkLayout.oneMoreRetired(ChunkKind.RETIRED));
    requireProblems();
    put(entry(2), ChunkKind.RETIRED);
    put(entry(3), 99);
    requireProblems(
        entry(2) + ": The kind of the chunk is 103", entry(3) + ": The kind of the chunk is 99");
    put(entry(2), ChunkLayout.large(ChunkKind.LARGE_REST, 1));
    put(entry(3), 0);
    requireProblems(entry(2) + ": The chunk does not belong to the large block before it");
  }

  @Test
  void aLargeBlockThatDoesNotFit() {
    rig.allocate(100);
    long all = rig.allocate(7L * CHUNK - 8); // the whole second extent
    assertThat(Reference.address(all)).isEqualTo(9L * CHUNK);
    requireProblems();
    assertThat(blocks()).isEqualTo(2);
    put(entry(9), ChunkLayout.large(ChunkKind.LARGE, 8));
    assertThat(rig.problems())
        .startsWith(entry(9) + ": The large block has 8 chunks where 7 fit")
        .hasSize(7);
    put(entry(9), ChunkLayout.large(ChunkKind.LARGE, 0));
    assertThat(rig.problems()).startsWith(entry(9) + ": The large block has 0 chunks where 7 fit");
    put(entry(9), ChunkLayout.large(ChunkKind.LARGE, 7) | ChunkLayout.FULL);
    assertThat(rig.problems()).startsWith(entry(9) + ": The large block has 7 chunks where 7 fit");
    put(entry(9), ChunkLayout.large(ChunkKind.LARGE, 7));
    put(HomeLayout.CAPACITY_ADDRESS, 12L * CHUNK);
    assertThat(rig.problems()).startsWith(entry(9) + ": The large block has 7 chunks where 3 fit");
    put(entry(9), ChunkLayout.large(ChunkKind.LARGE, 3));
    for (int chunk = 12; chunk < 16; chunk++) {
      put(entry(chunk), 0);
    }
    requireProblems();
    assertThat(blocks()).isEqualTo(2);
  }

  @Test
  void aChunkOfALargeBlockThatBelongsToAnother() {
    long reference = rig.allocate(3L * CHUNK - 8);
    assertThat(Reference.address(reference)).isEqualTo(CHUNK);
    put(entry(3), ChunkLayout.large(ChunkKind.LARGE_REST, 1));
    requireProblems(
        entry(3) + ": The chunk does not belong to the large block before it",
        entry(3) + ": The chunk does not belong to the large block before it");
    assertThat(blocks()).isZero();
    put(entry(2), 0);
    requireProblems(
        entry(2) + ": The chunk does not belong to the large block before it",
        entry(3) + ": The chunk does not belong to the large block before it");
  }

  @Test
  void theHeaderOfALargeBlock() {
    long reference = rig.allocate(2L * CHUNK - 100);
    long address = Reference.address(reference);
    put(entry(1) + 8, 5);
    for (int generation = 4; generation <= 6; generation++) {
      long header = BlockHeader.allocated(generation, 7, 92);
      put(address, header);
      if (generation <= 5) {
        requireProblems();
        assertThat(rig.blocks())
            .containsOnlyKeys(Reference.of(address, generation))
            .containsValue(new AllocatorRig.Block(7, 2L * CHUNK - 100));
      } else {
        requireProblems(address + ": The large block's header is 0x" + Long.toHexString(header));
      }
    }
    for (long header : new long[] {BlockHeader.free(5), BlockHeader.allocated(5, 7, 92) | 2}) {
      put(address, header);
      requireProblems(address + ": The large block's header is 0x" + Long.toHexString(header));
      assertThat(blocks()).isZero();
    }
  }

  @Test
  void theGenerationsOfSlots() {
    List<Long> references = rig.allocate(3, 100);
    long base = Reference.address(references.getFirst()) & -CHUNK;
    long used = Reference.address(references.get(1));
    rig.free(references.get(2));
    long free = Reference.address(references.get(2));
    put(entry(1) + 8, 3);
    put(base + 8, 3);
    int slots = SizeClasses.slots(SizeClasses.of(108));
    assertThat(rig.problems())
        .hasSize(64)
        .contains(used + ": The slot's generation is below the chunk's floor 3");
    int first = SizeClasses.first(SizeClasses.of(108));
    for (int slot = 0; slot < slots; slot++) {
      long address = base + first + 112L * slot;
      put(address, address == free ? BlockHeader.free(3) : get(address) | BlockHeader.free(3));
    }
    requireProblems();
    put(base + 8, 2);
    assertThat(rig.problems())
        .startsWith(base + ": The chunk's largest generation is 2")
        .contains(free + ": The slot's generation is above the chunk's largest");
    put(base + 8, LAST);
    requireProblems();
    put(base + 8, LAST + 1L);
    requireProblems(base + ": The chunk's largest generation is 16777216");
    put(base + 8, 4);
    put(free, BlockHeader.free(4));
    requireProblems();
    put(free, BlockHeader.free(5));
    requireProblems(free + ": The slot's generation is above the chunk's largest");
    put(free, BlockHeader.free(4) | 1);
    String isBlock = free + ": The slot's bit is clear, but its header is that of a block";
    requireProblems(isBlock);
    put(free, BlockHeader.free(4) | 2);
    requireProblems(isBlock);
    put(free, BlockHeader.free(4));
    put(used, BlockHeader.allocated(9, 7, 4));
    requireProblems();
  }

  @Test
  void theHeadersOfSlots() {
    List<Long> references = rig.allocate(3, 100);
    long base = Reference.address(references.getFirst()) & -CHUNK;
    long used = Reference.address(references.get(1));
    String noBlock = used + ": The slot's bit is set, but its header is that of no block";
    long header = get(used);
    put(used, header | 2);
    requireProblems(noBlock);
    put(used, header & ~1);
    requireProblems(noBlock);
    put(used, BlockHeader.freed(LAST));
    requireProblems(base + ": The chunk has 1 retired slots, its count is wrong");
    assertThat(blocks()).isEqualTo(2);
    put(entry(1), ChunkLayout.oneMoreRetired(get(entry(1))));
    requireProblems();
    put(used, header);
    requireProblems(base + ": The chunk has 0 retired slots, its count is wrong");
    put(entry(1), ChunkKind.ofClass(SizeClasses.of(108)));
    put(used, BlockHeader.allocated(0, 7, 16));
    requireProblems(used + ": The block's size does not fit its slot");
    put(used, BlockHeader.allocated(0, 7, 15));
    requireProblems();
    put(used, BlockHeader.allocated(0, 7, 0));
    requireProblems();
    put(base, get(base) + (1L << 16));
    requireProblems(base + ": The chunk's header is not that of its size class");
    assertThat(blocks()).isZero();
  }

  /** A slot of 16 bytes may have a block without a payload, but its header must be inside. */
  @Test
  void theSmallestBlock() {
    long address = Reference.address(rig.allocate(0));
    requireProblems();
    assertThat(rig.blocks()).containsValue(new AllocatorRig.Block(0, 0));
    put(address, BlockHeader.allocated(0, 0, 9));
    requireProblems(address + ": The block's size does not fit its slot");
  }

  @Test
  void theFlagAndThePaddingOfAChunkOfSlots() {
    long reference = rig.allocate(8000);
    long base = Reference.address(reference) & -CHUNK;
    put(entry(1), get(entry(1)) | ChunkLayout.FULL);
    requireProblems(base + ": The chunk is not full, its flag is wrong");
    put(entry(1), get(entry(1)) & ~ChunkLayout.FULL);
    put(base + 64, get(base + 64) & Long.MAX_VALUE);
    requireProblems(base + ": Bits behind the last slot are clear in word 0");
    put(base + 64, get(base + 64) | Long.MIN_VALUE);
    rig.allocate(30, 8000);
    requireProblems();
    put(entry(1), get(entry(1)) & ~ChunkLayout.FULL);
    requireProblems(base + ": The chunk is full, its flag is wrong");
    assertThat(blocks()).isEqualTo(31);
  }

  @Test
  void runsOfPages() {
    List<Long> references = rig.allocate(3, 20_000); // pages 1 to 5, 6 to 10, 11 to 15
    long address = Reference.address(references.get(1));
    long base = address & -CHUNK;
    long header = get(address);
    put(address, header | 2);
    String noBlock = address + ": The pages are in use, but their header is that of no block";
    requireProblems(noBlock);
    put(address, header & ~1);
    requireProblems(noBlock);
    put(entry(1) + 8, 4);
    put(address, header | BlockHeader.free(4));
    requireProblems();
    put(address, header | BlockHeader.free(5));
    requireProblems(address + ": The block's generation is above the chunk's floor 4");
    put(address, BlockHeader.allocated(4, 7, BlockHeader.runSlack(4, 0)));
    requireProblems(address + ": The block has 5 pages, its header says otherwise");
    put(address, BlockHeader.allocated(4, 7, BlockHeader.runSlack(5, 300)));
    requireProblems();
    assertThat(rig.blocks()).containsValue(new AllocatorRig.Block(7, 20_480 - 8 - 300));
    put(entry(1) + 8, LAST);
    put(address, BlockHeader.freed(LAST));
    requireProblems(base + ": The chunk has 1 retired runs, its count is wrong");
    put(entry(1), ChunkLayout.oneMoreRetired(get(entry(1))));
    requireProblems();
    assertThat(blocks()).isEqualTo(2);
    put(entry(1), get(entry(1)) | ChunkLayout.FULL);
    requireProblems(base + ": The chunk is not full, its flag is wrong");
    put(entry(1), 1L << 32 | 1 << 16 | ChunkKind.PAGES);
    requireProblems(entry(1) + ": Only the chunks of large blocks are counted");
  }

  @Test
  void theBitmapsOfAChunkOfPages() {
    long base = Reference.address(rig.allocate(20_000)) & -CHUNK; // pages 1 to 5
    long[] sound = {ChunkKind.PAGES, 0x3F, 2};
    String header = base + ": The chunk's header is not that of a chunk with pages";
    String runs = base + ": The chunk's runs of pages are not well-formed";
    requireBitmaps(base, sound);
    requireBitmaps(base, new long[] {ChunkKind.PAGES + 1, 0x3F, 2}, header);
    requireBitmaps(base, new long[] {ChunkKind.PAGES, 0x3E, 2}, header);
    requireBitmaps(base, new long[] {ChunkKind.PAGES, 0x3F, 3}, header);
    requireBitmaps(base, new long[] {ChunkKind.PAGES, 0x3F, 0x42}, runs);
    requireBitmaps(base, new long[] {ChunkKind.PAGES, 0x13F, 2}, runs);
    requireBitmaps(base, new long[] {ChunkKind.PAGES, 0x3F, 0}, runs);
    requireBitmaps(base, new long[] {ChunkKind.PAGES, 0x3F, 4}, runs);
    requireBitmaps(base, new long[] {ChunkKind.PAGES, 1, 0});
    requireBitmaps(
        base,
        new long[] {ChunkKind.PAGES, 0x1F, 2},
        base + 4096 + ": The block has 4 pages, its header says otherwise");
  }

  private void requireBitmaps(long base, long[] words, String... expected) {
    for (int i = 0; i < 3; i++) {
      put(base + 8L * i, words[i]);
    }
    requireProblems(expected);
  }

  @Test
  void aChunkThatIsFullOfPages() {
    rig.allocate(1, 63 * 4096 / 3 - 8);
    rig.allocate(2, 63 * 4096 / 3 - 8);
    long base = CHUNK;
    requireProblems();
    assertThat(get(entry(1))).isEqualTo(ChunkKind.PAGES | ChunkLayout.FULL);
    put(entry(1), ChunkKind.PAGES);
    requireProblems(base + ": The chunk is full, its flag is wrong");
  }

  @Test
  void anImageThatIsShorterThanItsCapacity() {
    put(HomeLayout.CAPACITY_ADDRESS, 64L * CHUNK);
    assertThat(rig.problems())
        .containsExactly(
            16L * CHUNK + ": The home image ends before its capacity of 16777216 bytes");
    put(HomeLayout.CAPACITY_ADDRESS, -CHUNK);
    requireProblems("8192: The capacity is -262144");
  }

  private List<String> kept() {
    List<String> kept = new ArrayList<>();
    List<String> chunks = new ArrayList<>();
    new AllocationWalker(rig.memory, rig.extentShift)
        .walk(
            new AllocationVisitor() {
              @Override
              public void chunk(int chunk, int all) {
                chunks.add(chunk + "/" + all);
              }

              @Override
              public void block(long reference, int type, long size) {}

              @Override
              public void kept(long address, long bytes) {
                kept.add(address + " " + bytes);
              }

              @Override
              public void problem(long address, String message) {
                throw new AssertionError(message);
              }
            });
    int all = rig.allocator.chunkUses().size();
    assertThat(chunks).startsWith("0/" + all, "1/" + all);
    return kept;
  }

  @Test
  void theAllocatorsWordsAreTablesBitmapsAndHeaders() {
    rig.allocate(1, 8000);
    rig.allocate(2, 20_000);
    rig.allocate(1, 2L * CHUNK);
    List<String> expected = new ArrayList<>();
    expected.add("65536 128");
    expected.add(CHUNK + " 16");
    expected.add(CHUNK + 64 + " 8");
    int first = SizeClasses.first(SizeClasses.of(8008));
    for (int slot = 0; slot < 31; slot++) {
      expected.add(CHUNK + first + 8192L * slot + " 8");
    }
    expected.add(2L * CHUNK + " 24");
    expected.add(2L * CHUNK + 4096 + " 8");
    expected.add(2L * CHUNK + 6 * 4096 + " 8");
    expected.add(3L * CHUNK + " 8");
    assertThat(kept()).containsExactlyElementsOf(expected);
  }

  /** Slots that were not used since a chunk was formatted have headers if the chunk is not new. */
  @Test
  void theHeadersOfUnusedSlotsAreTheAllocatorsIfTheChunkHadBlocks() {
    long address = Reference.address(rig.allocate(100));
    long base = address & -CHUNK;
    int slots = SizeClasses.slots(SizeClasses.of(108));
    long first = base + SizeClasses.first(SizeClasses.of(108));
    assertThat(kept()).hasSize(3 + 64);
    put(entry(1) + 8, 3);
    put(base + 8, 3);
    for (int slot = 0; slot < slots; slot++) {
      put(first + 112L * slot, slot == 0 ? BlockHeader.allocated(3, 0, 4) : BlockHeader.free(3));
    }
    List<String> kept = kept();
    assertThat(kept).hasSize(3 + slots).doesNotHaveDuplicates();
    assertThat(kept.getLast()).isEqualTo(first + 112L * (slots - 1) + " 8");
    assertThat(kept.get(3 + 64)).isEqualTo(first + 112L * 64 + " 8");
  }

  @Test
  void onlyTheWordsOfABitmapThatWereUsedAreTheAllocators() {
    rig.allocate(64, 100);
    assertThat(kept()).contains(CHUNK + 64 + " 8").hasSize(3 + 64);
    rig.allocate(100, 100);
    assertThat(kept()).contains(CHUNK + 64 + " 24").hasSize(3 + 3 * 64);
  }
}
