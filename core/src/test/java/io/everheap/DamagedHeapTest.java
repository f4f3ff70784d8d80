package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.LogLayout;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.log.SegmentHeader;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage to the home file is named, and what is refused is not changed. */
@Campaign
class DamagedHeapTest {
  private static final int ENTRIES = 50;
  private static final long[] SLOTS = {HomeLayout.SUPERBLOCK_A, HomeLayout.SUPERBLOCK_B};

  @TempDir Path temp;
  private Path heap;
  private Path home;

  @BeforeEach
  void makeAHeap() {
    heap = temp.resolve("h");
    TestHeaps.create(heap, ENTRIES);
    home = heap.resolve("heap");
  }

  private <X extends EverheapException> void assertRefused(
      Class<X> type, String code, String... said) {
    Map<String, String> before = TestHeaps.data(heap);
    assertThatExceptionOfType(type)
        .isThrownBy(() -> TestHeaps.open(heap))
        .returns(code, EverheapException::code)
        .withMessageContainingAll(said);
    assertThatExceptionOfType(type)
        .isThrownBy(() -> TestHeaps.openReadOnly(heap))
        .returns(code, EverheapException::code)
        .withMessageContainingAll(said);
    assertThat(TestHeaps.data(heap)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 7, 512, 4096, 8191, 8192, 300_000})
  void aHomeFileThatWasCutIsRefusedWithBothSizes(long left) throws Exception {
    byte[] whole = Files.readAllBytes(home);
    TestHeaps.truncate(home, left);

    assertRefused(
        CorruptException.class,
        "EH-TRUNCATED",
        home.toString(),
        left + " bytes",
        left < 8192 ? "8192" : Long.toString(whole.length),
        "backup");

    Files.write(home, whole);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @Test
  void theOlderSuperblockOfAKilledHeapIsNotNeeded() throws Exception {
    heap = TestHeaps.killed(temp.resolve("killed"), ENTRIES);
    home = heap.resolve("heap");
    TestHeaps.flip(home, slot(false) + 48, 4);
    TestHeaps.assertHolds(heap, ENTRIES);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @Test
  void withoutTheNewerOneTheLogDoesNotReachBackFarEnoughOnceItWasUsedAgain() throws Exception {
    heap = TestHeaps.killed(temp.resolve("killed"), ENTRIES);
    home = heap.resolve("heap");
    long newer = slot(true);
    TestHeaps.flip(home, newer + 48, 4);
    assertRefused(CorruptException.class, "EH-CORRUPT-LOG", heap.toString(), "epoch", "backup");
    TestHeaps.flip(home, newer + 48, 4);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  /** Where the superblock with the higher or the lower generation stands. */
  private long slot(boolean newer) throws IOException {
    ByteBuffer b = ByteBuffer.wrap(Files.readAllBytes(home)).order(ByteOrder.LITTLE_ENDIAN);
    long a = b.getLong((int) SLOTS[0] + 32);
    return newer == (a > b.getLong((int) SLOTS[1] + 32)) ? SLOTS[0] : SLOTS[1];
  }

  @ParameterizedTest
  @ValueSource(longs = {HomeLayout.SUPERBLOCK_A, HomeLayout.SUPERBLOCK_B})
  void eitherSuperblockSufficesInAClosedHeap(long slot) {
    TestHeaps.flip(home, slot + 40, 1);
    TestHeaps.assertHolds(heap, ENTRIES);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @ParameterizedTest
  @ValueSource(longs = {HomeLayout.SUPERBLOCK_A, HomeLayout.SUPERBLOCK_B})
  void aTornSuperblockIsAsGoodAsNone(long slot) {
    TestHeaps.write(home, slot, ByteBuffer.allocate(Superblock.SIZE / 2));
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @Test
  void withBothSuperblocksDamagedTheHeapIsRefused() {
    for (long slot : SLOTS) {
      TestHeaps.flip(home, slot + 40, 1);
    }
    assertRefused(
        CorruptException.class,
        "EH-CORRUPT",
        home.toString(),
        "bytes 0 and 4096",
        "backup",
        "salvage");
    for (long slot : SLOTS) {
      TestHeaps.flip(home, slot + 40, 1);
    }
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @Test
  void superblocksOfTwoHeapsAreRefused() throws Exception {
    long slot = SLOTS[0];
    byte[] original = Files.readAllBytes(home);
    change(slot, b -> b.putLong(16, b.getLong(16) ^ 1));
    assertRefused(
        CorruptException.class, "EH-CORRUPT", home.toString(), "different heaps", "backup");
    Files.write(home, original);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @Test
  void aSuperblockInTheOtherSlotDoesNotCount() throws Exception {
    long newer = slot(true);
    ByteBuffer copy = ByteBuffer.allocate(Superblock.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    copy.put(0, Files.readAllBytes(home), (int) newer, Superblock.SIZE);
    TestHeaps.write(home, SLOTS[0] + SLOTS[1] - newer, copy);
    TestHeaps.assertHolds(heap, ENTRIES);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  /** Fields of a superblock that are numbers without bound in the life of a heap. */
  @ParameterizedTest
  @CsvSource({"32, generation", "40, epoch", "48, LSN"})
  void aHeapWhoseNumbersAreUsedUpIsReadButNotWritten(int field, String name) throws Exception {
    long last = Superblock.MAX_NUMBER - 64;
    for (long slot : SLOTS) {
      change(
          slot,
          b -> {
            long number = field == 32 ? last + (slot == SLOTS[0] ? 0 : 1) : last;
            b.putLong(field, number);
            if (field == 48) {
              b.putLong(64, number);
            }
          });
    }
    Map<String, String> before = TestHeaps.data(heap);
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> TestHeaps.open(heap))
        .withMessageContainingAll(heap.toString(), "cannot be written", name);
    assertThat(TestHeaps.data(heap)).isEqualTo(before);
    try (Heap opened = TestHeaps.openReadOnly(heap)) {
      assertThat(TestHeaps.numbers(opened)).isEqualTo(TestHeaps.expected(ENTRIES));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 40, 64})
  void numbersBeyondTheirBoundAreDamage(int field) throws Exception {
    for (long slot : SLOTS) {
      change(slot, b -> b.putLong(field, Superblock.MAX_NUMBER + (slot >>> 12)));
    }
    assertRefused(CorruptException.class, "EH-CORRUPT", "bytes 0 and 4096");
  }

  @Test
  void aFreeSegmentThatNamesTheLastEpochOfAllDoesNotLetTheEpochOverflow() throws Exception {
    Path segment;
    try (Stream<Path> files = Files.list(heap.resolve("log"))) {
      segment = files.findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(segment);
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer superblock =
        ByteBuffer.wrap(Files.readAllBytes(home)).order(ByteOrder.LITTLE_ENDIAN);
    java.util.Arrays.fill(bytes, (byte) 0);
    UUID uuid = new UUID(superblock.getLong(16), superblock.getLong(24));
    SegmentHeader last =
        new SegmentHeader(
            LogLayout.FORMAT_VERSION,
            LogLayout.BATCHES,
            uuid,
            Superblock.MAX_NUMBER - 1,
            1,
            0,
            0,
            bytes.length,
            0,
            0,
            0);
    b.put(0, last.encode(LogLayout.MAGIC).array());
    Files.write(segment, bytes);

    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> TestHeaps.open(heap))
        .withMessageContainingAll(heap.toString(), "epoch " + Superblock.MAX_NUMBER);
    try (Heap opened = TestHeaps.openReadOnly(heap)) {
      assertThat(TestHeaps.numbers(opened)).isEqualTo(TestHeaps.expected(ENTRIES));
    }
  }

  @Test
  void aNewerFormatIsRefusedWithBothVersions() throws Exception {
    byte[] original = Files.readAllBytes(home);
    for (long slot : SLOTS) {
      setVersion(slot, 99);
    }
    assertNewer();

    Files.write(home, original);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @ParameterizedTest
  @ValueSource(longs = {HomeLayout.SUPERBLOCK_A, HomeLayout.SUPERBLOCK_B})
  void oneSuperblockOfANewerFormatIsEnough(long slot) throws Exception {
    setVersion(slot, 99);
    assertNewer();
  }

  private void assertNewer() {
    assertRefused(
        ForeignException.class,
        "EH-FORMAT",
        home.toString(),
        "version 99",
        "version " + Superblock.FORMAT_VERSION,
        "use a newer Everheap");
  }

  /** Another version with a right checksum, as {@link Superblock} lays it out. */
  private void setVersion(long slot, int version) throws IOException {
    change(slot, b -> b.putLong(0, Superblock.MAGIC).putInt(8, version));
  }

  /** Changes a superblock and corrects its checksum. */
  private void change(long slot, Consumer<ByteBuffer> change) throws IOException {
    ByteBuffer b = ByteBuffer.allocate(Superblock.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    b.put(0, Files.readAllBytes(home), (int) slot, Superblock.SIZE);
    change.accept(b);
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, 504));
    b.putInt(504, (int) crc.getValue());
    TestHeaps.write(home, slot, b);
  }
}
