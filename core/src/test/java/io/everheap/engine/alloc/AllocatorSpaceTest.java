package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.tx.Stripes;
import io.everheap.error.FullException;
import io.everheap.error.GoneException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which chunks the allocator takes, keeps and gives back, and with which generations. */
class AllocatorSpaceTest {
  private static final int CHUNK = ChunkLayout.CHUNK_BYTES;
  private static final int LAST = Reference.MAX_GENERATION;
  private static final long LARGE = 200_000;
  private static final long[] SIZES = {8000, 100_000, LARGE};

  private AllocatorRig rig = new AllocatorRig(21, 32);

  @AfterEach
  void isSoundAtTheEnd() {
    assertThat(rig.problems()).isEmpty();
    assertThat(rig.allocator.stats().blocks()).isEqualTo(rig.blocks().size());
    rig.close();
  }

  /** Starts again with a heap of another size. */
  private void heap(int chunks) {
    isSoundAtTheEnd();
    rig = new AllocatorRig(21, chunks);
  }

  private static long address(long reference) {
    return Reference.address(reference);
  }

  private static int chunk(long reference) {
    return ChunkLayout.chunkOf(address(reference));
  }

  private String use(int chunk) {
    return rig.allocator.chunkUses().get(chunk).kind();
  }

  private long rolledBack(long size) {
    long[] reference = new long[1];
    rig.rolledBack(() -> reference[0] = rig.allocator.allocate(1, size));
    return reference[0];
  }

  /** Blocks of one chunk that a transaction allocates beside one that stays. */
  @Test
  void aBlockThatIsRolledBackLeavesItsPlaceToTheNext() {
    for (long size : new long[] {100, 8000, 20_000, 60_000}) {
      long first = rig.allocate(size);
      long gone = rolledBack(size);
      long next = rig.allocate(size);
      assertThat(chunk(next)).isEqualTo(chunk(first));
      assertThat(address(next)).isEqualTo(address(gone));
      assertThat(Reference.generation(next)).isEqualTo(Reference.generation(gone) + 1);
      assertThat(rig.problems()).isEmpty();
      rig.reopen();
      assertThatThrownBy(() -> rig.allocator.check(gone)).isInstanceOf(GoneException.class);
    }
  }

  /** Lets the first chunks have a floor, so that the next block there has that generation. */
  private void floors(int chunks, int floor) {
    for (int chunk = 1; chunk <= chunks; chunk++) {
      rig.home.putLong(ChunkLayout.entry(chunk, rig.extentShift) + 8, floor);
    }
    rig.reopen();
  }

  @Test
  void aChunkWhoseLastGenerationIsBurnedIsNotTaken() {
    for (long size : SIZES) {
      heap(32);
      floors(3, LAST);
      long gone = rolledBack(size);
      assertThat(gone).isEqualTo(Reference.of(address(gone), LAST));
      assertThat(chunk(gone)).isOne();
      long next = rig.allocate(size);
      assertThat(chunk(next)).as("%s bytes", size).isEqualTo(2);
      assertThat(Reference.generation(next)).isEqualTo(LAST);
      rig.free(next);
      assertThat(rig.allocator.stats().retiredBlocks()).isOne();
    }
  }

  @Test
  void aRunOfPagesIsNotTakenInAChunkWhoseLastGenerationIsBurned() {
    floors(1, LAST);
    long first = rig.allocate(20_000);
    assertThat(chunk(first)).isOne();
    assertThat(chunk(rolledBack(20_000))).isOne();
    long next = rig.allocate(20_000);
    assertThat(chunk(next)).isEqualTo(2);
    assertThat(Reference.generation(next)).isZero();
    rig.allocator.check(first);
  }

  @Test
  void aCommitThatFailsAfterItsPreparationLeavesNoSpaceBehind() {
    for (long size : SIZES) {
      heap(12);
      List<Long> references = rig.fill(size);
      AllocatorStats before = rig.allocator.stats();
      rig.begin();
      references.forEach(reference -> rig.allocator.free(Stripes.NONE, reference));
      rig.failCommit();
      assertThat(rig.allocator.stats()).isEqualTo(before);
      rig.begin();
      assertThatThrownBy(() -> rig.allocator.allocate(1, size))
          .as("%s bytes", size)
          .isInstanceOf(FullException.class);
      rig.rollback();
      assertThat(rig.blocks()).containsOnlyKeys(references);
      rig.free(references.getLast());
      long again = rig.allocate(size);
      assertThat(address(again)).isEqualTo(address(references.getLast()));
      assertThat(again).isNotEqualTo(references.getLast());
      references.set(references.size() - 1, again);
      rig.free(references);
      assertThat(rig.fill(size)).hasSameSizeAs(references);
    }
  }

