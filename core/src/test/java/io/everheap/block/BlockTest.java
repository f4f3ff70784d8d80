package io.everheap.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.ClosedException;
import io.everheap.error.GoneException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values in blocks, bounds, handles and accessors. */
class BlockTest {
  private final Heap heap = Heap.inMemory();
  private final Blocks blocks = heap.blocks();

  @AfterEach
  void nothingIsDamaged() {
    if (heap.isOpen()) {
      assertThat(heap.verify().problems()).isEmpty();
      heap.close();
    }
  }

  @Test
  void aNewBlockIsZero() {
    Block block = blocks.allocate(100);
    byte[] bytes = new byte[100];
    bytes[7] = 1;

    block.copyTo(0, bytes, 0, 100);

    assertThat(bytes).containsOnly(0);
    assertThat(block.size()).isEqualTo(100);
    assertThat(block.handle()).isNotZero();
  }

  @Test
  void everyTypeIsStoredAtEveryOffset() {
    Block block = blocks.allocate(40);
    for (int offset = 0; offset <= 32; offset++) {
      block.fill(0, 40, (byte) 0x5a);
      block.setByte(offset, (byte) -2);
      assertThat(block.getByte(offset)).isEqualTo((byte) -2);
      block.setShort(offset, (short) -3000);
      assertThat(block.getShort(offset)).isEqualTo((short) -3000);
      block.setChar(offset, '\uffe0');
      assertThat(block.getChar(offset)).isEqualTo('\uffe0');
      block.setInt(offset, 0xfedc_ba98);
      assertThat(block.getInt(offset)).isEqualTo(0xfedc_ba98);
      assertThat(block.getIntAcquire(offset)).isEqualTo(0xfedc_ba98);
      block.setFloat(offset, -1.5f);
      assertThat(block.getFloat(offset)).isEqualTo(-1.5f);
      block.setDouble(offset, Math.PI);
      assertThat(block.getDouble(offset)).isEqualTo(Math.PI);
      block.setLong(offset, 0xfedc_ba98_7654_3210L);
      assertThat(block.getLong(offset)).isEqualTo(0xfedc_ba98_7654_3210L);
      assertThat(block.getLongAcquire(offset)).isEqualTo(0xfedc_ba98_7654_3210L);
      assertThat(block.getByte(offset)).isEqualTo((byte) 0x10); // little-endian
      block.setBoolean(offset, true);
      assertThat(block.getBoolean(offset)).isTrue();
      block.setBoolean(offset, false);
      assertThat(block.getBoolean(offset)).isFalse();
      for (int i = 0; i < 40; i++) {
        if (i < offset || i >= offset + 8) {
          assertThat(block.getByte(i))
              .as("byte %d beside offset %d", i, offset)
              .isEqualTo((byte) 0x5a);
        }
      }
    }
  }

