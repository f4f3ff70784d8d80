package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.StoreBarrier;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.CorruptException;
import io.everheap.error.FullException;
import io.everheap.error.GoneException;
import io.everheap.error.OutsideTransactionException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the allocator refuses and says, and what it leaves as it is then. */
class AllocatorRulesTest {
  private static final int CHUNK = ChunkLayout.CHUNK_BYTES;
  private static final int TYPE = 300;
  private static final long LARGE = 200_000;

  private final AllocatorRig rig = new AllocatorRig(21, 32);

  @AfterEach
  void close() {
    rig.close();
  }

  private void requireStale(long reference, String why) {
    String message = "The reference " + Reference.describe(reference) + " is stale: " + why + ".";
    assertThatThrownBy(() -> rig.allocator.check(reference))
        .isInstanceOf(GoneException.class)
        .hasMessageContaining(message);
    assertThatThrownBy(() -> rig.allocator.size(reference)).hasMessageContaining(message);
    assertThatThrownBy(() -> rig.allocator.type(reference)).hasMessageContaining(message);
    assertThatThrownBy(() -> rig.allocator.header(reference)).hasMessageContaining(message);
    assertThat(rig.allocator.find(reference)).isZero();
  }

  @Test
  void aStaleReferenceSaysWhy() {
    long slot = rig.allocate(100);
    long run = rig.allocate(20_000);
    long large = rig.allocate(2L * CHUNK);
    long address = Reference.address(slot);
    requireStale(
        Reference.of(address, 1), "the block there has generation 0, so it is another block");
    requireStale(Reference.of(address + 16, 0), "no slot starts there");
    requireStale(Reference.of(address + 112, 0), "the block there was freed");
    requireStale(Reference.of(Reference.address(run) + 16, 0), "no block starts at this page");
    requireStale(Reference.of(Reference.address(run) + 4096, 0), "no block starts at this page");
    requireStale(Reference.of(Reference.address(large) + 16, 0), "it is inside a large block");
    requireStale(Reference.of(Reference.address(large) + CHUNK, 0), "it is inside a large block");
    requireStale(Reference.NULL, "no block can be there");
    requireStale(Reference.of(8L * CHUNK, 0), "it is behind the end of the heap");
    requireStale(Reference.of(1L << 40, 0), "it is behind the end of the heap");
    for (long reference : new long[] {slot, run, large}) {
      assertThat(rig.allocator.find(reference)).isEqualTo(rig.allocator.header(reference));
      rig.free(reference);
      requireStale(reference, freed(reference));
    }
  }

  private String freed(long reference) {
    String kind =
        rig.allocator.chunkUses().get(ChunkLayout.chunkOf(Reference.address(reference))).kind();
    return switch (kind) {
      case "slots" -> "the block there was freed";
      case "pages" -> "no block starts at this page";
      default -> "nothing is allocated there";
    };
  }

  @Test
  void aHeaderTellsSizeAndType() {
    for (long size : new long[] {0, 5, 100, 8184, 8185, 100_000, LARGE, 7L * CHUNK - 8}) {
      long[] reference = new long[1];
      rig.transact(() -> reference[0] = rig.allocator.allocate(TYPE, size));
      long header = rig.allocator.header(reference[0]);
      assertThat(rig.allocator.size(reference[0], header)).isEqualTo(size);
      assertThat(Allocator.typeOf(header)).isEqualTo(TYPE);
    }
    assertThat(rig.allocator.maxBlock()).isEqualTo(7L * CHUNK - 8);
  }

  @Test
  void aBlockOfAnotherTypeIsNotFreed() {
    long reference = rig.allocate(100);
    long other = rig.allocate(100);
    long address = Reference.address(reference);
    rig.begin();
    assertThatThrownBy(() -> rig.allocator.free(Stripes.NONE, reference, 7))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(
            "at address " + address + ". A block of type 0 is where one of 7 belongs");
    rig.allocator.check(reference);
    rig.allocator.free(Stripes.NONE, reference, BlockType.RAW);
    assertThatThrownBy(() -> rig.allocator.free(Stripes.NONE, reference, BlockType.RAW))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("at address " + address + ". A block of type 0 is missing");
    rig.commit();
    assertThat(rig.blocks()).containsOnlyKeys(other);
  }

