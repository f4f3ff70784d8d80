package io.everheap.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.Heap;
import io.everheap.TestHeaps;
import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.ClosedException;
import io.everheap.error.GoneException;
import io.everheap.support.KeyBytes;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stream of all raw blocks of a heap. */
class AllBlocksTest {
  /** In slots, pages and chunks. */
  private static final long[] SIZES = {0, 1, 8, 100, 8_000, 9_000, 100_000, 300_000, 1 << 20};

  private final Heap heap = Heap.inMemory();
  private final Blocks blocks = heap.blocks();

  @TempDir Path temp;

  @AfterEach
  void close() {
    heap.close();
  }

  private static Set<Long> handles(Blocks blocks) {
    List<Long> all = blocks.all().map(Block::handle).toList();
    assertThat(all).doesNotHaveDuplicates();
    return new HashSet<>(all);
  }

  private static Set<Long> allocate(Blocks blocks) {
    Set<Long> handles = new HashSet<>();
    for (long size : SIZES) {
      for (int i = 0; i < 3; i++) {
        handles.add(blocks.allocate(size).handle());
      }
    }
    return handles;
  }

  @Test
  void aLargeBlockThatIsAllocatedAcrossTheNextChunkIsNoDamage() {
    long first = blocks.allocate(200_000).handle();
    long second = blocks.allocate(200_000).handle();
    Iterator<Block> all = blocks.all().iterator();
    assertThat(all.next().handle()).isEqualTo(first);
    blocks.free(first);
    blocks.free(second);
    blocks.allocate(400_000); // in the chunks of both
    assertThat(all.hasNext()).isFalse();
  }

  @Test
  void aNewHeapHasNone() {
    assertThat(blocks.all()).isEmpty();
    heap.map("map", String.class, String.class).put("key", "value");
    assertThat(blocks.all()).isEmpty();
  }

  @Test
  void blocksOfAllSizesAreThereWithTheirSizes() {
    Set<Long> allocated = allocate(blocks);
    heap.map("map", String.class, String.class).put("key", "x".repeat(500_000));
    Block root = heap.block("root", 24);
    allocated.add(root.handle());

    assertThat(handles(blocks)).isEqualTo(allocated);
    assertThat(blocks.all()).contains(root).allMatch(Block::isValid);
    assertThat(blocks.all().filter(b -> b.size() == 9_000)).hasSize(3);
    assertThat(blocks.all().mapToLong(Block::size).sum()).isEqualTo(24 + 3 * sum());
  }

  private static long sum() {
    return LongStream.of(SIZES).sum();
  }

  @Test
  void freedBlocksAreMissing() {
    Set<Long> kept = allocate(blocks);
    Set<Long> freed = allocate(blocks);
    heap.transact(() -> freed.forEach(blocks::free));

    assertThat(handles(blocks)).isEqualTo(kept);
  }

  @Test
  void theBlocksOfTheStreamCanBeFreed() {
    Set<Long> kept = allocate(blocks);
    allocate(blocks);

    blocks.all().filter(b -> !kept.contains(b.handle())).forEach(Block::free);

    assertThat(handles(blocks)).isEqualTo(kept);
    heap.transact(() -> blocks.all().forEach(Block::free));
    assertThat(blocks.all()).isEmpty();
    assertThat(heap.verify().problems()).isEmpty();
  }

  @Test
  void aTransactionSeesWhatItDid() {
    Set<Long> before = allocate(blocks);
    Set<Long> expected = new HashSet<>(before);
    RuntimeException undo = new RuntimeException("undo");
    assertThatExceptionOfType(RuntimeException.class)
        .isThrownBy(
            () ->
                heap.transact(
                    () -> {
                      expected.addAll(allocate(blocks));
                      long freed = before.iterator().next();
                      blocks.free(freed);
                      expected.remove(freed);
                      assertThat(handles(blocks)).isEqualTo(expected);
                      throw undo;
                    }))
        .isSameAs(undo);
    assertThat(handles(blocks)).isEqualTo(before);
  }

  @Test
  @Campaign
  void encryptedAndReadOnlyHeapsListTheSame() {
    KeyProvider key = KeyProvider.of(KeyBytes.of(1));
    var builder = TestHeaps.builder(temp.resolve("heap")).encrypt(key);
    Set<Long> allocated;
    try (Heap file = builder.open()) {
      allocated = allocate(file.blocks());
      assertThat(handles(file.blocks())).isEqualTo(allocated);
    }
    try (Heap file = builder.readOnly().open()) {
      assertThat(handles(file.blocks())).isEqualTo(allocated);
    }
  }

  @Test
  void aClosedHeapHasNoStream() {
    allocate(blocks);
    Stream<Block> begun = blocks.all();
    Iterator<Block> iterator = blocks.all().iterator();
    iterator.next();
    heap.close();

    assertThatExceptionOfType(ClosedException.class).isThrownBy(blocks::all);
    assertThatExceptionOfType(ClosedException.class).isThrownBy(begun::toList);
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(() -> iterator.forEachRemaining(block -> {}));
  }

  @Test
  void blocksThatStayAreListedWhileOthersComeAndGo() throws Exception {
    Set<Long> kept = allocate(blocks);
    DurableMap<Long, Long> map = heap.map("map", Long.class, Long.class);
    AtomicBoolean ended = new AtomicBoolean();
    FutureTask<Void> writing =
        new FutureTask<>(
            () -> {
              for (long i = 0; !ended.get(); i++) {
                List<Block> passing = new ArrayList<>();
                for (long size : SIZES) {
                  passing.add(blocks.allocate(size));
                }
                map.put(i % 1_000, i);
                heap.transact(() -> passing.forEach(Block::free));
              }
              return null;
            });
    Thread.ofPlatform().daemon().start(writing);
    for (int i = 0; i < 30; i++) {
      List<Long> listed = blocks.all().map(Block::handle).toList();
      assertThat(listed).containsAll(kept).doesNotHaveDuplicates();
    }
    for (int i = 0; i < 10; i++) {
      Set<Long> exact =
          heap.<Set<Long>, RuntimeException>read(
              () ->
                  blocks
                      .all()
                      .filter(AllBlocksTest::isReadable)
                      .map(Block::handle)
                      .collect(Collectors.toSet()));
      assertThat(exact).containsAll(kept).hasSizeBetween(kept.size(), kept.size() + SIZES.length);
    }
    ended.set(true);
    Limit.get(writing);
  }

  /** Every block of a consistent read can be read. */
  private static boolean isReadable(Block block) {
    try {
      return block.size() == 0 || block.getByte(0) == 0;
    } catch (GoneException e) {
      throw new AssertionError("a block of the read is gone", e);
    }
  }
}