  @Test
  void emptyChunksOfPagesServeOthersWhenNoOtherIsLeft() {
    rig.free(rig.allocate(3, 20_000));
    assertThat(use(1)).isEqualTo("pages");
    assertThat(rig.fill(LARGE)).hasSize(28);
  }

  @Test
  void oneEmptyChunkOfPagesIsKeptUntilItIsTrimmed() {
    List<Long> references = rig.allocate(10, 100_000); // two in each chunk
    int[] chunks = references.stream().mapToInt(AllocatorSpaceTest::chunk).distinct().toArray();
    assertThat(chunks).hasSize(5);
    rig.free(references.subList(0, 2));
    assertThat(use(chunks[0])).isEqualTo("pages");
    rig.free(references.subList(2, 4));
    assertThat(use(chunks[1])).as("the second one is not kept").isEqualTo("free");
    assertThat(use(chunks[0])).isEqualTo("pages");
    long again = rig.allocate(100_000);
    assertThat(chunk(again)).isEqualTo(chunks[0]);
    rig.free(references.subList(4, 6));
    assertThat(use(chunks[2])).as("none was kept").isEqualTo("pages");
    rig.free(again);
    assertThat(use(chunks[0])).isEqualTo("free");
    rig.free(references.subList(6, 10));
    assertThat(rig.allocator.stats().pageChunks()).isOne();
    rig.transact(() -> assertThat(rig.allocator.trim()).isOne());
    assertThat(rig.allocator.usedEnd()).isEqualTo(CHUNK);
    rig.transact(() -> assertThat(rig.allocator.trim()).isZero());
  }

  @Test
  void theKeptChunkIsEmptiedAgainAndStaysKept() {
    for (long size : new long[] {8000, 100_000}) {
      long reference = rig.allocate(size);
      int chunk = chunk(reference);
      for (int i = 0; i < 3; i++) {
        rig.free(reference);
        assertThat(use(chunk)).isNotEqualTo("free");
        reference = rig.allocate(size);
        assertThat(chunk(reference)).isEqualTo(chunk);
      }
    }
  }

  /** While another chunk could be added, an empty one is kept; in a full heap it is not. */
  @Test
  void anEmptyChunkIsKeptWhileTheImageCanGrow() {
    for (long size : new long[] {8000, 100_000}) {
      for (int limit : new int[] {7, 8}) {
        heap(limit);
        long reference = rig.allocate(size);
        rig.allocate(5L * CHUNK - 8); // up to the seventh chunk
        assertThat(rig.allocator.stats().capacity()).isEqualTo(7L * CHUNK);
        assertThat(rig.allocator.stats().freeChunks()).isZero();
        rig.free(reference);
        boolean kept = !use(1).equals("free");
        assertThat(kept).as("%s bytes, a limit of %s", size, limit).isEqualTo(limit == 8);
      }
    }
  }

  @Test
  void anEmptyChunkIsKeptWhileAnotherIsFree() {
    for (long size : new long[] {8000, 100_000}) {
      heap(4);
      long reference = rig.allocate(size);
      long other = rig.allocate(CHUNK - 8);
      rig.free(reference);
      assertThat(use(1)).isNotEqualTo("free");
      rig.allocate(CHUNK - 8);
      assertThat(use(1)).as("no other one is left").isEqualTo("free");
      rig.free(other);
    }
  }

  @Test
  void blocksAfterAReopenAreInTheLowestChunkThatIsNotFull() {
    List<Long> references = rig.allocate(200, 8000);
    List<Integer> chunks = references.stream().map(AllocatorSpaceTest::chunk).distinct().toList();
    assertThat(chunks).hasSize(7);
    List<Long> freed = new ArrayList<>();
    for (int at : new int[] {170, 100, 65, 3}) {
      freed.add(references.get(at));
      rig.free(references.get(at));
    }
    rig.reopen();
    for (int i = 3; i >= 0; i--) {
      assertThat(address(rig.allocate(8000))).isEqualTo(address(freed.get(i)));
    }
  }

  @Test
  void theWordsOfAChunkAreOpenedInTurn() {
    List<Long> references = rig.allocate(200, 100);
    for (int i = 1; i < references.size(); i++) {
      assertThat(address(references.get(i))).isEqualTo(address(references.get(i - 1)) + 112);
    }
    rig.free(references.subList(10, 20));
    rig.free(references.subList(70, 80));
    rig.allocate(56, 100); // the rest of the fourth word
    List<Long> more = rig.allocate(SizeClasses.slots(SizeClasses.of(108)) - 256, 100);
    assertThat(address(more.getFirst())).isEqualTo(address(references.getFirst()) + 256L * 112);
    List<Long> again = rig.allocate(20, 100);
    for (int i = 0; i < 20; i++) {
      int place = i < 10 ? 10 + i : 60 + i;
      assertThat(address(again.get(i))).isEqualTo(address(references.get(place)));
    }
    assertThat(chunk(rig.allocate(100))).isEqualTo(2);
  }

