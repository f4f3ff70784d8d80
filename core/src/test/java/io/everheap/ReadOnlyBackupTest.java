package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.engine.HeapCopy;
import io.everheap.engine.home.Superblock;
import io.everheap.error.BackupException;
import io.everheap.error.CorruptException;
import io.everheap.report.Backup;
import io.everheap.report.RestorePoint;
import io.everheap.support.tier.Campaign;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of heaps that are open for reading only, such as one on a read-only mount. */
@Campaign
class ReadOnlyBackupTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int ENTRIES = 60;

  @TempDir Path temp;

  private Backups backups() {
    return Backups.in(temp.resolve("backups"));
  }

  private Path heap() {
    return temp.resolve("h");
  }

  private void assertIsBackedUp(Path heap) {
    Map<String, String> before = TestHeaps.files(heap);
    Backup backup;
    try (Heap reader = TestHeaps.openReadOnly(heap)) {
      backup = backups().take(reader);
      TestHeaps.assertHolds(reader, ENTRIES);
    }
    assertThat(TestHeaps.files(heap)).as("the heap").isEqualTo(before);
    Path restored = temp.resolve("restored");
    backups().restore(backup, restored);
    TestHeaps.assertHolds(restored, ENTRIES);
    try (Heap again = TestHeaps.open(restored)) {
      TestHeaps.put(again, ENTRIES, 2 * ENTRIES);
    }
    TestHeaps.assertHolds(restored, 2 * ENTRIES);
  }

  @Test
  void aClosedHeapIsBackedUpAndNoByteChanges() {
    TestHeaps.create(heap(), ENTRIES);
    assertIsBackedUp(heap());
  }

  @Test
  void aKilledHeapIsBackedUpWithItsLog() {
    assertIsBackedUp(TestHeaps.killed(heap(), ENTRIES));
  }

  @Test
  void soIsOneThatLostPower() {
    assertIsBackedUp(TestHeaps.powerless(heap(), ENTRIES));
  }

  @Test
  void soIsOneWhoseLogHasTwoEpochs() {
    Path first = TestHeaps.killed(temp.resolve("first"), ENTRIES / 2);
    try (Heap again = TestHeaps.open(first)) {
      TestHeaps.put(again, ENTRIES / 2, ENTRIES);
      HeapCopy.killed(first, heap());
    }
    assertIsBackedUp(heap());
  }

  @Test
  void soIsOneWhoseLogMadeItGrow() {
    Path running = temp.resolve("running");
    try (Heap heap = TestHeaps.open(running)) {
      TestHeaps.put(heap, 0, ENTRIES);
      heap.map("large", Integer.class, byte[].class).put(1, new byte[9 << 20]);
      HeapCopy.killed(running, heap());
    }
    assertIsBackedUp(heap());
  }

  @Test
  void soAreEncryptedOnes() {
    Path running = temp.resolve("running");
    try (Heap heap = TestHeaps.builder(running).encrypt(KEY).open()) {
      TestHeaps.put(heap, 0, ENTRIES / 2);
      heap.checkpoint();
      TestHeaps.put(heap, ENTRIES / 2, ENTRIES);
      HeapCopy.killed(running, heap());
    }
    for (Path source : new Path[] {running, heap()}) {
      Backup backup;
      try (Heap reader = TestHeaps.builder(source).encrypt(KEY).readOnly().open()) {
        assertThatThrownBy(() -> backups().take(reader)).hasMessageContaining("encrypt");
        backup = backups().encrypt(KEY).take(reader);
      }
      Path restored = temp.resolve("restored-" + source.getFileName());
      backups().encrypt(KEY).restore(backup, restored);
      try (Heap heap = TestHeaps.builder(restored).encrypt(KEY).open()) {
        TestHeaps.assertHolds(heap, ENTRIES);
      }
    }
  }

  @Test
  void theArchiveContinuesIt() {
    Path archive = temp.resolve("backups");
    try (Heap heap = TestHeaps.builder(heap()).archive(archive).open()) {
      TestHeaps.put(heap, 0, ENTRIES / 2);
    }
    try (Heap reader = TestHeaps.openReadOnly(heap())) {
      backups().take(reader);
    }
    try (Heap heap = TestHeaps.builder(heap()).archive(archive).open()) {
      TestHeaps.put(heap, ENTRIES / 2, ENTRIES);
    }
    backups().restore(new RestorePoint.Newest(), temp.resolve("restored"));
    TestHeaps.assertHolds(temp.resolve("restored"), ENTRIES);
  }

  @Test
  void anIncrementalBackupIsRefusedAndALaterOneContinuesTheOneBefore() {
    TestHeaps.create(heap(), ENTRIES / 2);
    Backup first;
    try (Heap heap = TestHeaps.open(heap())) {
      first = backups().take(heap);
    }
    try (Heap reader = TestHeaps.openReadOnly(heap())) {
      assertThatThrownBy(() -> backups().take(reader, Backup.Kind.INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("for reading only: take a full backup");
      backups().take(reader);
    }
    try (Heap heap = TestHeaps.open(heap())) {
      TestHeaps.put(heap, ENTRIES / 2, ENTRIES);
      Backup next = backups().take(heap, Backup.Kind.INCREMENTAL);
      assertThat(next.base()).isEqualTo(first.id());
      backups().restore(next, temp.resolve("restored"));
    }
    TestHeaps.assertHolds(temp.resolve("restored"), ENTRIES);
  }

  @Test
  void regionsAreCopied() {
    try (Heap heap = TestHeaps.open(heap())) {
      TestHeaps.put(heap, 0, ENTRIES);
      heap.region("raw", 4096).setLong(8, 42);
    }
    assertIsBackedUp(heap());
    try (Heap heap = TestHeaps.open(temp.resolve("restored"))) {
      assertThat(heap.region("raw", 4096).getLong(8)).isEqualTo(42);
    }
  }

  /** Both a page that only the file has, and one of which the log changes a part. */
  @Test
  void aDamagedPageIsInNoBackup() throws Exception {
    Path running = temp.resolve("running");
    try (Heap heap = TestHeaps.open(running)) {
      TestHeaps.put(heap, 0, ENTRIES);
      heap.checkpoint();
      TestHeaps.put(heap, ENTRIES, ENTRIES + 1);
      HeapCopy.killed(running, heap());
    }
    byte[] image = Files.readAllBytes(heap().resolve("heap"));
    int refused = 0;
    for (int page = 3; page < image.length / 4096; page++) {
      ByteBuffer bytes = ByteBuffer.wrap(image, page * 4096, 4096);
      if (bytes.mismatch(ByteBuffer.allocate(4096)) >= 0) {
        TestHeaps.flip(heap().resolve("heap"), page * 4096L + 4095, 1);
        try (Heap reader = TestHeaps.openReadOnly(heap())) {
          assertThatThrownBy(() -> backups().take(reader))
              .as("page %s", page)
              .isInstanceOf(CorruptException.class)
              .hasMessageContaining("damaged");
          refused++;
        }
        TestHeaps.flip(heap().resolve("heap"), page * 4096L + 4095, 1);
      }
    }
    assertThat(refused).isPositive();
    assertThat(backups().list()).isEmpty();
  }

  @Test
  void noBackupIsMadeWithoutTheChecksums() throws Exception {
    TestHeaps.create(heap(), ENTRIES);
    Files.delete(heap().resolve("heap.crc"));
    try (Heap reader = TestHeaps.openReadOnly(heap())) {
      assertThatThrownBy(() -> backups().take(reader))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("checksums");
    }
  }

  @Test
  void itNeedsNothingOfTheArchiveOfAKilledHeap() {
    Path archive = temp.resolve("backups");
    Path running = temp.resolve("running");
    try (Heap heap = TestHeaps.builder(running).archive(archive).open()) {
      TestHeaps.put(heap, 0, ENTRIES / 2);
      HeapCopy.killed(running, heap());
    }
    try (Heap reader = TestHeaps.openReadOnly(heap())) {
      backups().take(reader);
    }
    backups().restore(new RestorePoint.Newest(), temp.resolve("first"));
    TestHeaps.assertHolds(temp.resolve("first"), ENTRIES / 2);
  }

  /** The checkpoint wrote every second sector of the pages that the log repeats. */
  @Test
  void soIsOneWhoseCheckpointWasInterrupted() throws Exception {
    Path running = temp.resolve("running");
    byte[] complete;
    try (Heap heap = TestHeaps.open(running)) {
      TestHeaps.put(heap, 0, ENTRIES / 2);
      heap.checkpoint();
      TestHeaps.put(heap, ENTRIES / 2, ENTRIES);
      HeapCopy.killed(running, heap());
      heap.checkpoint();
      complete = Files.readAllBytes(running.resolve("heap"));
    }
    byte[] torn = Files.readAllBytes(heap().resolve("heap"));
    for (int at = 3 * 4096; at < torn.length; at += 1024) {
      System.arraycopy(complete, at, torn, at, 512);
    }
    Superblock newest = Superblock.newest(slot(torn, 0), slot(torn, 4096));
    assertThat(newest).isNotNull();
    Superblock writing = newest.reaching(newest.minReplayEnd()).with(Superblock.WRITING);
    byte[] slot = writing.encode().array();
    System.arraycopy(slot, 0, torn, (int) writing.address(), slot.length);
    Files.write(heap().resolve("heap"), torn);
    assertIsBackedUp(heap());
  }

  private static Superblock.Slot slot(byte[] image, int at) {
    byte[] slot = Arrays.copyOfRange(image, at, at + Superblock.SIZE);
    return Superblock.decode(ByteBuffer.wrap(slot).order(ByteOrder.LITTLE_ENDIAN));
  }
}
