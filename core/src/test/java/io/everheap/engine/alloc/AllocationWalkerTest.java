package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.home.HomeLayout;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import java.util.List;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AllocationWalkerTest {
  private static final int CHUNK = ChunkLayout.CHUNK_BYTES;

  private final AllocatorRig rig = new AllocatorRig(21, 16);

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void findsNothingWrongWithANewHeap() {
    assertThat(rig.problems()).isEmpty();
    assertThat(rig.blocks()).isEmpty();
  }

  /** As builds left it that had no fine classes. */
  @Test
  void aBlockMayBeInACoarseSlotThoughAFineOneWouldHoldIt() {
    long address = Reference.address(rig.allocate(1100)); // in 1152 bytes; 1088 hold 1048 as well
    int slack = 1152 - 1048;
    rig.home.putLong(address, BlockHeader.allocated(0, BlockType.RAW, slack));
    assertThat(rig.problems()).isEmpty();
    assertThat(rig.blocks()).hasSize(1);
    rig.home.putLong(address, BlockHeader.allocated(0, BlockType.RAW, 1152 - 1024));
    assertThat(rig.problems()).singleElement().asString().contains("does not fit its slot");
  }

  @Test
  void noticesACapacityThatCannotBe() {
    rig.home.putLong(HomeLayout.CAPACITY_ADDRESS, CHUNK + 1);
    assertThat(rig.problems()).singleElement().asString().contains("capacity");
    assertThatThrownBy(rig::open).isInstanceOf(CorruptException.class);
  }

  @Test
  void noticesAFullFlagThatIsWrong() {
    for (long size : new long[] {100, 20_000}) {
      long reference = rig.allocate(size);
      assertThat(damaged(entry(reference), word -> word | ChunkLayout.FULL))
          .singleElement()
          .asString()
          .contains("not full");
    }
    List<Long> references = rig.allocate(SizeClasses.slots(SizeClasses.of(4008)), 4000);
    assertThat(damaged(entry(references.get(0)), word -> word & ~ChunkLayout.FULL))
        .singleElement()
        .asString()
        .contains("full");
  }

  @Test
  void noticesABitThatDisagreesWithTheHeader() {
    long reference = rig.allocate(100);
    rig.free(rig.allocate(5, 100));
    long bitmap = base(reference) + SlotLayout.BITMAP;
    assertThat(damaged(bitmap, word -> word & ~1)).isNotEmpty();
    assertThat(damaged(bitmap, word -> word | 2)).isNotEmpty();
  }

  @Test
  void noticesBitsBehindTheLastSlot() {
    int sizeClass = SizeClasses.of(8008);
    long reference = rig.allocate(8000);
    assertThat(SlotLayout.padding(sizeClass, 0)).isNotZero();
    long bitmap = base(reference) + SlotLayout.BITMAP;
    assertThat(damaged(bitmap, word -> word & Long.MAX_VALUE)).isNotEmpty();
  }

  @Test
  void noticesAHeaderThatDoesNotFit() {
    for (long size : new long[] {100, 20_000, 200_000}) {
      long address = Reference.address(rig.allocate(size));
      assertThat(damaged(address, word -> word & ~1)).isNotEmpty();
      assertThat(damaged(address, word -> word | BlockHeader.RETIRED)).isNotEmpty();
    }
    long address = Reference.address(rig.allocate(100));
    assertThat(damaged(address, word -> word | 0xffff0)).isNotEmpty();
  }

  @Test
  void noticesRunsThatAreNotWellFormed() {
    long reference = rig.allocate(20_000);
    long used = base(reference) + PageLayout.USED;
    long first = base(reference) + PageLayout.FIRST;
    assertThat(damaged(used, word -> word & ~1)).isNotEmpty();
    assertThat(damaged(used, word -> word | (1L << 60))).isNotEmpty();
    assertThat(damaged(used, word -> word & ~2)).isNotEmpty();
    assertThat(damaged(used, word -> word & ~8)).isNotEmpty();
    assertThat(damaged(first, word -> 0)).isNotEmpty();
    assertThat(damaged(first, word -> word | 8)).isNotEmpty();
  }

  @Test
  void noticesLargeBlocksThatDoNotFitTheirChunks() {
    long reference = rig.allocate(2L * CHUNK);
    long entry = entry(reference);
    assertThat(damaged(entry, word -> ChunkLayout.large(ChunkKind.LARGE, 0))).isNotEmpty();
    assertThat(damaged(entry, word -> ChunkLayout.large(ChunkKind.LARGE, 2))).isNotEmpty();
    assertThat(damaged(entry, word -> ChunkLayout.large(ChunkKind.LARGE, 60_000))).isNotEmpty();
    assertThat(damaged(entry + 16, word -> 0)).isNotEmpty();
    assertThat(damaged(entry, word -> 0)).isNotEmpty();
  }

  @Test
  void noticesTableEntriesThatCannotBe() {
    long reference = rig.allocate(100);
    assertThat(damaged(entry(reference), word -> 99)).isNotEmpty();
    assertThat(damaged(entry(reference), word -> 2)).isNotEmpty();
    assertThat(damaged(entry(reference), word -> word | (1L << 63))).isNotEmpty();
    assertThat(damaged(entry(reference) + 8, word -> -1)).isNotEmpty();
    assertThat(damaged(HomeLayout.CHUNK_TABLE_OFFSET, word -> 1)).isNotEmpty();
    assertThat(damaged(HomeLayout.CHUNK_TABLE_OFFSET + 16 * 7, word -> 1)).isNotEmpty();
  }

  @Test
  void noticesAHomeImageThatIsTooShort() {
    rig.home.putLong(HomeLayout.CAPACITY_ADDRESS, 1L << 40);
    assertThat(rig.problems()).isNotEmpty();
    rig.home.putLong(HomeLayout.CAPACITY_ADDRESS, rig.limit);
    rig.home.truncate(rig.limit / 2, IllegalStateException::new);
    assertThat(rig.problems()).isNotEmpty();
  }

  @Property(tries = 300)
  void survivesHostileBytes(@ForAll long seed) {
    Random random = new Random(seed);
    try (AllocatorRig hostile = new AllocatorRig(20, 12)) {
      hostile.allocate(50, 100);
      hostile.allocate(5, 20_000);
      hostile.allocate(1, 200_000);
      damage(hostile, random);
      hostile.problems();
      try {
        hostile.reopen();
        for (int i = 0; i < 50; i++) {
          step(hostile, random);
        }
      } catch (EverheapException expected) {
        assertThat(expected.code()).startsWith("EH-");
      }
    }
  }

  private static void damage(AllocatorRig hostile, Random random) {
    for (int i = 0; i < 1 + random.nextInt(20); i++) {
      long address =
          switch (random.nextInt(4)) {
            case 0 -> HomeLayout.CHUNK_TABLE_OFFSET + 8L * random.nextInt(8);
            case 1 -> ChunkLayout.address(1 + random.nextInt(3)) + 8L * random.nextInt(12);
            case 2 -> ChunkLayout.address(1 + random.nextInt(3)) + 4096L * random.nextInt(64);
            default -> (long) CHUNK + 8L * random.nextInt(3 * CHUNK / 8);
          };
      long old = hostile.memory.getLong(address);
      boolean isBit = random.nextBoolean();
      hostile.home.putLong(address, isBit ? old ^ (1L << random.nextInt(64)) : random.nextLong());
    }
  }

  private static void step(AllocatorRig hostile, Random random) {
    hostile.begin();
    boolean done = false;
    try {
      long reference = hostile.allocator.allocate(1, random.nextInt(40_000));
      if (random.nextBoolean()) {
        hostile.allocator.free(-1, reference);
      }
      done = true;
    } finally {
      if (done) {
        hostile.commit();
      } else {
        hostile.rollback();
      }
    }
  }

  /** What a walk finds while a word is changed. */
  private List<String> damaged(long address, LongUnaryOperator change) {
    assertThat(rig.problems()).isEmpty();
    long word = rig.memory.getLong(address);
    rig.home.putLong(address, change.applyAsLong(word));
    try {
      return rig.problems();
    } finally {
      rig.home.putLong(address, word);
    }
  }

  private long entry(long reference) {
    return ChunkLayout.entry(ChunkLayout.chunkOf(Reference.address(reference)), rig.extentShift);
  }

  private static long base(long reference) {
    return Reference.address(reference) & -CHUNK;
  }
}
