package io.everheap.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.FullException;
import io.everheap.error.GoneException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What transactions, rollbacks and reopenings do to blocks. */
class BlockTransactionTest {
  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Heap heap = Heap.inMemory();
  private final Blocks blocks = heap.blocks();

  @AfterEach
  void nothingIsDamaged() {
    assertThat(heap.verify().problems()).isEmpty();
    heap.close();
  }

  private void rolledBack(Runnable body) {
    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      body.run();
                      throw new Undo();
                    }))
        .isInstanceOf(Undo.class);
  }

  @Test
  void writesOfATransactionAreSeenInsideAndUndoneTogether() {
    Block block = blocks.allocate(64);
    block.setLong(0, 1);
    rolledBack(
        () -> {
          block.setLong(0, 2);
          block.setInt(9, 3);
          block.fill(20, 30, (byte) 4);
          block.copyFrom(60, new byte[] {1, 2, 3, 4}, 0, 4);
          assertThat(block.getLong(0)).isEqualTo(2);
          assertThat(block.getInt(9)).isEqualTo(3);
          assertThat(block.getByte(49)).isEqualTo((byte) 4);
          assertThat(block.getInt(60)).isEqualTo(0x0403_0201);
          assertThat(block.compareAndSetLong(0, 2, 5)).isTrue();
          assertThat(block.getAndAddInt(9, 4)).isEqualTo(3);
          assertThat(block.getInt(9)).isEqualTo(7);
        });

    byte[] bytes = new byte[64];
    block.copyTo(0, bytes, 0, 64);
    assertThat(bytes[0]).isEqualTo((byte) 1);
    bytes[0] = 0;
    assertThat(bytes).containsOnly(0);
  }

  @Test
  void anUndoneFreeLeavesAllAccessorsValid() {
    Block block = blocks.allocate(16);
    Block second = blocks.at(block.handle());
    block.setLong(0, 9);
    rolledBack(
        () -> {
          block.free();
          assertThat(second.isValid()).isFalse();
          assertThatThrownBy(() -> second.getLong(0)).isInstanceOf(GoneException.class);
        });

    assertThat(block.isValid()).isTrue();
    assertThat(block.getLong(0)).isEqualTo(9);
    second.setLong(8, 10);
    assertThat(block.getLong(8)).isEqualTo(10);
  }

  @Test
  void aBlockOfARolledBackTransactionIsNotThere() {
    Block[] made = new Block[1];
    rolledBack(() -> made[0] = blocks.allocate(16, range -> range.setLong(0, 1)));
    Block next = blocks.allocate(16);

    assertThat(made[0].isValid()).isFalse();
    assertThat(next).isNotEqualTo(made[0]);
    assertThatThrownBy(() -> made[0].getLong(0)).isInstanceOf(GoneException.class);
    assertThat(next.getLong(0)).isZero();
  }

  @Test
  void anInnerFailureThatIsCaughtUndoesTheInnerPartOnly() {
    Block block = blocks.allocate(32);
    heap.transact(
        () -> {
          block.setLong(0, 1);
          rolledBack(
              () -> {
                block.setLong(0, 2);
                block.setLong(8, 2);
              });
          block.setLong(16, 3);
        });

    assertThat(block.getLong(0)).isEqualTo(1);
    assertThat(block.getLong(8)).isZero();
    assertThat(block.getLong(16)).isEqualTo(3);
  }

  @Test
  void aRangeEndsWithItsBody() {
    Block block = blocks.allocate(64);
    BlockRange[] kept = new BlockRange[1];
    block.withRange(
        8,
        16,
        range -> {
          range.setLong(8, 1);
          range.setLong(16, 2);
          assertThat(range.getLong(8)).isEqualTo(1);
          assertThat(range.offset()).isEqualTo(8);
          assertThat(range.length()).isEqualTo(16);
          assertThatThrownBy(() -> range.setByte(7, (byte) 1))
              .isInstanceOf(IndexOutOfBoundsException.class);
          assertThatThrownBy(() -> range.setByte(24, (byte) 1))
              .isInstanceOf(IndexOutOfBoundsException.class);
          kept[0] = range;
        });

    assertThat(block.getLong(16)).isEqualTo(2);
    heap.transact(
        () ->
            assertThatThrownBy(() -> kept[0].setLong(8, 5))
                .isInstanceOf(IllegalStateException.class));
    assertThatThrownBy(() -> kept[0].getLong(8)).isInstanceOf(IllegalStateException.class);
    assertThat(block.getLong(8)).isEqualTo(1);
  }

  @Test
  void aRangeEndsAlsoWhenItsBodyThrowsAndNothingStays() {
    Block block = blocks.allocate(64);
    BlockRange[] kept = new BlockRange[1];
    heap.transact(
        () -> {
          block.setLong(0, 4);
          assertThatThrownBy(
                  () ->
                      block.withRange(
                          0,
                          64,
                          range -> {
                            kept[0] = range;
                            range.setLong(0, 5);
                            range.fill(8, 8, (byte) 5);
                            throw new Undo();
                          }))
              .isInstanceOf(Undo.class);
          assertThatThrownBy(() -> kept[0].setLong(0, 6)).isInstanceOf(IllegalStateException.class);
        });

    assertThat(block.getLong(0)).isEqualTo(4);
    assertThat(block.getLong(8)).isZero();
  }

  @Test
  void aRangeIsOfNoUseToOtherThreads() {
    Block block = blocks.allocate(64);
    block.withRange(
        0,
        64,
        range -> {
          var other = CompletableFuture.runAsync(() -> range.setLong(0, 1));
          assertThatThrownBy(() -> Limit.get(other))
              .hasCauseInstanceOf(OutsideTransactionException.class);
        });

    assertThat(block.getLong(0)).isZero();
  }

  @Test
  void aRangeOfABlockThatItsBodyFreesIsRefused() {
    Block block = blocks.allocate(64);
    block.withRange(
        0,
        64,
        range -> {
          block.free();
          assertThatThrownBy(() -> range.setLong(0, 1)).isInstanceOf(GoneException.class);
        });

    assertThat(block.isValid()).isFalse();
  }

  @Test
  void anInitializerWritesOfEveryKind() {
    byte[] bytes = {1, 2, 3, 4, 5};
    Block source = blocks.allocate(8, range -> range.setLong(0, 0x0807_0605_0403_0201L));
    Block block =
        blocks.allocate(
            100,
            range -> {
              range.setLong(3, -1);
              range.setByte(0, (byte) 7);
              range.copyFrom(20, bytes, 1, 4);
              range.copyFrom(40, source, 1, 3);
              range.fill(50, 3, (byte) 9);
              range.setInt(51, 1);
              assertThat(range.getLong(3)).isEqualTo(-1);
              assertThat(range.getInt(51)).isEqualTo(1);
            });

    assertThat(block.getByte(0)).isEqualTo((byte) 7);
    assertThat(block.getLong(3)).isEqualTo(-1);
    assertThat(block.getInt(20)).isEqualTo(0x0504_0302);
    assertThat(block.getInt(39)).isEqualTo(0x0403_0200);
    assertThat(block.getByte(50)).isEqualTo((byte) 9);
    assertThat(block.getInt(51)).isEqualTo(1);
    assertThat(block.getByte(55)).isZero();
  }

  @Test
  void anInitializerThatThrowsAllocatesNothing() {
    long before = heap.stats().blocks();
    BlockRange[] kept = new BlockRange[1];

    assertThatThrownBy(
            () ->
                blocks.allocate(
                    100,
                    range -> {
                      kept[0] = range;
                      throw new Undo();
                    }))
        .isInstanceOf(Undo.class);

    assertThat(heap.stats().blocks()).isEqualTo(before);
    assertThatThrownBy(() -> kept[0].getByte(0)).isInstanceOf(IllegalStateException.class);
  }

  /** Stores straight into the fresh block would survive the rollback of a level within. */
  @Test
  void anInnerRollbackWithinAnInitializerUndoesItsWrites() {
    Block block =
        blocks.allocate(
            32,
            range -> {
              range.setLong(0, 1);
              rolledBack(
                  () -> {
                    range.setLong(0, 2);
                    range.setLong(8, 2);
                  });
              heap.transact(() -> range.setLong(16, 3));
              range.setLong(16, 4);
              range.setLong(24, 5);
            });

    assertThat(block.getLong(0)).isEqualTo(1);
    assertThat(block.getLong(8)).isZero();
    assertThat(block.getLong(16)).isEqualTo(4);
    assertThat(block.getLong(24)).isEqualTo(5);
  }

  @Test
  void aFullHeapRefusesBlocksAndKeepsWhatIsThere(@TempDir Path directory) {
    try (Heap small = Heap.builder(directory.resolve("heap")).maxSize(2 << 20).open()) {
      Block block = small.block("root", 64);
      block.setLong(0, 1);
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100; i++) {
                  small.blocks().allocate(200_000);
                }
              })
          .isInstanceOf(FullException.class);
      block.setLong(8, 2);
      assertThat(block.getLong(0)).isEqualTo(1);
      assertThat(small.verify().problems()).isEmpty();
    }
  }

  @Test
  void rootsAndHandlesOutliveTheHeap(@TempDir Path directory) {
    long handle;
    try (Heap first = Heap.open(directory)) {
      Block root = first.block("root", 16);
      handle =
          first.transact(
              () -> {
                Block node = first.blocks().allocate(40, range -> range.setDouble(32, 2.5));
                root.setLong(8, node.handle());
                return node.handle();
              });
    }
    try (Heap second = Heap.open(directory)) {
      Block root = second.block("root", 16);
      assertThat(root.getLong(8)).isEqualTo(handle);
      Block node = second.blocks().at(root.getLong(8));
      assertThat(node.size()).isEqualTo(40);
      assertThat(node.getDouble(32)).isEqualTo(2.5);
      assertThatThrownBy(() -> second.block("root", 17))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("16 bytes, not 17");
      assertThat(second.roots())
          .singleElement()
          .hasToString("Root[name=root, kind=block, types={}, size=16]");
      assertThat(second.entries("root").toList()).hasSize(1);
      assertThat(second.verify().problems()).isEmpty();
      assertThat(second.remove("root")).isTrue();
      assertThatThrownBy(() -> root.getLong(0)).isInstanceOf(GoneException.class);
      assertThat(node.getDouble(32)).isEqualTo(2.5);
    }
  }

  @Test
  void readsOfSeveralBlocksSeeOneStateInsideHeapRead() {
    Block a = blocks.allocate(8);
    Block b = blocks.allocate(8);
    a.setLong(0, 1);
    b.setLong(0, -1);

    assertThat(heap.<Long, RuntimeException>read(() -> a.getLong(0) + b.getLong(0))).isZero();
    assertThatThrownBy(
            () ->
                heap.read(
                    () -> {
                      a.setLong(0, 2);
                      return 0;
                    }))
        .isInstanceOf(IllegalStateException.class);
  }
}