  @Test
  void nothingIsThereBehindTheCapacity() {
    rig.allocate(3L * CHUNK - 8);
    rig.allocate(6L * CHUNK - 8);
    assertThat(rig.allocator.stats().capacity()).isEqualTo(15L * CHUNK);
    assertThatThrownBy(() -> rig.allocator.check(Reference.of(15L * CHUNK, 0)))
        .hasMessageContaining("it is behind the end of the heap");
    rig.reopen();
    assertThatThrownBy(() -> rig.allocator.check(Reference.of(15L * CHUNK, 0)))
        .hasMessageContaining("it is behind the end of the heap");
    assertThatThrownBy(() -> rig.allocator.check(Reference.of(8L * CHUNK, 0)))
        .hasMessageContaining("no block can be there");
  }

  /** The journal keeps the entries of earlier transactions behind those of the present one. */
  @Test
  void freesThatWereRolledBackAreNotRepeated() {
    for (long size : SIZES) {
      long[] references = new long[3];
      rig.transact(
          () -> {
            for (int i = 0; i < 3; i++) {
              references[i] = rig.allocator.allocate(BlockType.MAP_NODE, size);
            }
          });
      rig.rolledBack(
          () -> {
            for (long reference : references) {
              rig.allocator.free(Stripes.NONE, reference);
            }
          });
      List<Long> freed = new ArrayList<>();
      rig.transact(
          () -> {
            rig.allocator.free(Stripes.NONE, references[0]);
            rig.allocator.participant().freed((address, bytes) -> freed.add(address));
          });
      assertThat(freed).containsExactly(address(references[0]));
      rig.allocator.check(references[1]);
      rig.allocator.check(references[2]);
      assertThat(rig.blocks()).containsOnlyKeys(references[1], references[2]);
      assertThat(rig.open().stats()).isEqualTo(rig.allocator.stats());
      rig.free(List.of(references[1], references[2]));
    }
  }

  @Test
  void chunksThatAFailedCommitWouldHaveFreedStayInUse() {
    long large = rig.allocate(CHUNK + 100);
    rig.begin();
    rig.allocator.free(Stripes.NONE, large);
    rig.failCommit();
    rig.allocate(2000); // has two entries in the journal, one less than the commit before
    assertThat(rig.open().stats()).isEqualTo(rig.allocator.stats());
    assertThat(rig.allocator.stats().largeChunks()).isEqualTo(2);
    rig.allocator.check(large);
  }

  @Test
  void aLargeExtentIsAddedAtOnce() {
    ChunkKinds kinds = new ChunkKinds(rig.memory, 30, 4);
    ChunkTable table = new ChunkTable(rig.memory, 30, kinds, 4, (chunk, kind) -> {});
    table.extend(4096);
    assertThat(table.chunks()).isEqualTo(4096);
    assertThat(table.free().size()).isEqualTo(4095);
    assertThat(table.kind(4095)).isEqualTo(ChunkKind.FREE);
    table.extend(4098);
    assertThat(table.kind(4096)).isEqualTo(ChunkKind.METADATA);
    assertThat(table.kind(4097)).isEqualTo(ChunkKind.FREE);
    assertThat(table.free().size()).isEqualTo(4096);
    table.cut(4000);
    assertThat(table.free().size()).isEqualTo(3999);
    assertThat(table.kind(4000)).isEqualTo(ChunkKind.BEYOND);
    assertThat(table.kind(3999)).isEqualTo(ChunkKind.FREE);
  }

  @Test
  void noReferenceComesAgainInChunksThatWereCutOff() {
    for (long size : SIZES) {
      heap(12);
      List<Long> references = rig.fill(size);
      rig.free(references);
      rig.transact(() -> rig.allocator.trim());
      rig.transact(() -> rig.allocator.shrink(CHUNK));
      rig.reopen();
      assertThat(rig.allocator.stats().capacity()).isEqualTo(CHUNK);
      List<Long> again = rig.fill(size);
      assertThat(again).hasSameSizeAs(references).doesNotContainAnyElementsOf(references);
      assertThat(rig.problems()).isEmpty();
    }
  }

