package io.everheap.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.ReadOnlyException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes outside of all transactions. */
class UnloggedRegionTest {
  @TempDir private Path directory;

  @Test
  void valuesOfAllTypesOutliveTheHeap() {
    try (Heap heap = Heap.open(directory)) {
      UnloggedRegion region = heap.region("counters", 1000);
      assertThat(region.getLong(992)).isZero();
      region.setByte(1, (byte) -1);
      region.setShort(3, (short) -2);
      region.setInt(5, -3);
      region.setLong(9, -4);
      region.setFloat(17, 1.5f);
      region.setDouble(21, 2.5);
      region.setChar(29, '\uffff');
      region.setBoolean(31, true);
      region.setLongRelease(32, 7);
      region.copyFrom(40, MemorySegment.ofArray(new byte[] {1, 2, 3}), 1, 2);
      region.fill(990, 10, (byte) 9);
      region.force(0, 50);
      region.force();
      assertThat(heap.region("counters", 1000).getLongAcquire(32)).isEqualTo(7);
      assertThat(heap.regions()).containsExactly("counters");
    }
    try (Heap heap = Heap.builder(directory).readOnly().open()) {
      UnloggedRegion region = heap.region("counters", 1000);
      assertThat(region.getByte(1)).isEqualTo((byte) -1);
      assertThat(region.getShort(3)).isEqualTo((short) -2);
      assertThat(region.getInt(5)).isEqualTo(-3);
      assertThat(region.getLong(9)).isEqualTo(-4);
      assertThat(region.getFloat(17)).isEqualTo(1.5f);
      assertThat(region.getDouble(21)).isEqualTo(2.5);
      assertThat(region.getChar(29)).isEqualTo('\uffff');
      assertThat(region.getBoolean(31)).isTrue();
      byte[] bytes = new byte[4];
      region.copyTo(40, MemorySegment.ofArray(bytes), 1, 3);
      assertThat(bytes).containsExactly(0, 2, 3, 0);
      assertThat(region.getByte(999)).isEqualTo((byte) 9);
      for (ThrowingCallable write :
          List.<ThrowingCallable>of(
              () -> region.setLong(0, 1),
              region::force,
              () -> heap.removeRegion("counters"),
              () -> heap.region("other", 1))) {
        assertThatThrownBy(write).isInstanceOf(ReadOnlyException.class);
      }
    }
  }

  @Test
  void aRollbackUndoesNothing() {
    try (Heap heap = Heap.inMemory()) {
      UnloggedRegion region = heap.region("r", 8);
      assertThatThrownBy(
              () ->
                  heap.transact(
                      () -> {
                        region.setLong(0, 1);
                        throw new IllegalStateException();
                      }))
          .isInstanceOf(IllegalStateException.class);
      assertThat(region.getLong(0)).isEqualTo(1);
    }
  }

  @Test
  void offsetsSizesAndNamesAreChecked() {
    try (Heap heap = Heap.open(directory)) {
      UnloggedRegion region = heap.region("r", 100);
      for (long offset : new long[] {-1, 93, 100, Long.MAX_VALUE, Long.MAX_VALUE - 8}) {
        for (ThrowingCallable call :
            List.<ThrowingCallable>of(
                () -> region.getLong(offset),
                () -> region.setLong(offset, 1),
                () -> region.fill(offset, 8, (byte) 1),
                () -> region.force(offset, 8),
                () -> region.copyTo(offset, MemorySegment.ofArray(new byte[8]), 0, 8))) {
          assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class);
        }
      }
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> heap.region("r", 101),
              () -> heap.region("s", -1),
              () -> heap.region("", 8),
              () -> heap.region("../heap", 8),
              () -> heap.region(".new", 8),
              () -> region.getLongAcquire(4))) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
      }
      assertThat(heap.regions()).containsExactly("r");
      assertThat(heap.region("empty", 0).size()).isZero();
    }
  }

  @Test
  void removedAndClosedRegionsAreRefused() {
    Heap heap = Heap.open(directory);
    UnloggedRegion region = heap.region("r", 100);
    UnloggedRegion other = heap.region("other", 100);
    assertThat(heap.removeRegion("r")).isTrue();
    assertThat(heap.removeRegion("r")).isFalse();
    assertThatThrownBy(() -> region.getLong(0)).isInstanceOf(ClosedException.class);
    assertThat(heap.region("r", 50).getLong(0)).isZero();
    heap.close();
    assertThatThrownBy(() -> other.setLong(0, 1)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(other::force).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> heap.region("other", 100)).isInstanceOf(ClosedException.class);
  }

  @Test
  void aDamagedOrForeignRegionIsFoundAndRefused(@TempDir Path second) throws IOException {
    try (Heap heap = Heap.open(directory)) {
      heap.region("a", 100).setLong(0, 1);
      heap.region("b", 100);
      heap.region("c", 10_000);
      assertThat(heap.verify().problems()).isEmpty();
    }
    try (Heap heap = Heap.open(second.resolve("heap"))) {
      heap.region("a", 100);
    }
    Files.copy(
        second.resolve("heap/region-a"),
        directory.resolve("region-a"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    byte[] b = Files.readAllBytes(directory.resolve("region-b"));
    b[33] ^= 1;
    Files.write(directory.resolve("region-b"), b);
    byte[] c = Files.readAllBytes(directory.resolve("region-c"));
    Files.write(directory.resolve("region-c"), java.util.Arrays.copyOf(c, c.length - 1));
    try (Heap heap = Heap.open(directory)) {
      for (String name : List.of("a", "b", "c")) {
        assertThatThrownBy(() -> heap.region(name, 100)).isInstanceOf(CorruptException.class);
      }
      assertThat(heap.verify().problems())
          .hasSize(3)
          .allSatisfy(problem -> assertThat(problem.kind()).isEqualTo("region"));
    }
  }

  @Test
  void anUnfinishedRegionIsMadeAnew() throws IOException {
    try (Heap heap = Heap.open(directory)) {
      Files.write(directory.resolve("region.new"), new byte[5000]);
      assertThat(heap.regions()).isEmpty();
      assertThat(heap.region("r", 100).getLong(0)).isZero();
    }
    assertThat(directory.resolve("region.new")).doesNotExist();
  }
}
