package io.everheap.engine.alloc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Table entries that were lost come back from the headers of their chunks. */
class ChunkRepairTest {
  private static final int CHUNK = ChunkLayout.CHUNK_BYTES;

  private final AllocatorRig rig = new AllocatorRig(20, 16);

  @AfterEach
  void close() {
    rig.close();
  }

  private int repair() {
    return new ChunkRepair(rig.home).run();
  }

  private long entry(int chunk) {
    return ChunkLayout.entry(chunk, rig.extentShift);
  }

  private int chunk(long reference) {
    return ChunkLayout.chunkOf(Reference.address(reference));
  }

  @Test
  void nothingIsChangedInASoundImage() {
    rig.allocate(100);
    rig.allocate(20_000);
    rig.free(rig.allocate(5000));
    rig.allocate(200_000);
    rig.allocate(2L * CHUNK);
    rig.allocate(40);
    var before = rig.blocks();
    assertThat(repair()).isZero();
    assertThat(rig.problems()).isEmpty();
    assertThat(rig.blocks()).isEqualTo(before).hasSize(5);
  }

  @Test
  void chunksWithSlotsOrPagesAreFoundWhateverTheirEntriesSay() {
    List<Long> references = rig.allocate(70, 5000); // more than a word of a bitmap, in two chunks
    references.addAll(rig.allocate(3, 20_000));
    references.addAll(rig.allocate(1, 16));
    references.addAll(rig.allocate(1, 700));
    var before = rig.blocks();
    int lost = 0;
    for (int chunk : references.stream().mapToInt(this::chunk).distinct().toArray()) {
      rig.home.putLong(entry(chunk), lost % 2 == 0 ? 0 : 99 + 0x20000L);
      lost++;
    }
    assertThat(lost).isEqualTo(5);
    assertThat(rig.blocks()).isEmpty();
    assertThat(repair()).isEqualTo(5);
    assertThat(rig.blocks()).isEqualTo(before);
    int small = chunk(references.get(73));
    assertThat(rig.home.getLong(entry(small))).isEqualTo(ChunkKind.ofClass(0) + 1L);
    assertThat(repair()).isZero();
  }

  @Test
  void blocksInTheLaterWordsOfABitmapAreEnough() {
    List<Long> references = rig.allocate(150, 40);
    rig.free(references.subList(0, 140));
    var before = rig.blocks();
    rig.home.putLong(entry(chunk(references.getFirst())), 0);
    assertThat(repair()).isOne();
    assertThat(rig.blocks()).isEqualTo(before).hasSize(10);
  }

  @Test
  void aChunkWithoutBlocksStaysFree() {
    List<Long> slots = rig.allocate(3, 5000); // 64 slots or fewer, so its bitmap has padding
    List<Long> pages = rig.allocate(3, 20_000);
    rig.free(slots);
    rig.free(pages);
    rig.home.putLong(entry(chunk(slots.getFirst())), 0);
    rig.home.putLong(entry(chunk(pages.getFirst())), 0);
    assertThat(repair()).isZero();
    assertThat(rig.home.getLong(entry(chunk(slots.getFirst())))).isZero();
    assertThat(rig.home.getLong(entry(chunk(pages.getFirst())))).isZero();
  }

  @Test
  void aHeaderThatCannotBeIsNotFollowed() {
    long slots = rig.allocate(5000);
    long base = ChunkLayout.address(chunk(slots));
    rig.home.putLong(entry(chunk(slots)), 0);
    long header = rig.home.getLong(base);
    for (long wrong : new long[] {header + (1L << 16), header | 1L << 63, header + 1, 0, 99}) {
      rig.home.putLong(base, wrong);
      assertThat(repair()).as("0x%x", wrong).isZero();
    }
    rig.home.putLong(base, header);
    assertThat(repair()).isOne();

    long run = rig.allocate(20_000);
    base = ChunkLayout.address(chunk(run));
    header = rig.home.getLong(base);
    long used = rig.home.getLong(base + 8);
    long first = rig.home.getLong(base + 16);
    long[][] wrongs = {
      {header + 1, used, first},
      {header | 1L << 32, used, first},
      {header, used & ~1, first},
      {header, used, first | 1L << 60},
      {header, used, 0},
    };
    for (long[] wrong : wrongs) {
      rig.home.putLong(entry(chunk(run)), 0);
      for (int i = 0; i < 3; i++) {
        rig.home.putLong(base + 8L * i, wrong[i]);
      }
      assertThat(repair()).as("0x%x 0x%x 0x%x", wrong[0], wrong[1], wrong[2]).isZero();
      assertThat(rig.home.getLong(entry(chunk(run)))).isZero();
    }
  }

  @Test
  void metadataChunksAndThoseBehindTheCapacityAreNotLookedAt() {
    rig.allocate(5000);
    long[] header = new long[3];
    header[0] = ChunkKind.PAGES;
    header[1] = 3;
    header[2] = 2;
    for (int chunk : new int[] {4, 5, 7, 8}) {
      for (int i = 0; i < 3; i++) {
        rig.home.putLong(ChunkLayout.address(chunk) + 8L * i, header[i]);
      }
    }
    rig.home.putLong(8192, 7L * CHUNK);
    assertThat(repair()).isOne();
    assertThat(rig.home.getLong(entry(5))).isEqualTo(ChunkKind.PAGES);
    for (int chunk : new int[] {4, 7, 8}) {
      assertThat(rig.home.getLong(entry(chunk))).as("chunk %s", chunk).isZero();
    }
  }
}
