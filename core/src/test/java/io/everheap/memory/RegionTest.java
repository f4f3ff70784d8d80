package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegionTest {
  private static final int SIZE = 4096;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(SIZE, 8);
  private final Region region = new Region(memory, arena);

  @AfterEach
  void close() {
    region.close();
  }

  @Test
  void valuesLieInMemoryLowestByteFirst() {
    region.putLong(0, 0x0807060504030201L);
    region.putInt(8, 0x0c0b0a09);
    region.putShort(12, (short) 0x0e0d);
    region.putByte(14, (byte) 0x0f);
    region.putLongOpaque(16, 0x1817161514131211L);
    region.putLongRelease(24, 0x201f1e1d1c1b1a19L);

    for (int i = 0; i < 32; i++) {
      byte expected = (byte) (i == 15 ? 0 : i + 1);
      assertThat(memory.get(ValueLayout.JAVA_BYTE, i)).isEqualTo(expected);
    }
  }

  @Test
  void loadsReturnWhatWasStored() {
    region.putLong(8, Long.MIN_VALUE + 5);
    region.putInt(16, Integer.MIN_VALUE + 5);
    region.putShort(20, (short) -5);
    region.putByte(22, (byte) -5);

    assertThat(region.getLong(8)).isEqualTo(Long.MIN_VALUE + 5);
    assertThat(region.getLongAcquire(8)).isEqualTo(Long.MIN_VALUE + 5);
    assertThat(region.getLongOpaque(8)).isEqualTo(Long.MIN_VALUE + 5);
    assertThat(region.getInt(16)).isEqualTo(Integer.MIN_VALUE + 5);
    assertThat(region.getShort(20)).isEqualTo((short) -5);
    assertThat(region.getByte(22)).isEqualTo((byte) -5);
  }

  @Test
  void plainAccessesTolerateAnyAlignment() {
    for (int offset = 0; offset < 8; offset++) {
      region.putLong(offset, 0x1122334455667788L);
      assertThat(region.getLong(offset)).isEqualTo(0x1122334455667788L);
      region.putInt(offset, 0x11223344);
      assertThat(region.getInt(offset)).isEqualTo(0x11223344);
      region.putShort(offset, (short) 0x1122);
      assertThat(region.getShort(offset)).isEqualTo((short) 0x1122);
    }
  }

  @Test
  void orderedAccessesRefuseMisalignedWords() {
    assertThatIllegalArgumentException().isThrownBy(() -> region.getLongAcquire(4));
    assertThatIllegalArgumentException().isThrownBy(() -> region.getLongOpaque(1));
    assertThatIllegalArgumentException().isThrownBy(() -> region.putLongOpaque(4, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> region.putLongRelease(4, 1));
  }

  @Test
  void outOfBoundsThrows() {
    List<Runnable> accesses =
        List.of(
            () -> region.getByte(SIZE),
            () -> region.getByte(-1),
            () -> region.getShort(SIZE - 1),
            () -> region.getInt(SIZE - 3),
            () -> region.getLong(SIZE - 7),
            () -> region.getLongAcquire(SIZE),
            () -> region.getLongOpaque(Long.MAX_VALUE - 7),
            () -> region.putByte(SIZE, (byte) 1),
            () -> region.putShort(SIZE - 1, (short) 1),
            () -> region.putInt(SIZE - 3, 1),
            () -> region.putLong(SIZE - 7, 1),
            () -> region.putLongOpaque(SIZE, 1),
            () -> region.putLongRelease(-8, 1),
            () -> region.copyTo(SIZE - 1, new byte[2], 0, 2),
            () -> region.copyTo(0, new byte[2], 1, 2),
            () -> region.copyTo(SIZE - 1, memory, 0, 2),
            () -> region.copyFrom(SIZE - 1, new byte[2], 0, 2),
            () -> region.copyFrom(0, new byte[2], 1, 2),
            () -> region.copyFrom(SIZE - 1, region, 0, 2),
            () -> region.copyFrom(0, region, SIZE - 1, 2),
            () -> region.copyFrom(SIZE - 1, memory, 0, 2),
            () -> region.fill(SIZE - 1, 2, (byte) 1),
            () -> region.force(SIZE - 1, 2));

    assertThat(accesses)
        .allSatisfy(
            access ->
                assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(access::run));
    assertThat(memory.mismatch(MemorySegment.ofArray(new byte[SIZE]))).isEqualTo(-1);
  }

  @Test
  void useAfterCloseThrows() {
    region.close();

    List<Runnable> accesses =
        List.of(
            () -> region.getByte(0),
            () -> region.getLong(0),
            () -> region.getLongAcquire(0),
            () -> region.putLong(0, 1),
            () -> region.putLongRelease(0, 1),
            () -> region.copyTo(0, new byte[2], 0, 2),
            () -> region.copyFrom(0, new byte[2], 0, 2),
            () -> region.fill(0, 2, (byte) 1),
            () -> new CRC32C().update(region.view()),
            () -> region.segment().get(ValueLayout.JAVA_BYTE, 0));

    assertThat(accesses)
        .allSatisfy(access -> assertThatIllegalStateException().isThrownBy(access::run));
    assertThat(region.size()).isEqualTo(SIZE);
  }

  @Test
  void closingTwiceDoesNothing() {
    region.close();
    region.close();
  }

  @Test
  void aRegionWithoutAnArenaLeavesTheMemoryAlone() {
    var borrowed = new Region(memory, null);

    borrowed.close();

    assertThat(borrowed.getLong(0)).isZero();
    assertThat(arena.scope().isAlive()).isTrue();
  }

  @Test
  void bytesAreCopiedInAndOut() {
    byte[] bytes = {1, 2, 3, 4, 5};
    region.copyFrom(100, bytes, 1, 3);
    region.copyFrom(103, region, 100, 3);
    region.copyFrom(106, MemorySegment.ofArray(bytes), 3, 2);
    region.fill(108, 2, (byte) 9);

    byte[] read = new byte[12];
    region.copyTo(99, read, 1, 11);
    assertThat(read).containsExactly(0, 0, 2, 3, 4, 2, 3, 4, 4, 5, 9, 9);

    MemorySegment target = MemorySegment.ofArray(new byte[3]);
    region.copyTo(100, target, 1, 2);
    assertThat(target.toArray(ValueLayout.JAVA_BYTE)).containsExactly(0, 2, 3);
  }

  @Test
  void overlappingCopiesKeepTheBytes() {
    region.copyFrom(0, new byte[] {1, 2, 3, 4}, 0, 4);

    region.copyFrom(1, region, 0, 4);

    assertThat(region.getInt(1)).isEqualTo(0x04030201);
  }

  @Test
  void theViewIsLittleEndianAndForReadingOnly() {
    region.putInt(0, 0x04030201);

    var view = region.view();

    assertThat(view.isDirect()).isTrue();
    assertThat(view.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(view.remaining()).isEqualTo(SIZE);
    assertThat(view.getInt(0)).isEqualTo(0x04030201);
    assertThatExceptionOfType(ReadOnlyBufferException.class)
        .isThrownBy(() -> view.put(0, (byte) 1));
  }

  @Test
  void theSegmentIsForReadingOnly() {
    region.putInt(0, 7);

    assertThat(region.segment().get(ValueLayout.JAVA_INT, 0)).isEqualTo(7);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> region.segment().set(ValueLayout.JAVA_INT, 0, 8));
  }

  @Test
  void allocatedMemoryCannotBeForced() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> region.force(0, 8));
  }

  @Test
  void aSubclassSeesEveryStore() {
    List<String> stores = new ArrayList<>();
    var spy =
        new Region(memory, null) {
          @Override
          public void putLong(long offset, long value) {
            stores.add(offset + "=" + value);
            segment.set(ValueLayout.JAVA_LONG, offset, value);
          }
        };

    spy.putLong(8, 3);

    assertThat(stores).containsExactly("8=3");
    assertThat(region.getLong(8)).isEqualTo(3);
  }

  @Test
  void itTellsWhereBytesDiffer() {
    region.copyFrom(100, new byte[] {1, 2, 3, 4}, 0, 4);

    assertThat(region.mismatch(100, new byte[] {9, 1, 2, 3, 4}, 1, 4)).isEqualTo(-1);
    assertThat(region.mismatch(100, new byte[] {1, 2, 5, 4}, 0, 4)).isEqualTo(2);
    assertThat(region.mismatch(101, new byte[] {1, 2}, 0, 2)).isZero();
    assertThat(region.mismatch(100, new byte[0], 0, 0)).isEqualTo(-1);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> region.mismatch(SIZE - 1, new byte[2], 0, 2));
  }
}
