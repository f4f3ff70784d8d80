package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.BackupException;
import io.everheap.error.CorruptException;
import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.error.MissingException;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Campaign
class BackupsTest {
  private static final int KEYS = 5_000;

  @TempDir Path dir;

  private Backups backups() {
    return Backups.in(dir.resolve("backups"));
  }

  private Heap open(String name) {
    return Heap.builder(dir.resolve(name)).maxSize(1L << 30).open();
  }

  private static void fill(Heap heap, int seed, int count) {
    DurableMap<Integer, byte[]> map = heap.map("m", Integer.class, byte[].class);
    Random random = new Random(seed);
    heap.transact(
        () -> {
          for (int i = 0; i < count; i++) {
            byte[] value = new byte[random.nextInt(600)];
            random.nextBytes(value);
            map.put(random.nextInt(KEYS), value);
          }
        });
  }

  private static Map<Integer, Integer> contents(Heap heap) {
    Map<Integer, Integer> all = new HashMap<>();
    heap.map("m", Integer.class, byte[].class)
        .forEach((key, value) -> all.put(key, Arrays.hashCode(value)));
    return all;
  }

  private void requireRestored(Backup backup, Map<Integer, Integer> expected) {
    String name = "restored-" + backup.id();
    backups().restore(backup, dir.resolve(name));
    try (Heap heap = open(name)) {
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(contents(heap)).isEqualTo(expected);
      fill(heap, 99, 100); // it goes on
    }
    try (Heap heap = open(name)) {
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void aFullBackupIsRestored() {
    try (Heap heap = open("heap")) {
      fill(heap, 1, KEYS);
      Backup backup = backups().take(heap);
      Map<Integer, Integer> expected = contents(heap);
      fill(heap, 2, 100);
      requireRestored(backup, expected);
      assertThat(backups().list()).containsExactly(backup);
      assertThat(backups().newest()).isEqualTo(backup);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDamagedPageIsInNoBackup(boolean encrypted) throws IOException {
    KeyProvider key = KeyProvider.of(new byte[32]);
    Path home = dir.resolve("heap/heap");
    int stored = encrypted ? 9 * 512 : 4096; // bytes of a page in the file
    int start = encrypted ? 4096 : 0; // of the first page
    HeapBuilder builder = Heap.builder(dir.resolve("heap"));
    Backups backups = encrypted ? backups().encrypt(key) : backups();
    try (Heap heap = (encrypted ? builder.encrypt(key) : builder).open()) {
      fill(heap, 1, KEYS);
      backups.take(heap);
      int[] before = pageHashes(home, start, stored);
      fill(heap, 2, 300);
      heap.checkpoint();
      int[] after = pageHashes(home, start, stored);
      int changed = 0;
      int refused = 0;
      for (int page = 3; page < before.length; page++) {
        long from = start + (long) page * stored;
        if (before[page] != after[page] && changed++ % 16 == 0) {
          flip(home, from + refused * 31 % stored);
          for (Backup.Kind kind : Backup.Kind.values()) {
            assertThatThrownBy(() -> backups.take(heap, kind))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("Page " + page + " of heap is damaged")
                .hasMessageContaining("so no backup is made of it");
          }
          flip(home, from + refused * 31 % stored);
          refused++;
        }
      }
      assertThat(refused).isGreaterThan(10);
      assertThat(backups.list()).hasSize(1);
      Map<Integer, Integer> expected = contents(heap);
      Backup whole = backups.take(heap, Backup.Kind.INCREMENTAL);
      backups.restore(whole, dir.resolve("restored"));
      HeapBuilder restored = Heap.builder(dir.resolve("restored"));
      try (Heap copy = (encrypted ? restored.encrypt(key) : restored).open()) {
        assertThat(contents(copy)).isEqualTo(expected);
        assertThat(copy.verify().problems()).isEmpty();
      }
    }
  }

  /** A hash of each whole page of a file, which may be larger than the memory of the test. */
  private static int[] pageHashes(Path file, int start, int stored) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 20)) {
      in.skipNBytes(start);
      int[] hashes = new int[(int) ((Files.size(file) - start) / stored)];
      for (int page = 0; page < hashes.length; page++) {
        hashes[page] = Arrays.hashCode(in.readNBytes(stored));
      }
      return hashes;
    }
  }

  /** Flips a bit. */
  private static void flip(Path file, long position) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, position);
      channel.write(one.put(0, (byte) (one.get(0) ^ 4)).flip(), position);
    }
  }

  /** A segment of the log has megabytes. */
  @Test
  void aBackupHasNothingOfTheLogThatIsUnused() {
    try (Heap heap = Heap.open(dir.resolve("heap"))) {
      fill(heap, 1, 10);
      Backup backup = backups().take(heap);
      assertThat(backup.bytes()).isLessThan(1 << 20);
      requireRestored(backup, contents(heap));
    }
  }

  @Test
  void aChainOfIncrementalBackupsIsRestored() {
    Map<Backup, Map<Integer, Integer>> expected = new HashMap<>();
    try (Heap heap = open("heap")) {
      fill(heap, 1, KEYS);
      expected.put(backups().take(heap), contents(heap));
    }
    for (int round = 0; round < 4; round++) {
      try (Heap heap = open("heap")) { // the set of changed pages outlives the process
        fill(heap, 10 + round, 50);
        Backup backup = backups().take(heap, Backup.Kind.INCREMENTAL);
        expected.put(backup, contents(heap));
        assertThat(backup.pages()).isLessThan(backup.heapBytes() / 4096 / 2);
        fill(heap, 20 + round, 50);
      }
    }
    expected.forEach(this::requireRestored);
  }

  @Test
  void writersGoOnMeanwhile() throws Exception {
    try (Heap heap = open("heap")) {
      DurableMap<Integer, Long> pairs = heap.map("pairs", Integer.class, Long.class);
      fill(heap, 1, KEYS);
      AtomicBoolean stop = new AtomicBoolean();
      AtomicLong written = new AtomicLong();
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long n = 1; !stop.get(); n++) {
                      long value = n;
                      heap.transact(
                          () -> {
                            pairs.put((int) (value % 1000), value);
                            pairs.put(1000 + (int) (value % 1000), value);
                            fill(heap, (int) value, 5);
                          });
                      written.set(value);
                    }
                  });
      for (int round = 0; round < 4; round++) {
        Backup.Kind kind = round % 2 == 0 ? Backup.Kind.FULL : Backup.Kind.INCREMENTAL;
        long before = written.get();
        Backup backup = backups().take(heap, kind);
        long after = written.get() + 1;
        String name = "restored" + round;
        backups().restore(backup, dir.resolve(name));
        try (Heap restored = open(name)) {
          assertThat(restored.verify().problems()).isEmpty();
          DurableMap<Integer, Long> copy = restored.map("pairs", Integer.class, Long.class);
          long newest = 0;
          for (int i = 0; i < 1000; i++) {
            assertThat(copy.get(i)).isEqualTo(copy.get(1000 + i));
            newest = Math.max(newest, copy.getOrDefault(i, 0L));
          }
          assertThat(newest).isBetween(before, after);
        }
      }
      stop.set(true);
      Limit.join(writer);
    }
  }

  @Test
  void whatWasCutOffAndGrewAgainIsZeroInTheRestoredHeap() {
    try (Heap heap = open("heap")) {
      fill(heap, 1, 20_000);
      backups().take(heap);
      heap.remove("m");
      assertThat(heap.shrink()).isPositive();
      fill(heap, 2, 20_000);
      Backup backup = backups().take(heap, Backup.Kind.INCREMENTAL);
      requireRestored(backup, contents(heap));
    }
  }

  @Test
  void aRegionIsRestored() {
    try (Heap heap = open("heap")) {
      heap.region("r", 100_000).setByte(77_777, (byte) 5);
      Backup backup = backups().take(heap);
      backups().restore(backup, dir.resolve("restored"));
    }
    try (Heap heap = open("restored")) {
      assertThat(heap.region("r", 100_000).getByte(77_777)).isEqualTo((byte) 5);
    }
  }

  @Test
  void anIncrementalBackupNeedsTheOneBeforeIt() throws IOException {
    try (Heap heap = open("heap")) {
      fill(heap, 1, 10);
      assertThatThrownBy(() -> backups().take(heap, Backup.Kind.INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("take a full backup");
      Backup full = backups().take(heap);
      Backup second = backups().take(heap, Backup.Kind.INCREMENTAL);
      Files.move(dir.resolve("backups").resolve(second.name()), dir.resolve("elsewhere"));
      assertThatThrownBy(() -> backups().take(heap, Backup.Kind.INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining(second.id().toString());
      Files.move(dir.resolve("elsewhere"), dir.resolve("backups").resolve(second.name()));
      Files.delete(dir.resolve("backups").resolve(full.name()));
      assertThatThrownBy(() -> backups().restore(second, dir.resolve("restored")))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining(full.id().toString());
      assertThat(dir.resolve("restored")).doesNotExist();
    }
  }

  @Test
  void everyDamagedByteIsFound() throws IOException {
    Backup backup;
    try (Heap heap = open("heap")) {
      fill(heap, 1, 300);
      backup = backups().take(heap);
    }
    Path file = dir.resolve("backups").resolve(backup.name());
    byte[] whole = Files.readAllBytes(file);
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, damaged);
      requireRefused(backup);
      Files.write(file, Arrays.copyOf(whole, random.nextInt(whole.length)));
      requireRefused(backup);
    }
    Files.write(file, whole);
    backups().verify(backup, BackupProgress.NONE);
  }

  private void requireRefused(Backup backup) {
    assertThatThrownBy(() -> backups().restore(backup, dir.resolve("restored")))
        .isInstanceOf(EverheapException.class)
        .hasMessageContaining(backup.name());
    assertThat(dir.resolve("restored")).doesNotExist();
  }

  @Test
  void aSetOfChangedPagesThatWasCutOffCountsAsChanged() throws IOException {
    Path changed = dir.resolve("heap/changed");
    try (Heap heap = open("heap")) {
      fill(heap, 1, KEYS);
      backups().take(heap);
      fill(heap, 2, KEYS);
    }
    Files.write(changed, Arrays.copyOf(Files.readAllBytes(changed), 4096));
    try (Heap heap = open("heap")) {
      fill(heap, 3, 1);
      Backup backup = backups().take(heap, Backup.Kind.INCREMENTAL);
      requireRestored(backup, contents(heap));
    }
  }

  @Test
  void aDamagedBackupDoesNotHideTheOthers() throws IOException {
    try (Heap heap = open("heap")) {
      fill(heap, 1, 100);
      Backup full = backups().take(heap);
      Files.write(dir.resolve("backups/20260101T000000.000Z-full-copied.backup"), new byte[100]);
      Backup second = backups().take(heap, Backup.Kind.INCREMENTAL);
      requireRestored(full, contents(heap));
      requireRestored(second, contents(heap));
      assertThatThrownBy(() -> backups().list())
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("it is not a backup");
    }
  }

  @Test
  void aRestoreNeedsAnEmptyDirectory() throws IOException {
    try (Heap heap = open("heap")) {
      fill(heap, 1, 10);
      Backup backup = backups().take(heap);
      Path target = Files.createDirectory(dir.resolve("target"));
      Files.createFile(target.resolve("mine"));
      assertThatThrownBy(() -> backups().restore(backup, target))
          .isInstanceOf(ForeignException.class)
          .hasMessageContaining("mine");
      Files.delete(target.resolve("mine"));
      Files.createFile(target.resolve("restoring")); // a restore was interrupted
      Files.write(target.resolve("heap.new"), new byte[10]);
      Files.createFile(target.resolve("thesis"));
      assertThatThrownBy(() -> backups().restore(backup, target))
          .isInstanceOf(ForeignException.class)
          .hasMessageContaining("thesis");
      Files.delete(target.resolve("thesis"));
      assertThatThrownBy(() -> Heap.open(target))
          .isInstanceOf(MissingException.class)
          .hasMessageContaining("interrupted");
      backups().restore(backup, target);
      Heap.open(target).close();
    }
  }

  @Test
  void oldBackupsAreDeleted() {
    try (Heap heap = open("heap")) {
      fill(heap, 1, 10);
      Backup a = backups().take(heap);
      Backup b = backups().take(heap, Backup.Kind.INCREMENTAL);
      Backup c = backups().take(heap);
      Backup d = backups().take(heap, Backup.Kind.INCREMENTAL);
      Backup e = backups().take(heap, Backup.Kind.INCREMENTAL);
      assertThat(backups().keep(2)).isEmpty();
      assertThat(backups().keep(1)).containsExactly(a, b);
      assertThat(backups().list()).isEqualTo(List.of(c, d, e));
    }
  }

  @Test
  void aHeapInMemoryHasNoBackup() {
    try (Heap heap = Heap.inMemory()) {
      assertThatThrownBy(() -> backups().take(heap)).isInstanceOf(IllegalStateException.class);
      heap.transact(
          () ->
              assertThatThrownBy(() -> backups().take(heap))
                  .isInstanceOf(IllegalStateException.class));
    }
  }

  @Test
  void aBackupThatIsTooSlowIsGivenUp() {
    try (Heap heap = Heap.builder(dir.resolve("heap")).logSize(16 << 20).open()) {
      fill(heap, 1, KEYS);
      DurableMap<Integer, byte[]> large = heap.map("large", Integer.class, byte[].class);
      assertThatThrownBy(
              () ->
                  backups()
                      .take(
                          heap,
                          Backup.Kind.FULL,
                          0,
                          (what, part) -> {
                            for (int i = 0; i < 60; i++) {
                              byte[] value = new byte[1_000_000];
                              Arrays.fill(value, (byte) i);
                              large.put(i % 3, value);
                            }
                          }))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("so slowly");
      assertThat(backups().list()).isEmpty();
      requireRestored(backups().take(heap), contents(heap));
    }
  }

  @Test
  void aDirectoryInTheHeapIsRefused() {
    try (Heap heap = open("heap")) {
      assertThatThrownBy(() -> Backups.in(dir.resolve("heap")).take(heap))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("outside of it");
    }
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> Backups.in(dir.resolve("nowhere")).list())
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("nowhere");
  }

  /** Pages of zeros take no space in a backup, and a heap of 8 TiB does not fit on any disk. */
  @Test
  void aBackupThatAnnouncesMoreThanTheDiskHasIsRefusedBeforeItIsRestored() throws IOException {
    Backup backup;
    try (Heap heap = open("heap")) {
      fill(heap, 1, 10);
      backup = backups().take(heap);
    }
    Path file = dir.resolve("backups").resolve(backup.name());
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int end = bytes.capacity() - 56;
    bytes.putLong(end + 16, 1L << 43);
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(end, 4));
    crc.update(bytes.slice(end + 8, 48));
    crc.update(bytes.slice(72, 4));
    bytes.putInt(end + 4, (int) crc.getValue());
    Files.write(file, bytes.array());
    assertThatThrownBy(() -> backups().restore(backups().newest(), dir.resolve("to")))
        .isInstanceOf(DiskFullException.class)
        .hasMessageContaining("has no room for the " + (1L << 43) + " bytes");
    try (Stream<Path> made = Files.walk(dir.resolve("to"))) {
      assertThat(made.mapToLong(each -> each.toFile().length()).sum()).isLessThan(1 << 20);
    }
  }
}
