package io.everheap.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies between blocks and everything else. */
class BlockCopyTest {
  private static final int SIZE = 20_000;

  private final Heap heap = Heap.inMemory();
  private final Blocks blocks = heap.blocks();
  private final Random random = new Random(1);

  @AfterEach
  void nothingIsDamaged() {
    assertThat(heap.verify().problems()).isEmpty();
    heap.close();
  }

  /** Buffers whose first byte is the third of {@code bytes}. */
  enum Kind {
    ON_HEAP,
    SLICED, // arrayOffset is 3
    SLICED_TWICE,
    DIRECT,
    SLICED_DIRECT,
    READ_ONLY,
    READ_ONLY_SLICE;

    ByteBuffer make(byte[] content) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      return switch (this) {
        case ON_HEAP -> bytes.position(3);
        case SLICED -> bytes.position(3).slice();
        case SLICED_TWICE -> bytes.position(1).slice().position(2).slice();
        case DIRECT -> direct(bytes).position(3);
        case SLICED_DIRECT -> direct(bytes).position(3).slice();
        case READ_ONLY -> bytes.asReadOnlyBuffer().position(3);
        case READ_ONLY_SLICE -> bytes.position(3).slice().asReadOnlyBuffer();
      };
    }

    private static ByteBuffer direct(ByteBuffer bytes) {
      return ByteBuffer.allocateDirect(bytes.capacity()).put(bytes.duplicate());
    }
  }

  @ParameterizedTest
  @EnumSource
  void buffersAreReadFromTheirPositionForTheLengthAskedFor(Kind kind) {
    byte[] bytes = bytes(100);
    ByteBuffer buffer = kind.make(bytes);
    int before = buffer.position();
    Block block = blocks.allocate(64);

    block.copyFrom(5, buffer, 20);

    byte[] expected = new byte[64];
    System.arraycopy(bytes, 3, expected, 5, 20);
    assertThat(content(block)).isEqualTo(expected);
    assertThat(buffer.position()).isEqualTo(before + 20);
    assertThatThrownBy(() -> block.copyFrom(0, buffer, buffer.remaining() + 1))
        .isInstanceOf(BufferUnderflowException.class);
    assertThatThrownBy(() -> block.copyFrom(0, buffer, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> block.copyFrom(60, buffer, 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(buffer.position()).isEqualTo(before + 20);
    assertThat(content(block)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void buffersAreFilledFromTheirPositionForTheLengthAskedFor(Kind kind) {
    Block block = blocks.allocate(64);
    block.copyFrom(0, bytes(64), 0, 64);
    ByteBuffer buffer = kind.make(new byte[100]);
    int before = buffer.position();
    if (buffer.isReadOnly()) {
      assertThatThrownBy(() -> block.copyTo(0, buffer, 10))
          .isInstanceOf(ReadOnlyBufferException.class);
      return;
    }

    block.copyTo(7, buffer, 20);

    byte[] found = new byte[20];
    buffer.duplicate().position(before).get(found);
    assertThat(found).isEqualTo(Arrays.copyOfRange(content(block), 7, 27));
    assertThat(buffer.position()).isEqualTo(before + 20);
    assertThat(buffer.get(before + 20)).isZero();
    assertThatThrownBy(() -> block.copyTo(0, buffer.duplicate().limit(before + 25), 6))
        .isInstanceOf(BufferOverflowException.class);
  }

  @Test
  void arraysAreCopiedAtAnyOffset() {
    Block block = blocks.allocate(SIZE);
    byte[] expected = new byte[SIZE];
    for (int i = 0; i < 300; i++) {
      int length = random.nextInt(random.nextBoolean() ? 20 : SIZE / 2);
      int at = random.nextInt(SIZE - length);
      byte[] bytes = bytes(length + 10);
      block.copyFrom(at, bytes, 4, length);
      System.arraycopy(bytes, 4, expected, at, length);
      byte[] part = new byte[length + 2];
      block.copyTo(at, part, 1, length);
      assertThat(Arrays.copyOfRange(part, 1, 1 + length))
          .isEqualTo(Arrays.copyOfRange(expected, at, at + length));
    }
    assertThat(content(block)).isEqualTo(expected);
    assertThatThrownBy(() -> block.copyFrom(0, expected, SIZE - 1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> block.copyTo(0, expected, Integer.MAX_VALUE, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void segmentsOfEveryKindAreCopied() {
    Block block = blocks.allocate(80);
    long[] longs = {1, 2, 3, 4};
    block.copyFrom(1, MemorySegment.ofArray(longs), 8, 16);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment nativeMemory = arena.allocate(32);
      block.copyTo(1, nativeMemory, 16, 16);
      assertThat(nativeMemory.get(ValueLayout.JAVA_LONG, 16)).isEqualTo(2);
      assertThat(nativeMemory.get(ValueLayout.JAVA_LONG, 24)).isEqualTo(3);
      block.copyFrom(40, nativeMemory, 24, 8);
      assertThatThrownBy(() -> block.copyTo(0, nativeMemory.asReadOnly(), 0, 8))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> block.copyTo(0, nativeMemory, Long.MAX_VALUE, 8))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(block.getByte(40)).isEqualTo((byte) 3);
  }

  @Test
  void overlappingCopiesWithinABlockDoWhatSystemArraycopyDoes() {
    Block block = blocks.allocate(SIZE);
    byte[] expected = bytes(SIZE);
    block.copyFrom(0, expected, 0, SIZE);
    for (int i = 0; i < 200; i++) {
      int length = random.nextInt(SIZE);
      int from = random.nextInt(SIZE - length + 1);
      int to = random.nextInt(SIZE - length + 1);
      block.copyFrom(to, block, from, length);
      System.arraycopy(expected, from, expected, to, length);
    }
    assertThat(content(block)).isEqualTo(expected);
  }

  @Test
  void blocksAreCopiedWithinAHeapAndToAnother() {
    Block source = blocks.allocate(100);
    byte[] bytes = bytes(100);
    source.copyFrom(0, bytes, 0, 100);
    try (Heap other = Heap.inMemory()) {
      for (Block target : new Block[] {blocks.allocate(60), other.blocks().allocate(60)}) {
        source.copyTo(11, target, 3, 50);
        byte[] expected = new byte[60];
        System.arraycopy(bytes, 11, expected, 3, 50);
        assertThat(content(target)).isEqualTo(expected);
        assertThatThrownBy(() -> source.copyTo(0, target, 0, 61))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> source.copyTo(0, target, 0, Long.MAX_VALUE))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }

  @Test
  void copiesInsideATransactionSeeItsWrites() {
    Block block = blocks.allocate(100);
    heap.transact(
        () -> {
          block.fill(10, 50, (byte) 3);
          block.copyFrom(60, block, 20, 15);
          byte[] bytes = new byte[100];
          block.copyTo(0, bytes, 0, 100);
          assertThat(Arrays.copyOfRange(bytes, 10, 75)).containsOnly(3);
          ByteBuffer buffer = ByteBuffer.allocateDirect(10);
          block.copyTo(5, buffer, 10);
          assertThat(buffer.get(4)).isZero();
          assertThat(buffer.get(5)).isEqualTo((byte) 3);
        });
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] content(Block block) {
    byte[] bytes = new byte[(int) block.size()];
    block.copyTo(0, bytes, 0, bytes.length);
    return bytes;
  }
}
