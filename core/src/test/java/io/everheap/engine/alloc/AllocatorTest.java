package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.tx.Stripes;
import io.everheap.error.FullException;
import io.everheap.error.GoneException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AllocatorTest {
  private static final int CHUNK = ChunkLayout.CHUNK_BYTES;
  private static final long LARGE = 200_000;

  private final AllocatorRig rig = new AllocatorRig(21, 32);

  @AfterEach
  void isSoundAtTheEnd() {
    assertThat(rig.problems()).isEmpty();
    assertThat(rig.allocator.stats().blocks()).isEqualTo(rig.blocks().size());
    assertThat(rig.open().stats()).isEqualTo(rig.allocator.stats());
    rig.close();
  }

  @Test
  void keepsTheTypeAndTheExactSize() {
    for (long size :
        new long[] {0, 1, 7, 8, 9, 100, 8184, 8185, 50_000, 131_064, 131_065, 600_000}) {
      long[] reference = new long[1];
      rig.transact(() -> reference[0] = rig.allocator.allocate(BlockType.MAX, size));
      assertThat(rig.allocator.size(reference[0])).isEqualTo(size);
      assertThat(rig.allocator.type(reference[0])).isEqualTo(BlockType.MAX);
    }
  }

  @Test
  void allocatesTheLargestBlockThatItSaysItCan() {
    long largest = Allocator.maxBlock(rig.extentShift);
    long reference = rig.allocate(largest);
    assertThat(rig.allocator.size(reference)).isEqualTo(largest);
    rig.begin();
    assertThatIllegalArgumentException().isThrownBy(() -> rig.allocator.allocate(1, largest + 1));
    assertThatIllegalArgumentException().isThrownBy(() -> rig.allocator.allocate(1, -1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rig.allocator.allocate(1, Long.MAX_VALUE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rig.allocator.allocate(BlockType.MAX + 1, 1));
    rig.rollback();
  }

  @Test
  void needsATransactionToChangeAnything() {
    long reference = rig.allocate(10);
    assertThatThrownBy(() -> rig.allocator.allocate(1, 10))
        .isInstanceOf(OutsideTransactionException.class);
    assertThatThrownBy(() -> rig.allocator.allocate(1, LARGE))
        .isInstanceOf(OutsideTransactionException.class);
    assertThatThrownBy(() -> rig.allocator.free(Stripes.NONE, reference))
        .isInstanceOf(OutsideTransactionException.class);
    assertThatThrownBy(rig.allocator::trim).isInstanceOf(OutsideTransactionException.class);
  }

  @Test
  void consecutiveSmallBlocksAreNeighbours() {
    List<Long> references = rig.allocate(1000, 40);
    for (int i = 1; i < references.size(); i++) {
      long distance =
          Reference.address(references.get(i)) - Reference.address(references.get(i - 1));
      assertThat(distance).isEqualTo(48);
    }
  }

  @Test
  void goesOnWhereItWasAfterARollback() {
    long first = rig.allocate(40);
    rig.rolledBack(() -> rig.allocator.allocate(1, 40));
    long second = rig.allocate(40);
    assertThat(Reference.address(second)).isEqualTo(Reference.address(first) + 48);
  }

  @Test
  void zeroesThePayloadOfReusedSpace() {
    for (long size : new long[] {100, 20_000, LARGE}) {
      long reference = rig.allocate(size);
      long payload = Reference.payload(reference);
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, payload + 64, -1));
      rig.free(reference);
      rig.allocate(3000, size == 100 ? 100 : 0);
      List<Long> again = rig.allocate(3, size);
      for (long block : again) {
        assertThat(rig.memory.getLong(Reference.payload(block) + 64)).isZero();
      }
      rig.free(again);
    }
  }

  @Test
  void aFreedReferenceIsStaleAtOnceForTheTransactionAndAfterTheCommitForAll() {
    long reference = rig.allocate(100);
    rig.begin();
    rig.allocator.free(Stripes.NONE, reference);
    assertThatThrownBy(() -> rig.allocator.check(reference))
        .isInstanceOf(GoneException.class)
        .hasMessageContaining("freed");
    rig.commit();
    assertThatThrownBy(() -> rig.allocator.size(reference)).isInstanceOf(GoneException.class);
  }

  @Test
  void aSecondFreeInTheSameTransactionIsRefused() {
    for (long size : new long[] {100, 20_000, LARGE}) {
      long reference = rig.allocate(size);
      rig.begin();
      rig.allocator.free(Stripes.NONE, reference);
      assertThatThrownBy(() -> rig.allocator.free(Stripes.NONE, reference))
          .isInstanceOf(GoneException.class);
      rig.commit();
    }
  }

  @Test
  void aRolledBackFreeLeavesTheBlock() {
    long reference = rig.allocate(100);
    rig.rolledBack(() -> rig.allocator.free(Stripes.NONE, reference));
    rig.allocator.check(reference);
    rig.free(reference);
  }

  @Test
  void freedSpaceIsNotUsedAgainByTheTransactionThatFreedIt() {
    for (long size : new long[] {8000, 100_000, LARGE}) {
      List<Long> references = rig.fill(size);
      rig.begin();
      rig.allocator.free(Stripes.NONE, references.get(3));
      assertThatThrownBy(() -> rig.allocator.allocate(1, size)).isInstanceOf(FullException.class);
      rig.commit();
      long again = rig.allocate(size);
      assertThat(Reference.address(again)).isEqualTo(Reference.address(references.get(3)));
      assertThat(again).isNotEqualTo(references.get(3));
      references.set(3, again);
      rig.free(references);
    }
  }

  @Test
  void aBlockThatIsAllocatedAndFreedInOneTransactionLeavesNothing() {
    rig.allocate(100);
    AllocatorStats before = rig.allocator.stats();
    rig.transact(
        () -> {
          long reference = rig.allocator.allocate(1, 100);
          rig.allocator.free(Stripes.NONE, reference);
          List<Long> sizes = new ArrayList<>();
          rig.allocator.participant().fresh((address, bytes, header) -> sizes.add(bytes));
          assertThat(sizes).isEmpty();
        });
    assertThat(rig.allocator.stats()).isEqualTo(before);
  }

  @Test
  void aRecordHoldsFreshBlocksInWholeWords() {
    rig.transact(
        () -> {
          rig.allocator.allocate(1, 13);
          rig.allocator.allocate(1, 20_001);
          rig.allocator.allocate(1, LARGE);
          List<Long> sizes = new ArrayList<>();
          rig.allocator.participant().fresh((address, bytes, header) -> sizes.add(bytes));
          assertThat(sizes).containsExactly(24L, 20_016L, LARGE + 8);
        });
  }

  @Test
  void aRollbackBurnsTheGenerationsThatItGaveOut() {
    for (long size : new long[] {100, 20_000, LARGE}) {
      long[] rolledBack = new long[1];
      rig.rolledBack(() -> rolledBack[0] = rig.allocator.allocate(1, size));
      assertThatThrownBy(() -> rig.allocator.check(rolledBack[0]))
          .isInstanceOf(GoneException.class);
      long reference = rig.allocate(size);
      assertThat(Reference.address(reference)).isEqualTo(Reference.address(rolledBack[0]));
      assertThat(reference).isNotEqualTo(rolledBack[0]);
      assertThatThrownBy(() -> rig.allocator.check(rolledBack[0]))
          .isInstanceOf(GoneException.class);
    }
  }

  @Test
  void aSavepointUndoesOnlyItsOwnBlocks() {
    long[] references = new long[3];
    rig.transact(
        () -> {
          references[0] = rig.allocator.allocate(1, 100);
          rig.begin();
          references[1] = rig.allocator.allocate(1, 100);
          rig.allocator.free(Stripes.NONE, references[0]);
          rig.rollback();
          references[2] = rig.allocator.allocate(1, 100);
        });
    assertThat(rig.blocks()).containsOnlyKeys(references[0], references[2]);
    assertThat(Reference.address(references[2])).isEqualTo(Reference.address(references[1]));
  }

  @Test
  void aNestedRollbackWithNothingElseInTheTransactionLeavesNothingBehind() {
    rig.allocate(100);
    rig.transact(() -> rig.rolledBack(() -> rig.allocator.allocate(1, 4000)));
    List<Long> references = rig.allocate(64, 4000);
    rig.free(references);
    for (long again : rig.allocate(64, 4000)) {
      assertThat(references).doesNotContain(again);
    }
  }

  @Test
  void aCommitThatFailsAfterItsPreparationChangesNothing() {
    List<Long> references = rig.allocate(40, 8000);
    AllocatorStats before = rig.allocator.stats();
    rig.begin();
    references.forEach(reference -> rig.allocator.free(Stripes.NONE, reference));
    rig.failCommit();
    assertThat(rig.allocator.stats()).isEqualTo(before);
    references.forEach(rig.allocator::check);
    rig.free(references);
  }

  @Test
  void anEmptiedChunkServesAnotherSizeClass() {
    for (int round = 0; round < 3; round++) {
      for (long size : new long[] {24, 5000, 60_000, LARGE}) {
        List<Long> references = rig.fill(size);
        assertThat(rig.allocator.stats().bytesReserved()).isEqualTo(rig.limit);
        rig.free(references);
      }
    }
    assertThat(rig.allocator.usedEnd()).isEqualTo(CHUNK);
  }

  @Test
  void oldReferencesStayStaleWhenTheirChunkServesAnotherSizeClass() {
    List<Long> old = new ArrayList<>();
    for (long size : new long[] {24, 40, 8184, 5000, 20_000, LARGE, 24}) {
      List<Long> references = rig.fill(size);
      old.forEach(
          reference ->
              assertThatThrownBy(() -> rig.allocator.check(reference))
                  .isInstanceOf(GoneException.class));
      rig.free(references);
      old.addAll(references.subList(0, Math.min(50, references.size())));
    }
  }

  @Test
  void oneEmptyChunkOfAClassIsKeptUntilItIsTrimmed() {
    List<Long> references = rig.allocate(200, 8000);
    rig.free(references);
    AllocatorStats.SizeClass kept = sizeClass(8000);
    assertThat(kept.chunks()).isEqualTo(1);
    assertThat(kept.blocks()).isZero();
    rig.transact(() -> assertThat(rig.allocator.trim()).isEqualTo(1));
    assertThat(sizeClass(8000).chunks()).isZero();
    assertThat(rig.allocator.usedEnd()).isEqualTo(CHUNK);
  }

  @Test
  void aTrimmedChunkIsNotUsedBeforeTheCommitAndComesBackWithARollback() {
    rig.free(rig.allocate(10, 8000));
    rig.begin();
    assertThat(rig.allocator.trim()).isEqualTo(1);
    long reference = rig.allocator.allocate(1, 8000);
    rig.rollback();
    long again = rig.allocate(8000);
    assertThat(Reference.address(again)).isLessThan(Reference.address(reference));
    assertThat(sizeClass(8000).chunks()).isEqualTo(1);
  }

  @Test
  void adjacentFreeChunksServeALargeBlock() {
    List<Long> references = rig.fill(LARGE);
    rig.free(references.subList(0, 7));
    long reference = rig.allocate(7L * CHUNK - 8);
    assertThat(Reference.address(reference)).isEqualTo(Reference.address(references.get(0)));
  }

  @Test
  void aLargeBlockNeverCrossesAnExtent() {
    rig.allocate(3L * CHUNK);
    long reference = rig.allocate(6L * CHUNK - 8);
    assertThat(Reference.address(reference)).isEqualTo((1L << rig.extentShift) + CHUNK);
    assertThat(rig.allocator.stats().metadataChunks()).isEqualTo(2);
  }

  @Test
  void adjacentFreeRunsServeALongerRun() {
    List<Long> references = rig.allocate(20, 12_000);
    rig.free(references.subList(2, 6));
    long reference = rig.allocate(48_000);
    assertThat(Reference.address(reference)).isEqualTo(Reference.address(references.get(2)));
  }

  @Test
  void theInnerPagesOfARunAreNoBlocks() {
    List<Long> references = rig.allocate(2, 12_000);
    rig.free(references);
    long reference = rig.allocate(24_000);
    long inner = Reference.address(references.get(1));
    rig.transact(() -> rig.memory.putLong(Stripes.NONE, inner, BlockHeader.allocated(0, 1, 0)));
    assertThat(Reference.address(reference)).isEqualTo(Reference.address(references.get(0)));
    assertThatThrownBy(() -> rig.allocator.check(Reference.of(inner, 0)))
        .isInstanceOf(GoneException.class);
  }

  @Test
  void referencesThatNoBlockHasAreStale() {
    long reference = rig.allocate(100);
    rig.allocate(20_000);
    rig.allocate(3L * CHUNK);
    long address = Reference.address(reference);
    long[] wrong = {
      Reference.NULL,
      Reference.of(address, 1),
      Reference.of(address + 16, 0),
      Reference.of(address + 112, 0),
      Reference.of(CHUNK, 0),
      Reference.of(rig.limit, 0),
      Reference.of((1L << 44) - 16, 0),
      -1
    };
    for (long each : wrong) {
      assertThatThrownBy(() -> rig.allocator.check(each))
          .isInstanceOf(GoneException.class)
          .hasMessageContaining("stale");
    }
    for (long at = 0; at < rig.limit; at += 4096) {
      long each = Reference.of(at, 77);
      assertThatThrownBy(() -> rig.allocator.check(each)).isInstanceOf(GoneException.class);
    }
  }

  @Test
  void aBlockRetiresWithItsLastGeneration() {
    for (long size : new long[] {100, 20_000, LARGE}) {
      long reference = rig.allocate(size);
      long address = Reference.address(reference);
      long last = setGeneration(reference, Reference.MAX_GENERATION);
      long retired = rig.allocator.stats().retiredBlocks();
      rig.free(last);
      assertThat(rig.allocator.stats().retiredBlocks()).isEqualTo(retired + 1);
      assertThatThrownBy(() -> rig.allocator.check(last)).isInstanceOf(GoneException.class);
      List<Long> others = rig.allocate(100, size == LARGE ? 100 : size / 10);
      others.forEach(other -> assertThat(Reference.address(other)).isNotEqualTo(address));
      rig.reopen();
      assertThat(rig.allocator.stats().retiredBlocks()).isEqualTo(retired + 1);
    }
  }

  @Test
  void aSlotWhoseLastGenerationIsBurnedIsRetiredInsteadOfAllocated() {
    long reference = rig.allocate(100);
    long address = Reference.address(reference);
    rig.free(setGeneration(reference, Reference.MAX_GENERATION - 1));
    List<Long> rest = rig.allocate(SizeClasses.slots(SizeClasses.of(108)) - 1, 100);
    rig.rolledBack(
        () -> {
          long last = rig.allocator.allocate(1, 100);
          assertThat(last).isEqualTo(Reference.of(address, Reference.MAX_GENERATION));
        });
    long other = rig.allocate(100);
    assertThat(Reference.address(other)).isNotEqualTo(address);
    assertThat(rig.allocator.stats().retiredBlocks()).isEqualTo(1);
    rig.free(rest);
  }

  @Test
  void aFullHeapSaysItsLimitAndTheSetting() {
    rig.fill(LARGE);
    rig.begin();
    assertThatThrownBy(() -> rig.allocator.allocate(1, LARGE))
        .isInstanceOfSatisfying(
            FullException.class,
            full -> {
              assertThat(full.code()).isEqualTo("EH-HEAP-FULL");
              assertThat(full.limit()).isEqualTo(rig.limit);
            })
        .hasMessageContaining(String.valueOf(rig.limit))
        .hasMessageContaining("maxSize");
    rig.rollback();
  }

  @Test
  void emptyChunksThatWereKeptServeOthersWhenNoOtherIsLeft() {
    keepTenEmptyChunks();
    assertThat(rig.fill(LARGE)).hasSize(28);
  }

  @Test
  void emptyChunksOfAnEarlierOpenServeOthersAfterTheHeapWasFull() {
    keepTenEmptyChunks();
    rig.reopen();
    assertThat(rig.fill(LARGE)).hasSize(18);
    rig.allocate(1, 100); // its commit gives the other nine back
    assertThat(rig.fill(LARGE)).hasSize(9);
  }

  @Test
  void growthIsRolledBackWithItsTransaction() {
    long capacity = rig.allocator.stats().capacity();
    rig.rolledBack(
        () -> {
          for (int i = 0; i < 20; i++) {
            rig.allocator.allocate(1, LARGE);
          }
        });
    assertThat(rig.allocator.stats().capacity()).isEqualTo(capacity);
    assertThat(rig.fill(LARGE)).hasSize(28);
  }

  @Test
  void shrinksToTheLastChunkInUseAndKeepsOldReferencesStale() {
    List<Long> references = rig.fill(LARGE);
    rig.free(references.subList(4, references.size()));
    long end = rig.allocator.usedEnd();
    assertThat(end).isEqualTo(5L * CHUNK);
    rig.begin();
    assertThatIllegalArgumentException().isThrownBy(() -> rig.allocator.shrink(end - CHUNK));
    assertThatIllegalArgumentException().isThrownBy(() -> rig.allocator.shrink(end + 1));
    rig.allocator.shrink(end);
    rig.commit();
    assertThat(rig.allocator.stats().capacity()).isEqualTo(end);
    rig.home.truncate(end, IllegalStateException::new);
    rig.home.map(rig.limit);
    rig.reopen();
    for (long again : rig.fill(LARGE)) {
      assertThat(references).doesNotContain(again);
    }
    assertThat(rig.allocator.stats().bytesReserved()).isEqualTo(rig.limit);
  }

  @Test
  void tableEntriesBehindALoweredCapacityAreZeroEvenIfTheFileIsNotCut() {
    rig.free(rig.fill(LARGE));
    rig.free(rig.fill(LARGE)); // the floors of the generations are above 0 now
    int chunks = (int) (rig.allocator.stats().capacity() / CHUNK);
    assertThat(entries(1, chunks)).anyMatch(word -> word != 0);
    rig.begin();
    rig.allocator.shrink(2L * CHUNK);
    rig.commit();
    assertThat(entries(2, chunks)).containsOnly(0L);
  }

  /** The words of the entries of chunks, all in the first extent. */
  private List<Long> entries(int from, int to) {
    List<Long> words = new ArrayList<>();
    for (long at = 16L * from; at < 16L * to; at += 8) {
      words.add(rig.home.getLong(ChunkLayout.entry(0, rig.extentShift) + at));
    }
    return words;
  }

  @Test
  void shrinkingIsRolledBackWithItsTransaction() {
    rig.free(rig.fill(LARGE));
    rig.rolledBack(() -> rig.allocator.shrink(CHUNK));
    assertThat(rig.fill(LARGE)).hasSize(28);
  }

  @Test
  void countsBlocksAndBytesOfEachKind() {
    rig.allocate(3, 100);
    rig.allocate(2, 20_000);
    rig.allocate(1, 3L * CHUNK - 8);
    AllocatorStats stats = rig.allocator.stats();
    assertThat(sizeClass(100)).isEqualTo(new AllocatorStats.SizeClass(112, 3, 1));
    assertThat(sizeClass(100).bytesUsed()).isEqualTo(336);
    assertThat(sizeClass(100).bytesReserved()).isEqualTo(CHUNK);
    assertThat(stats.pageBlocks()).isEqualTo(2);
    assertThat(stats.pageBytesUsed()).isEqualTo(2 * 20_480);
    assertThat(stats.pageChunks()).isEqualTo(1);
    assertThat(stats.largeBlocks()).isEqualTo(1);
    assertThat(stats.largeChunks()).isEqualTo(3);
    assertThat(stats.blocks()).isEqualTo(6);
    assertThat(stats.bytesUsed()).isEqualTo(336 + 40_960 + 3L * CHUNK);
    assertThat(stats.bytesReserved()).isEqualTo(6L * CHUNK);
  }

  @Test
  void anAllocatorOverTheSameBytesGoesOnWithAllOfThem() {
    List<Long> references = rig.allocate(500, 300);
    references.addAll(rig.allocate(5, 20_000));
    references.addAll(rig.allocate(2, LARGE));
    AllocatorStats stats = rig.allocator.stats();
    rig.reopen();
    references.forEach(rig.allocator::check);
    assertThat(rig.allocator.stats()).isEqualTo(stats);
    rig.free(references);
    rig.transact(rig.allocator::trim);
    assertThat(rig.allocator.usedEnd()).isEqualTo(CHUNK);
  }

  @Test
  void otherThreadsCheckReferencesWhileTheWriterAllocates() throws InterruptedException {
    List<Long> references = rig.allocate(100, 100);
    rig.reopen();
    List<Throwable> failures = new ArrayList<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                for (int i = 0; i < 200; i++) {
                  references.forEach(rig.allocator::check);
                }
              } catch (RuntimeException | Error e) {
                failures.add(e);
              }
            });
    reader.start();
    for (int i = 0; i < 50; i++) {
      rig.free(rig.allocate(30, 5000));
    }
    Limit.join(reader);
    assertThat(failures).isEmpty();
  }

  @Test
  void aForeignThreadCannotUseAReferenceBeforeItsCommit() throws InterruptedException {
    rig.begin();
    long reference = rig.allocator.allocate(1, 100);
    rig.allocator.check(reference);
    List<Throwable> thrown = new ArrayList<>();
    Thread other =
        new Thread(
            () -> {
              try {
                rig.allocator.check(reference);
              } catch (RuntimeException e) {
                thrown.add(e);
              }
            });
    other.start();
    Limit.join(other);
    rig.commit();
    assertThat(thrown).hasOnlyElementsOfType(GoneException.class).hasSize(1);
    assertThatCode(() -> rig.allocator.check(reference)).doesNotThrowAnyException();
  }

  private void keepTenEmptyChunks() {
    for (int i = 0; i < 10; i++) {
      rig.free(rig.allocate(100 + 300L * i));
    }
  }

  private AllocatorStats.SizeClass sizeClass(long payload) {
    int bytes = SizeClasses.bytes(SizeClasses.of((int) payload + 8));
    return rig.allocator.stats().sizeClasses().stream()
        .filter(found -> found.blockBytes() == bytes)
        .findFirst()
        .orElseThrow();
  }

  /** Lets a block, and the floor of a chunk that has one generation, have another generation. */
  private long setGeneration(long reference, int generation) {
    long address = Reference.address(reference);
    rig.transact(
        () -> {
          long header = rig.memory.getLong(address) & ((1L << Reference.GENERATION_SHIFT) - 1);
          rig.memory.putLong(Stripes.NONE, address, header | BlockHeader.free(generation));
          int chunk = ChunkLayout.chunkOf(address);
          long entry = ChunkLayout.entry(chunk, rig.extentShift);
          if (!ChunkKind.isSlots(ChunkLayout.kind(rig.memory.getLong(entry)))) {
            rig.memory.putLong(Stripes.NONE, entry + 8, generation);
          }
        });
    return Reference.of(address, generation);
  }
}
