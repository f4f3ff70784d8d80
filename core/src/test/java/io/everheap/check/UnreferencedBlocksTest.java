package io.everheap.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.HeapCheck;
import io.everheap.TestHeaps;
import io.everheap.block.Block;
import io.everheap.block.Blocks;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableLongArray;
import io.everheap.collection.DurableMap;
import io.everheap.durable.Durable;
import io.everheap.report.VerifyProgress;
import io.everheap.report.VerifyReport;
import io.everheap.report.VerifyReport.RawBlock;
import io.everheap.support.tier.Campaign;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which raw blocks a check names because it finds their handle nowhere. */
class UnreferencedBlocksTest {
  private final Heap heap = Heap.inMemory();
  private final Blocks blocks = heap.blocks();

  @TempDir Path temp;

  @Durable
  interface Holder {
    long handle();

    void handle(long handle);
  }

  record Link(boolean used, long handle) {}

  @AfterEach
  void close() {
    heap.close();
  }

  private void assertUnreferenced(Block... expected) {
    VerifyReport report = heap.verify();
    assertThat(report.ok()).isTrue();
    assertThat(report.unreferenced().stream().map(RawBlock::handle))
        .containsExactlyInAnyOrderElementsOf(Arrays.stream(expected).map(Block::handle).toList());
    assertThat(report.foundUnreferenced()).isEqualTo(expected.length);
    assertThat(report.unreferencedBytes())
        .isEqualTo(Arrays.stream(expected).mapToLong(b -> Blocks.footprint(b.size())).sum());
  }

  private long handle(long bytes) {
    return blocks.allocate(bytes).handle();
  }

  @Test
  void aBlockWhoseHandleWasNotStoredIsNamedWithItsSize() {
    Block lost = blocks.allocate(100);

    assertUnreferenced(lost);
    RawBlock named = heap.verify().unreferenced().getFirst();
    assertThat(named.size()).isEqualTo(100);
    assertThat(named.offset()).isPositive().isEqualTo(named.offset() / 16 * 16);
    blocks.free(named.handle());
    assertUnreferenced();
  }

  @Test
  void rootsAreNeverNamed() {
    heap.block("root", 100);
    assertUnreferenced();
  }

  @Test
  void aHandleInABlockAtAnyOffsetAndInEitherByteOrderIsFound() {
    for (int offset = 0; offset <= 16; offset++) {
      heap.block("root " + offset, 24).setLong(offset, handle(8));
      heap.block("reversed " + offset, 24).setLong(offset, Long.reverseBytes(handle(300_000)));
    }
    assertUnreferenced();
  }

  @Test
  void aHandleInAStructureOrAnObjectIsFound() {
    heap.map("words", Long.class, Long.class).put(1L, handle(1));
    heap.map("keys", Long.class, String.class).put(handle(2), "x");
    heap.map("records", String.class, Link.class).put("a", new Link(true, handle(3)));
    heap.sortedMap("sorted", String.class, Long.class).put("a", handle(4));
    heap.root("array", DurableLongArray.ofLength(100_000)).set(99_999, handle(5));
    heap.list("list", Long.class).addAll(List.of(1L, handle(6)));
    heap.deque("deque", Long.class).add(handle(7));
    heap.object("object", Holder.class, o -> o.handle(handle(8)));
    byte[] bytes = ByteBuffer.allocate(2_003).putLong(1_995, handle(9)).array();
    heap.map("bytes", Long.class, byte[].class).put(1L, bytes);
    heap.transact(() -> heap.create(DurableList.of(Long.class)).add(handle(10)));

    assertUnreferenced();
  }

  @Test
  void aListOfBlocksThatNothingLeadsToIsNamedWholeAlsoIfItIsACycle() {
    Block head = heap.block("head", 8);
    Block[] reached = chain(5);
    head.setLong(0, reached[4].handle());
    Block[] lost = chain(5);
    assertUnreferenced(lost);

    lost[0].setLong(0, lost[4].handle());
    assertUnreferenced(lost);

    reached[0].setLong(0, lost[2].handle());
    assertUnreferenced();

    head.setLong(0, 0);
    List<Block> all = new ArrayList<>(List.of(lost));
    all.addAll(List.of(reached));
    assertUnreferenced(all.toArray(Block[]::new));
  }

  /** Blocks that each have the handle of the one before it. */
  private Block[] chain(int length) {
    Block[] chain = new Block[length];
    for (int i = 0; i < length; i++) {
      long previous = i == 0 ? 0 : chain[i - 1].handle();
      chain[i] = blocks.allocate(16, range -> range.setLong(0, previous));
    }
    return chain;
  }

  @Test
  void theHandleOfAFreedBlockDoesNotLeadToTheOneInItsPlace() {
    Block head = heap.block("head", 8);
    Block freed = blocks.allocate(5_000);
    head.setLong(0, freed.handle());
    freed.free();
    Block next = blocks.allocate(5_000);

    assertUnreferenced(next);
  }

  @Test
  void aHandleAcrossTheEndsOfPiecesIsFound() {
    Block root = heap.block("root", 200_000);
    for (int i = 0; i < 3; i++) {
      root.setLong((i + 1) * 65_536L - 8 + i * 3L, handle(8));
    }
    root.setLong(199_992, handle(8));
    assertUnreferenced();
  }

  @Test
  @Campaign
  void moreBlocksThanCanBeListedAreCounted() {
    int count = VerifyReport.MAX_PROBLEMS + 500;
    heap.transact(
        () -> {
          for (int i = 0; i < count; i++) {
            blocks.allocate(8);
          }
        });
    VerifyReport report = heap.verify();
    assertThat(report.unreferenced()).hasSize(VerifyReport.MAX_PROBLEMS);
    assertThat(report.foundUnreferenced()).isEqualTo(count);
    assertThat(report.unreferencedBytes()).isEqualTo(count * Blocks.footprint(8));
  }

  @Test
  void aClosedFileIsCheckedLikewise() {
    Path directory = temp.resolve("heap");
    long lost;
    try (Heap file = TestHeaps.open(directory)) {
      DurableMap<String, Long> map = file.map("map", String.class, Long.class);
      map.put("kept", file.blocks().allocate(40).handle());
      lost = file.blocks().allocate(9_000).handle();
    }
    List<Double> parts = new ArrayList<>();
    VerifyProgress progress = (what, part) -> parts.add(part);
    VerifyReport report = HeapCheck.verify(directory, null, progress);

    assertThat(report.problems()).isEmpty();
    assertThat(report.unreferenced()).singleElement().extracting(RawBlock::handle).isEqualTo(lost);
    assertThat(report.notChecked()).isEmpty();
    assertThat(parts).isSorted().endsWith(1.0);
  }
}