  @Test
  void aBlockIsRetypedWhereItsSlotHasSpace() {
    long reference = rig.allocate(1100); // in a slot of 1152
    rig.begin();
    assertThat(rig.allocator.retype(Stripes.NONE, reference, TYPE, 1145)).isFalse();
    assertThat(rig.allocator.type(reference)).isZero();
    assertThat(rig.allocator.retype(Stripes.NONE, reference, TYPE, 1144)).isTrue();
    assertThat(rig.allocator.size(reference)).isEqualTo(1144);
    assertThat(rig.allocator.type(reference)).isEqualTo(TYPE);
    assertThat(rig.allocator.retype(Stripes.NONE, reference, 8, 1120)).isTrue();
    assertThat(rig.allocator.size(reference)).isEqualTo(1120);
    assertThat(rig.allocator.type(reference)).isEqualTo(8);
    rig.commit();
    assertThat(rig.problems()).isEmpty();
    rig.transact(() -> assertThat(rig.allocator.retype(Stripes.NONE, reference, 9, 10)).isTrue());
    assertThat(rig.allocator.size(reference)).as("the least of its slots").isEqualTo(1024);
    assertThat(rig.problems()).isEmpty();
    rig.rolledBack(() -> rig.allocator.retype(Stripes.NONE, reference, 5, 1100));
    assertThat(rig.allocator.type(reference)).isEqualTo(9);
    for (long size : new long[] {20_000, LARGE}) {
      long other = rig.allocate(size);
      rig.begin();
      assertThat(rig.allocator.retype(Stripes.NONE, other, TYPE, size)).isFalse();
      rig.commit();
    }
    rig.free(reference);
    rig.begin();
    assertThatThrownBy(() -> rig.allocator.retype(Stripes.NONE, reference, 1, 1))
        .isInstanceOf(GoneException.class);
    rig.commit();
  }

  @Test
  void aBarrierIsToldOfAllocations() {
    List<String> told = new ArrayList<>();
    rig.allocator.setBarrier(
        new StoreBarrier() {
          @Override
          public void allocated(long reference, long bytes) {
            told.add(reference + " " + bytes);
          }

          @Override
          public void stored(long reference) {
            throw new AssertionError();
          }
        });
    List<String> expected = new ArrayList<>();
    for (long size : new long[] {0, 100, 20_000, LARGE}) {
      expected.add(rig.allocate(size) + " " + size);
    }
    assertThat(told).isEqualTo(expected);
    rig.allocator.setBarrier(null);
    rig.allocate(100);
    assertThat(told).isEqualTo(expected);
  }

  /** The payload of a new block is zero, and its neighbours stay as they are. */
  @Test
  void onlyThePayloadIsCleared() {
    for (long size = 0; size < 200; size++) {
      List<Long> references = rig.allocate(3, size);
      long middle = Reference.address(references.get(1));
      long end = Reference.address(references.get(2));
      rig.free(references.get(1));
      for (long at = middle + 8; at < end; at += 8) {
        rig.home.putLong(at, -1);
      }
      rig.reopen(); // takes the lowest free slot next
      long again = rig.allocate(size);
      assertThat(Reference.address(again)).isEqualTo(middle);
      for (long at = middle + 8; at < end; at += 8) {
        boolean inside = at < middle + 8 + size;
        assertThat(rig.home.getLong(at))
            .as("%s of %s", at - middle, size)
            .isEqualTo(inside ? 0 : -1);
      }
      rig.allocator.check(references.get(2));
    }
  }