  @Test
  void nansKeepTheirBits() {
    Block block = blocks.allocate(8);
    float odd = Float.intBitsToFloat(0x7fc0_1234);

    block.setFloat(1, odd);

    assertThat(block.getInt(1)).isEqualTo(0x7fc0_1234);
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        -1,
        93,
        100,
        101,
        Integer.MAX_VALUE,
        Long.MAX_VALUE,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE - 7,
        Long.MAX_VALUE - 8,
        Long.MAX_VALUE - 100,
        Long.MIN_VALUE,
        Long.MIN_VALUE + 8
      })
  void offsetsOutsideOfTheBlockAreRefusedAlsoWhereTheirSumOverflows(long offset) {
    Block block = blocks.allocate(100);
    byte[] bytes = new byte[8];
    List<ThrowingCallable> calls =
        List.of(
            () -> block.getLong(offset),
            () -> block.setLong(offset, 1),
            () -> block.getDouble(offset),
            () -> block.compareAndSetLong(offset, 0, 1),
            () -> block.getAndAddLong(offset, 1),
            () -> block.copyTo(offset, bytes, 0, 8),
            () -> block.copyFrom(offset, bytes, 0, 8),
            () -> block.copyFrom(offset, block, 0, 8),
            () -> block.copyFrom(0, block, offset, 8),
            () -> block.fill(offset, 8, (byte) 1),
            () -> block.fill(1, offset == 93 ? 100 : offset < 0 ? offset : offset + 1, (byte) 1),
            () -> block.withRange(offset, 8, range -> {}),
            () -> block.withRange(8, Long.MAX_VALUE, range -> {}),
            () -> block.withRange(0, 8, range -> range.setLong(offset, 1)),
            () -> block.withRange(64, 8, range -> range.setLong(56, 1)),
            () -> blocks.allocate(100, range -> range.setLong(offset, 1)));
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(isZero(block)).isTrue();
  }

  @Test
  void theLastBytesOfABlockCanBeUsed() {
    Block block = blocks.allocate(13);
    block.setLong(5, -1);

    assertThat(block.getLong(5)).isEqualTo(-1);
    assertThatThrownBy(() -> block.getLong(6)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> blocks.allocate(0).getByte(0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void sizesThatNoBlockCanHaveAreRefused() {
    for (long size :
        new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 8, 1L << 40}) {
      assertThatThrownBy(() -> blocks.allocate(size))
          .as("%d bytes", size)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(blocks.allocate(blocks.maxSize()).size()).isEqualTo(blocks.maxSize());
  }

  @Test
  void aBlockIsFoundByItsHandle() {
    Block block = blocks.allocate(16);
    block.setLong(8, 42);

    Block other = blocks.at(block.handle());

    assertThat(other.getLong(8)).isEqualTo(42);
    assertThat(other.size()).isEqualTo(16);
    assertThat(other).isEqualTo(block).hasSameHashCodeAs(block).hasToString(block.toString());
    assertThat(blocks.isValid(block.handle())).isTrue();
  }

  @Test
  void blocksAreEqualIfTheirHandlesAndHeapsAre() {
    Block first = blocks.allocate(16);
    Block second = blocks.allocate(16);
    try (Heap other = Heap.inMemory()) {
      Block elsewhere = other.blocks().allocate(16);
      assertThat(elsewhere.handle()).isNotEqualTo(first.handle());
      assertThat(elsewhere.toString()).as("at the same place").isEqualTo(first.toString());
      assertThat(elsewhere).isNotEqualTo(first);
    }
    assertThat(first).isNotEqualTo(second).isEqualTo(heap.blocks().at(first.handle()));
  }

  @Test
  void aFreedBlockIsRefusedByAllItsAccessors() {
    Block block = blocks.allocate(16);
    Block second = blocks.at(block.handle());
    BlockCursor cursor = blocks.cursor().moveTo(block.handle());
    block.free();
    Block reused = blocks.allocate(16);

    for (Block stale : List.of(block, second, cursor)) {
      assertThat(stale.isValid()).isFalse();
      for (ThrowingCallable call : uses(stale)) {
        assertThatThrownBy(call).isInstanceOf(GoneException.class);
      }
    }
    assertThat(isZero(reused)).isTrue();
    assertThatThrownBy(() -> blocks.at(block.handle())).isInstanceOf(GoneException.class);
    assertThatThrownBy(() -> blocks.free(block.handle())).isInstanceOf(GoneException.class);
  }

  private static List<ThrowingCallable> uses(Block block) {
    byte[] bytes = new byte[8];
    return List.of(
        () -> block.getLong(0),
        () -> block.getInt(3),
        () -> block.getLong(5),
        () -> block.setLong(0, 7),
        () -> block.setByte(1, (byte) 7),
        () -> block.setLong(3, 7),
        () -> block.getAndAddInt(0, 7),
        () -> block.copyTo(0, bytes, 0, 8),
        () -> block.copyFrom(0, bytes, 0, 8),
        () -> block.copyFrom(0, block, 8, 8),
        () -> block.fill(0, 8, (byte) 7),
        () -> block.withRange(0, 8, range -> range.setLong(0, 7)),
        block::free);
  }

  @Test
  void writesOfACompactAccessorAreCheckedAsWell() {
    Block compact = blocks.allocateCompact(16);
    assertThat(compact.isCompact()).isTrue();
    compact.setLong(3, 5);
    assertThat(compact.getLong(3)).isEqualTo(5);
    compact.free();
    Block reused = blocks.allocate(16);

    assertThatThrownBy(() -> compact.setLong(0, 7)).isInstanceOf(GoneException.class);
    assertThatThrownBy(() -> compact.setLong(3, 7)).isInstanceOf(GoneException.class);
    assertThatThrownBy(() -> compact.getLong(9)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(compact.isValid()).isFalse();
    assertThat(isZero(reused)).isTrue();
  }

  @Test
  void aCursorGoesThroughBlocks() {
    List<Long> handles = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      int value = i;
      handles.add(blocks.allocate(8L + i, range -> range.setLong(0, value)).handle());
    }
    BlockCursor cursor = blocks.compactCursor();
    assertThat(cursor.isPlaced()).isFalse();
    assertThatThrownBy(() -> cursor.getByte(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cursor.fill(0, 0, (byte) 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(cursor::free).isInstanceOf(IndexOutOfBoundsException.class);
    for (int i = 0; i < 10; i++) {
      assertThat(cursor.moveTo(handles.get(i)).getLong(0)).isEqualTo(i);
      assertThat(cursor.size()).isEqualTo(8L + i);
    }
    assertThatThrownBy(() -> cursor.moveTo(handles.get(3) + 1)).isInstanceOf(GoneException.class);
    assertThat(cursor.handle()).isEqualTo(handles.get(9));
    cursor.leave();
    assertThat(cursor.isPlaced()).isFalse();
    assertThat(cursor.isValid()).isFalse();
  }

  @Test
  void handlesThatNobodyGaveOutAreRefused() {
    heap.map("numbers", Long.class, Long.class).put(1L, 2L);
    long real = blocks.allocate(64).handle();
    for (long delta = -4096; delta < 4096; delta++) {
      long handle = real + delta;
      if (delta != 0) {
        assertThat(blocks.isValid(handle)).as("handle %d", delta).isFalse();
      }
    }
    for (long handle : new long[] {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, real ^ 1L << 50}) {
      assertThatThrownBy(() -> blocks.at(handle)).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> blocks.free(handle)).isInstanceOf(GoneException.class);
    }
    assertThat(heap.map("numbers", Long.class, Long.class)).containsEntry(1L, 2L);
  }

  @Test
  void aBlockTakesLittleMoreThanItsSize() {
    for (long size = 0; size < 1 << 20; size += 1 + size / 50) {
      long taken = Blocks.footprint(size);
      long used = size + 8;
      long waste = size < 120 ? 15 : size <= 8184 ? used / 8 : size < 131064 ? 4095 : 262143;
      assertThat(taken).as("%d bytes", size).isBetween(used, used + waste);
    }
    long before = heap.stats().usedBytes();
    blocks.allocate(1000);
    assertThat(heap.stats().usedBytes() - before).isEqualTo(Blocks.footprint(1000));
  }

  @Test
  void blocksThatOnlyTheProgramKnowsAreNoLeaks() {
    blocks.allocate(10);
    blocks.allocate(100_000);

    assertThat(heap.verify().problems()).isEmpty();
  }

  @Test
  void aClosedHeapIsRefused() {
    Block block = blocks.allocate(16);
    Block compact = blocks.compactAt(block.handle());
    heap.close();

    for (Block closed : List.of(block, compact)) {
      for (ThrowingCallable call : uses(closed)) {
        assertThatThrownBy(call).isInstanceOf(ClosedException.class);
      }
      assertThatThrownBy(closed::isValid).isInstanceOf(ClosedException.class);
    }
    assertThatThrownBy(() -> blocks.allocate(1)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> blocks.at(block.handle())).isInstanceOf(ClosedException.class);
  }

  private static boolean isZero(Block block) {
    byte[] bytes = new byte[(int) block.size()];
    block.copyTo(0, bytes, 0, bytes.length);
    for (byte b : bytes) {
      if (b != 0) {
        return false;
      }
    }
    return true;
  }
}
