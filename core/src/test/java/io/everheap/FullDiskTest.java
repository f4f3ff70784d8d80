package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.collection.DurableMap;
import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.memory.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A full disk is named; what was committed stays, and all goes on once there is room. */
class FullDiskTest {
  private static final String PAGE = "x".repeat(4000);

  @TempDir Path temp;

  private SmallDisk disk(int kibibytes) throws Exception {
    return new SmallDisk(temp.resolve("disk"), kibibytes);
  }

  private static void assertDiskFull(Path heap, ThrowingCallable call) {
    assertThatExceptionOfType(DiskFullException.class)
        .isThrownBy(call)
        .returns("EH-DISK-FULL", EverheapException::code)
        .withMessageContainingAll(heap.toString(), "no space is left", "free space and try again");
  }

  /** From nothing fits to all but the last file of a heap does. */
  @ParameterizedTest
  @ValueSource(ints = {4, 100, 1000, 1028, 1060, 1100, 1160, 1200, 1260, 1320})
  void aHeapThatDoesNotFitIsNotMadeAndIsOnceThereIsRoom(int kibibytes) throws Exception {
    try (SmallDisk disk = disk(kibibytes)) {
      assertDiskFull(
          disk.heap(),
          () -> {
            try (Heap heap = TestHeaps.open(disk.heap())) {
              TestHeaps.put(heap, 0, 1);
            }
          });
      disk.resize(16 << 10);
      TestHeaps.create(disk.heap(), 10);
      TestHeaps.assertHolds(disk.heap(), 10);
    }
  }

  @Test
  void aHomeImageThatCannotGrowLosesNothing() throws Exception {
    try (SmallDisk disk = disk(8 << 10)) {
      Path path = disk.heap();
      try (Heap heap = TestHeaps.open(path)) {
        TestHeaps.put(heap, 0, 10);
        DurableMap<Integer, String> large = heap.map("large", Integer.class, String.class);
        int[] count = {0};
        assertDiskFull(
            path,
            () -> {
              while (true) {
                heap.transact(
                    () -> {
                      large.put(count[0], PAGE);
                      large.put(-1, "count " + count[0]);
                    });
                count[0]++;
              }
            });
        assertThat(count[0]).isPositive();
        assertThat(large).hasSize(count[0] + 1).containsEntry(-1, "count " + (count[0] - 1));
        TestHeaps.assertHolds(heap, 10);

        large.put(-1, "still works");
        assertThat(large.remove(0)).isEqualTo(PAGE);
        large.put(count[0], PAGE);
        heap.checkpoint();

        disk.resize(32 << 10);
        for (int i = 0; i < 1500; i++) {
          large.put(i, PAGE);
        }
        TestHeaps.put(heap, 10, 20);
        TestHeaps.assertHolds(heap, 20);
      }
      try (Heap heap = TestHeaps.open(path)) {
        Map<Integer, String> large = heap.map("large", Integer.class, String.class);
        assertThat(large).containsEntry(-1, "still works").containsEntry(1499, PAGE);
        TestHeaps.assertHolds(heap, 20);
      }
    }
  }

  @Test
  void aHeapThatWasClosedWhileItsDiskWasFullOpensOnTheFullDisk() throws Exception {
    try (SmallDisk disk = disk(8 << 10)) {
      Path path = disk.heap();
      try (Heap heap = TestHeaps.open(path)) {
        TestHeaps.put(heap, 0, 10);
        disk.fill(0);
        Map<Integer, String> large = heap.map("large", Integer.class, String.class);
        assertDiskFull(
            path,
            () -> {
              for (int i = 0; ; i++) {
                large.put(i, PAGE);
              }
            });
        assertThat(heap.remove("large")).isTrue();
      }
      TestHeaps.assertHolds(path, 10);
      try (Heap heap = TestHeaps.open(path)) {
        TestHeaps.put(heap, 10, 12);
      }
      disk.empty();
      TestHeaps.assertHolds(path, 12);
    }
  }