  @Test
  void sizesAndTypesThatCannotBeAreNamed() {
    rig.begin();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rig.allocator.allocate(1 << 20, 8))
        .withMessage("A block type is from 0 to 2^20 - 1, not 1048576");
    assertThatIllegalArgumentException().isThrownBy(() -> rig.allocator.allocate(-1, 8));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rig.allocator.allocate(1, -1))
        .withMessage("A block has from 0 to 1835000 bytes, not -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rig.allocator.allocate(1, 1_835_001))
        .withMessage("A block has from 0 to 1835000 bytes, not 1835001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rig.allocator.allocate(1, -8))
        .withMessage("A block has from 0 to 1835000 bytes, not -8");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rig.allocator.allocate(1, -9))
        .withMessage("A block has from 0 to 1835000 bytes, not -9");
    rig.commit();
    assertThat(rig.allocator.participant().isTorn()).isFalse();
    assertThat(rig.blocks()).isEmpty();
  }

  @Test
  void anExtentHasFromOneMiBToOneGiB() {
    for (int shift : new int[] {19, 31}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Allocator(rig.memory, shift, rig))
          .withMessage("An extent has 2^20 to 2^30 bytes, not 2^" + shift);
    }
    for (int shift : new int[] {20, 30}) {
      assertThat(new Allocator(rig.memory, shift, rig).maxBlock())
          .isEqualTo((1L << shift) - CHUNK - 8);
    }
    rig.home.putLong(HomeLayout.CAPACITY_ADDRESS, 5);
    assertThatThrownBy(rig::open)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("at address 8192. The capacity is 5.");
  }

  @Test
  void aCapacityIsBetweenTheUsedEndAndTheCapacityBefore() {
    rig.free(rig.fill(LARGE));
    rig.transact(() -> rig.allocator.trim());
    rig.allocate(100);
    assertThat(rig.allocator.usedEnd()).isEqualTo(2L * CHUNK);
    rig.begin();
    for (long capacity : new long[] {CHUNK, 2L * CHUNK + 8, 2L * CHUNK - 8, 33L * CHUNK, -CHUNK}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> rig.allocator.shrink(capacity))
          .withMessage(
              "The capacity cannot become " + capacity + "; it is used up to " + 2 * CHUNK);
    }
    rig.allocator.shrink(32L * CHUNK);
    rig.allocator.shrink(9L * CHUNK);
    rig.allocator.shrink(2L * CHUNK);
    rig.commit();
    assertThat(rig.allocator.stats().capacity()).isEqualTo(2L * CHUNK);
    assertThat(rig.allocator.usedEnd()).isEqualTo(2L * CHUNK);
    assertThat(rig.home.getLong(HomeLayout.CAPACITY_ADDRESS)).isEqualTo(2L * CHUNK);
    assertThatThrownBy(() -> rig.allocator.shrink(2L * CHUNK))
        .isInstanceOf(OutsideTransactionException.class);
    assertThat(rig.problems()).isEmpty();
  }

  /** A refusal leaves nothing half done: neither in the summaries nor in what a rollback needs. */
  @Test
  void outsideOfATransactionNothingChanges() {
    long slot = rig.allocate(100);
    long run = rig.allocate(20_000);
    long large = rig.allocate(LARGE);
    AllocatorStats before = rig.allocator.stats();
    List<Runnable> changes =
        List.of(
            () -> rig.allocator.allocate(1, 100),
            () -> rig.allocator.allocate(1, 5000),
            () -> rig.allocator.allocateRaw(1, 50_000),
            () -> rig.allocator.allocate(1, LARGE),
            () -> rig.allocator.free(Stripes.NONE, slot),
            () -> rig.allocator.free(Stripes.NONE, run, BlockType.RAW),
            () -> rig.allocator.free(Stripes.NONE, large),
            () -> rig.allocator.retype(Stripes.NONE, slot, 1, 100),
            () -> rig.allocator.trim(),
            () -> rig.allocator.shrink(32L * CHUNK));
    for (Runnable change : changes) {
      assertThatThrownBy(change::run).isInstanceOf(OutsideTransactionException.class);
      assertThat(rig.allocator.participant().isTorn()).isFalse();
      assertThat(rig.allocator.participant().mark()).isZero();
    }
    assertThat(rig.allocator.stats()).isEqualTo(before);
    assertThat(rig.open().stats()).isEqualTo(before);
    assertThat(rig.fill(LARGE)).hasSize(25);
  }

  /** Replaces the growth of the image; a text says whether the allocator was torn then. */
  private List<String> growing(LongUnaryOperator grows) {
    List<String> torn = new ArrayList<>();
    rig.allocator =
        new Allocator(
            rig.memory,
            rig.extentShift,
            new HomeGrowth() {
              @Override
              public long limit() {
                return rig.limit;
              }

              @Override
              public long grow(long minimumCapacity) {
                torn.add(minimumCapacity / CHUNK + " " + rig.allocator.participant().isTorn());
                return grows.applyAsLong(minimumCapacity);
              }
            });
    return torn;
  }

  @ParameterizedTest
  @ValueSource(longs = {8000, 100_000, LARGE})
  void whileTheImageGrowsTheAllocatorIsTorn(long size) {
    List<String> torn = growing(rig::grow);
    rig.fill(size);
    assertThat(torn)
        .containsExactly(
            "5 true", "6 true", "7 true", "8 true", "10 true", "11 true", "12 true", "13 true",
            "14 true", "15 true", "16 true", "18 true", "19 true", "20 true", "21 true", "22 true",
            "23 true", "24 true", "26 true", "27 true", "28 true", "29 true", "30 true", "31 true",
            "32 true", "34 true");
    assertThat(rig.allocator.participant().isTorn()).isFalse();
  }

  @Test
  void afterAVmErrorTheAllocatorStaysTorn() {
    growing(
        minimum -> {
          throw new StackOverflowError();
        });
    rig.begin();
    long small = rig.allocator.allocate(1, 8);
    assertThatThrownBy(
            () -> {
              while (true) {
                rig.allocator.allocate(1, LARGE);
              }
            })
        .isInstanceOf(StackOverflowError.class);
    assertThat(rig.allocator.participant().isTorn()).isTrue();
    rig.allocator.allocate(1, 8);
    assertThat(rig.allocator.participant().isTorn()).as("after an allocation").isTrue();
    rig.allocator.free(Stripes.NONE, small);
    assertThat(rig.allocator.participant().isTorn()).as("after a free").isTrue();
    rig.allocator.trim();
    assertThat(rig.allocator.participant().isTorn()).as("after a trim").isTrue();
    rig.allocator.participant().prepare();
    assertThat(rig.allocator.participant().isTorn()).as("after the preparation").isTrue();
    rig.rollback();
  }

  @Test
  void anImageThatGrewTooLittleIsRefused() {
    growing(minimum -> minimum - CHUNK);
    rig.begin();
    rig.allocator.allocate(1, 3L * CHUNK - 8);
    assertThatIllegalStateException()
        .isThrownBy(() -> rig.allocator.allocate(1, LARGE))
        .withMessage("The home image grew to " + 4 * CHUNK + " bytes only");
    assertThat(rig.allocator.participant().isTorn()).isFalse();
    rig.rollback();
    growing(minimum -> minimum);
    rig.allocate(3L * CHUNK - 8);
    rig.allocate(LARGE);
    assertThat(rig.allocator.stats().capacity()).isEqualTo(5L * CHUNK);
  }

  /**
   * An image may grow by more than was asked for, up to an extent that has only its first chunk.
   */
  @Test
  void theImageGrowsAsFarAsNeeded() {
    List<String> asked = growing(minimum -> 9L * CHUNK);
    rig.allocate(4, LARGE);
    assertThat(asked).containsExactly("5 true");
    assertThat(rig.allocator.stats().freeChunks()).isEqualTo(3);
    asked = growing(rig::grow);
    rig.allocate(3L * CHUNK - 8);
    assertThat(asked).isEmpty();
    rig.allocate(3L * CHUNK);
    assertThat(asked).as("behind the first chunk of the second extent").containsExactly("13 true");
    rig.allocate(4L * CHUNK - 8);
    assertThat(asked).as("not in the three chunks that are left").endsWith("21 true");
    rig.allocate(5L * CHUNK - 8);
    assertThat(asked).as("in the next extent, since one chunk too few is left").endsWith("30 true");
    rig.allocate(2L * CHUNK - 8);
    assertThat(asked).hasSize(3);
    rig.allocate(2L * CHUNK - 8);
    assertThat(asked).as("two free chunks and none more").hasSize(3);
    rig.allocate(2L * CHUNK - 8);
    assertThat(asked).as("one chunk is left").endsWith("32 true");
    assertThat(rig.problems()).isEmpty();
  }

  @Test
  void freeChunksAtTheEndOfTheImageArePartOfALargeBlock() {
    List<String> asked = growing(rig::grow);
    rig.allocate(2, LARGE);
    rig.allocate(3L * CHUNK - 8);
    assertThat(asked).containsExactly("6 true");
    rig.free(rig.allocate(LARGE));
    assertThat(asked).endsWith("7 true");
    rig.allocate(2L * CHUNK - 8);
    assertThat(asked).as("up to the end of the extent").endsWith("8 true");
    assertThat(rig.allocator.stats().freeChunks()).isZero();
    rig.free(rig.allocate(LARGE));
    assertThat(asked).endsWith("10 true");
    rig.allocate(8L * CHUNK - CHUNK - 8);
    assertThat(asked).endsWith("16 true").hasSize(5);
  }

  @Test
  void aDamagedChunkLeavesNothingHalfDone() {
    List<Long> slots = rig.allocate(3, 100);
    rig.home.putLong(CHUNK, 99);
    rig.reopen();
    rig.begin();
    String wrong = "The chunk cannot be used: its header is not that of its size class";
    assertThatThrownBy(() -> rig.allocator.trim())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("at address " + CHUNK + ". " + wrong);
    assertThat(rig.allocator.participant().isTorn()).isFalse();
    assertThatThrownBy(() -> rig.allocator.allocate(1, 100)).hasMessageContaining(wrong);
    assertThat(rig.allocator.participant().isTorn()).isFalse();
    rig.rollback();
    rig.begin();
    rig.allocator.free(Stripes.NONE, slots.getFirst());
    assertThatThrownBy(() -> rig.allocator.participant().prepare()).hasMessageContaining(wrong);
    assertThat(rig.allocator.participant().isTorn()).isFalse();
    rig.rollback();
  }

  @Test
  void aDamagedChunkOfPagesIsRefused() {
    rig.allocate(20_000);
    for (long[] words : new long[][] {{99, 0x3F}, {ChunkKind.PAGES, 0x3E}}) {
      rig.home.putLong(CHUNK, words[0]);
      rig.home.putLong(CHUNK + 8, words[1]);
      rig.reopen();
      rig.begin();
      assertThatThrownBy(() -> rig.allocator.allocate(1, 20_000))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("its header is not that of a chunk with pages");
      rig.rollback();
    }
  }

  @Test
  void aLargeBlockWithAForeignChunkIsNotFreed() {
    long reference = rig.allocate(2L * CHUNK);
    rig.home.putLong(ChunkLayout.entry(3, rig.extentShift), 0);
    rig.reopen();
    rig.begin();
    rig.allocator.free(Stripes.NONE, reference);
    assertThatThrownBy(() -> rig.allocator.participant().prepare())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(
            "at address " + 3 * CHUNK + ". The chunk cannot be used: it does not belong to");
    rig.rollback();
  }

  /** Pages of fresh blocks have bytes that no record repeats, so their extent is not dropped. */
  @Test
  void thePagesOfFreshBlocksAreResident() {
    for (long size : new long[] {8000, 100_000, 3L * CHUNK - 8}) {
      for (boolean commits : new boolean[] {false, true}) {
        rig.home.resident().clear();
        rig.begin();
        long reference = rig.allocator.allocate(1, size);
        if (commits) {
          rig.allocator.free(Stripes.NONE, reference);
          rig.commit();
        } else {
          rig.rollback();
        }
        long address = Reference.address(reference);
        for (long at = address; at < address + 8 + size; at += 4096) {
          assertThat(rig.home.resident().contains(at)).as("%s at %s", size, at).isTrue();
        }
        assertThat(rig.home.resident().contains(address + 7 + size)).isTrue();
      }
    }
  }

  @Test
  void blocksThatATransactionFreesAreListedButForThoseWithoutAMeaning() {
    long[] references = new long[4];
    rig.transact(
        () -> {
          references[0] = rig.allocator.allocate(TYPE, 13);
          references[1] = rig.allocator.allocate(BlockType.RAW, 13);
          references[2] = rig.allocator.allocate(BlockType.MAP_NODE, 20_001);
          references[3] = rig.allocator.allocate(TYPE, LARGE);
        });
    List<String> freed = new ArrayList<>();
    rig.transact(
        () -> {
          rig.allocator.participant().freed((address, bytes) -> freed.add(address + " " + bytes));
          assertThat(freed).isEmpty();
          long fresh = rig.allocator.allocate(TYPE, 100);
          for (long reference : references) {
            rig.allocator.free(Stripes.NONE, reference);
          }
          rig.allocator.free(Stripes.NONE, fresh);
          rig.allocator.participant().freed((address, bytes) -> freed.add(address + " " + bytes));
        });
    assertThat(freed)
        .containsExactly(
            Reference.address(references[0]) + " 24",
            Reference.address(references[2]) + " 20016",
            Reference.address(references[3]) + " " + (LARGE + 8));
  }

  @Test
  void aFullHeapLetsTheNextCommitFreeEmptyChunksOnce() {
    List<Long> kept = rig.fill(3L * CHUNK - 8);
    rig.free(rig.allocate(1, 100));
    rig.reopen();
    rig.begin();
    assertThatThrownBy(() -> rig.allocator.allocate(1, 3L * CHUNK))
        .isInstanceOf(FullException.class);
    rig.rollback();
    long before = rig.allocator.stats().freeChunks();
    rig.allocate(1, 5000);
    assertThat(rig.allocator.stats().freeChunks()).isEqualTo(before);
    assertThat(kept).isNotEmpty();
  }
}