  @Test
  void aCapacityThatWasLoweredComesBackWithARollback() {
    rig.free(rig.fill(LARGE));
    AllocatorStats before = rig.allocator.stats();
    rig.rolledBack(() -> rig.allocator.shrink(9L * CHUNK));
    assertThat(rig.allocator.stats()).isEqualTo(before);
    assertThat(rig.open().stats()).isEqualTo(before);
    assertThatThrownBy(() -> rig.allocator.check(Reference.of(20L * CHUNK, 0)))
        .hasMessageContaining("nothing is allocated there");
  }

  @Test
  void aChunkThatWasFullIsUsedAgainAfterAFree() {
    for (long size : new long[] {8000, 21 * 4096 - 8}) { // a third of the pages of a chunk
      int count = size == 8000 ? 31 : 3;
      List<Long> references = rig.allocate(count + 1, size);
      assertThat(chunk(references.get(count))).isEqualTo(chunk(references.get(count - 1)) + 1);
      long entry = ChunkLayout.entry(chunk(references.getFirst()), rig.extentShift);
      assertThat(ChunkLayout.isFull(rig.home.getLong(entry))).isTrue();
      rig.free(references.get(1));
      assertThat(ChunkLayout.isFull(rig.home.getLong(entry))).isFalse();
      assertThat(rig.problems()).isEmpty();
      rig.reopen();
      long again = rig.allocate(size);
      assertThat(address(again)).isEqualTo(address(references.get(1)));
      assertThat(ChunkLayout.isFull(rig.home.getLong(entry))).isTrue();
    }
  }

  @Test
  void afterAReopenAChunkOfPagesServesRunsThatFit() {
    rig.allocate(3, 20 * 4096 - 8);
    rig.reopen();
    long longer = rig.allocate(10 * 4096 - 8);
    assertThat(chunk(longer)).as("three pages are left in the first one").isEqualTo(2);
    long fits = rig.allocate(3 * 4096 - 8);
    assertThat(address(fits)).isEqualTo(CHUNK + 61L * 4096);
    assertThat(rig.problems()).isEmpty();
  }

  /** A chunk that becomes free still has the bytes of its last block. */
  @Test
  void theBytesOfAnEarlierBlockMeanNothing() {
    for (long size : new long[] {16, 8000, 20_000, LARGE}) {
      heap(8);
      long reference = rig.allocate(CHUNK - 8);
      for (long at = 8; at < CHUNK; at += 8) {
        rig.home.putLong(address(reference) + at, -1);
      }
      rig.free(reference);
      List<Long> references = rig.allocate(2, size);
      assertThat(chunk(references.getFirst())).isEqualTo(chunk(reference));
      assertThat(rig.problems()).isEmpty();
      assertThat(rig.blocks()).containsOnlyKeys(references);
      rig.free(references);
    }
  }

  /** A process that was killed may have left payloads of blocks that no commit knows. */
  @Test
  void theBytesOfABlockThatWasNeverCommittedMeanNothing() {
    for (long size : new long[] {16, 100, 8000, 20_000, LARGE}) {
      heap(12);
      for (long at = CHUNK; at < 3L * CHUNK; at += 8) {
        rig.home.putLong(at, -1);
      }
      int count = size < 1000 ? 100 : 1;
      List<Long> references = new ArrayList<>();
      rig.transact(
          () -> {
            references.add(rig.allocator.allocate(1, size));
            rig.rolledBack(() -> allocateTo(new ArrayList<>(), count, size));
            allocateTo(references, count, size);
          });
      assertThat(rig.problems()).as("%s bytes", size).isEmpty();
      assertThat(rig.blocks()).containsOnlyKeys(references);
      assertThat(references).allSatisfy(r -> assertThat(Reference.generation(r)).isLessThan(2));
    }
  }

  private void allocateTo(List<Long> references, int count, long size) {
    for (int i = 0; i < count; i++) {
      references.add(rig.allocator.allocate(1, size));
    }
  }

  @Test
  void aSlotKeepsItsGenerationsWhileTheTransactionUsesNewChunks() {
    List<Long> old = rig.allocate(200, 100);
    rig.free(old.subList(50, 150));
    rig.reopen();
    List<Long> references = new ArrayList<>();
    rig.transact(
        () -> {
          allocateTo(new ArrayList<>(), 1, 3000); // opens a word of another chunk
          allocateTo(references, 120, 100);
        });
    assertThat(references).doesNotContainAnyElementsOf(old).doesNotHaveDuplicates();
    assertThat(references.stream().map(AllocatorSpaceTest::chunk)).containsOnly(1);
    assertThat(rig.problems()).isEmpty();
  }
}