  @Test
  void aFullHeapThatWasClosedIsOpenedAndEmptiedOnAFullDisk() throws Exception {
    try (SmallDisk disk = disk(16 << 10)) {
      Path path = disk.heap();
      int count = 0;
      try (Heap heap = TestHeaps.open(path)) {
        TestHeaps.put(heap, 0, 10);
        Map<Integer, String> large = heap.map("large", Integer.class, String.class);
        while (heap.stats().capacity() < 8 << 20) {
          large.put(count++, PAGE);
        }
      }
      disk.fill(0);
      try (Heap heap = TestHeaps.open(path)) {
        Map<Integer, String> large = heap.map("large", Integer.class, String.class);
        assertThat(large).hasSize(count);
        for (int i = 0; i < count; i++) {
          assertThat(large.remove(i)).isEqualTo(PAGE); // the log gives its segments back
        }
        assertThat(heap.remove("large")).isTrue();
        TestHeaps.put(heap, 10, 12);
        TestHeaps.assertHolds(heap, 12);
      }
      TestHeaps.assertHolds(path, 12);
    }
  }

  @Test
  void aHeapWhoseRecoveryNeedsRoomIsReadOnTheFullDisk() throws Exception {
    try (SmallDisk disk = disk(8 << 10)) {
      Path path = disk.heap();
      TestHeaps.create(path, 10);
      Files.delete(path.resolve("ring"));
      disk.fill(0);
      try (Heap heap = TestHeaps.open(path)) {
        TestHeaps.assertHolds(heap, 10);
        assertDiskFull(path, () -> TestHeaps.put(heap, 10, 11));
        heap.sync();
        TestHeaps.assertHolds(heap, 10);
      }
      disk.empty();
      try (Heap heap = TestHeaps.open(path)) {
        TestHeaps.put(heap, 10, 20);
      }
      TestHeaps.assertHolds(path, 20);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 64, 200})
  void aLogThatCannotGrowRollsTheTransactionBackAndTakesItOnceThereIsRoom(int left)
      throws Exception {
    int pages = 400;
    try (SmallDisk disk = disk(16 << 10)) {
      Path path = disk.heap();
      try (Heap heap = TestHeaps.open(path)) {
        TestHeaps.put(heap, 0, 10);
        DurableMap<Integer, String> large = heap.map("large", Integer.class, String.class);
        for (int i = 0; i < pages; i++) {
          large.put(i, PAGE);
        }
        heap.checkpoint();
        disk.fill(left);

        assertDiskFull(path, () -> heap.transact(() -> change(large, pages)));
        assertThat(large.values()).hasSize(pages).allMatch(PAGE::equals);
        TestHeaps.assertHolds(heap, 10);
        TestHeaps.put(heap, 10, 20);
        TestHeaps.assertHolds(heap, 20);

        disk.empty();
        heap.transact(() -> change(large, pages));
        assertThat(large.values()).hasSize(pages).noneMatch(PAGE::equals);
      }
      try (Heap heap = TestHeaps.open(path)) {
        assertThat(heap.map("large", Integer.class, String.class).values())
            .hasSize(pages)
            .noneMatch(PAGE::equals);
        TestHeaps.assertHolds(heap, 20);
      }
    }
  }

  private static void change(DurableMap<Integer, String> map, int pages) {
    for (int i = 0; i < pages; i++) {
      map.put(i, "y".repeat(PAGE.length()));
    }
  }

  /** Another process: commits until the disk is full, and says how far it came. */
  static final class Committer {
    private Committer() {}

    public static void main(String[] arguments) throws Exception {
      Heap heap = TestHeaps.open(Path.of(arguments[0]));
      DurableMap<Integer, String> large = heap.map("large", Integer.class, String.class);
      int count = 0;
      try {
        while (true) {
          large.put(count, PAGE);
          count++;
        }
      } catch (DiskFullException e) {
        TestHeaps.put(heap, 0, 10);
        System.out.println(count);
        System.in.read();
      }
    }
  }

  @Test
  void aProcessThatIsKilledOnAFullDiskLosesNothing() throws Exception {
    try (SmallDisk disk = disk(8 << 10)) {
      int count;
      try (ChildJvm other = new ChildJvm(List.of(), Committer.class, disk.heap().toString())) {
        count = Integer.parseInt(other.line());
        disk.fill(0);
        other.kill();
      }
      try (Heap heap = TestHeaps.open(disk.heap())) {
        TestHeaps.assertHolds(heap, 10);
        Map<Integer, String> large = heap.map("large", Integer.class, String.class);
        assertThat(large.values()).hasSize(count).allMatch(PAGE::equals);
        TestHeaps.put(heap, 10, 12);
        heap.remove("large");
      }
      TestHeaps.assertHolds(disk.heap(), 12);
    }
  }
}
