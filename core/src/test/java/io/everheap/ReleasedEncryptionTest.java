package io.everheap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.EverheapException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackups;
import io.everheap.journal.JournalPoint;
import io.everheap.report.Backup;
import io.everheap.report.RestorePoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a release encrypted is read by this build. A round trip alone does not notice a change of
 * what is authenticated with a sector, since it writes and reads with the same mistake.
 */
class ReleasedEncryptionTest {
  private static final KeyProvider KEY = ReleasedFiles.key();
  private static final int HEADER = 4096;
  private static final int SECTOR = 512;
  private static final int STORED = 9 * SECTOR;

  @TempDir private Path dir;

  @BeforeEach
  void unzip() {
    ReleasedFiles.unzip("0.9.0", ReleasedFiles.ENCRYPTED, dir);
  }

  private Heap open() {
    return TestHeaps.builder(dir.resolve("heap")).encrypt(KEY).open();
  }

  private Backups backups() {
    return Backups.in(dir.resolve("backups")).encrypt(KEY);
  }

  private void requireHolds(String name, int entries) {
    try (Heap heap = TestHeaps.builder(dir.resolve(name)).encrypt(KEY).open()) {
      TestHeaps.assertHolds(heap, entries);
    }
  }

  @Test
  void aHeapIsReadAndWritten() {
    try (Heap heap = TestHeaps.builder(dir.resolve("heap")).encrypt(KEY).readOnly().open()) {
      assertThat(TestHeaps.numbers(heap)).isEqualTo(TestHeaps.expected(40));
    }
    try (Heap heap = open()) {
      TestHeaps.assertHolds(heap, 40);
      TestHeaps.put(heap, 40, 45);
    }
    requireHolds("heap", 45);
  }

  @Test
  void itsBackupsAndItsArchiveAreRestored() {
    List<Backup> all = backups().list();
    assertThat(all).hasSize(2);
    backups().restore(all.get(0), dir.resolve("full"));
    requireHolds("full", 10);
    backups().restore(all.get(1), dir.resolve("incremental"));
    requireHolds("incremental", 20);
    backups().restore(new RestorePoint.Newest(), dir.resolve("newest"));
    requireHolds("newest", 40);
  }

  @Test
  void aJournalAndItsBackupsAreRead() {
    requireRecords(dir.resolve("journal"), 50);
    JournalBackups journals = JournalBackups.in(dir.resolve("backups")).encrypt(KEY);
    assertThat(journals.list()).hasSize(2);
    journals.restore(journals.list().getFirst(), dir.resolve("half"));
    requireRecords(dir.resolve("half"), 25);
    journals.restore(new JournalPoint.OfBackup(), dir.resolve("all"));
    requireRecords(dir.resolve("all"), 50);
    journals.restore(new JournalPoint.Sequence(30), dir.resolve("some"));
    requireRecords(dir.resolve("some"), 31);
  }

  private static void requireRecords(Path place, int count) {
    try (Journal journal = Journal.builder(place).encrypt(KEY).readOnly().open()) {
      assertThat(journal.nextSequence()).isEqualTo(count);
      for (int i = 0; i < count; i++) {
        assertThat(new String(journal.read(i), UTF_8)).isEqualTo(ReleasedFiles.record(i));
      }
    }
  }

  /** A sector that was sealed, of some block from one on. */
  private static int sealed(byte[] file, int fromBlock) {
    int at = HEADER + fromBlock * STORED;
    while (Arrays.equals(file, at, at + SECTOR, new byte[SECTOR], 0, SECTOR)) {
      at += SECTOR;
    }
    return at;
  }

  /** Sectors, and whole pages, of another place, file, or heap of the same wrapping key. */
  @Test
  void whatWasMovedIsRefused() throws IOException {
    Path home = dir.resolve("heap/heap");
    byte[] heap = Files.readAllBytes(home);
    byte[] log = Files.readAllBytes(dir.resolve("heap/log/0000000000000000"));
    backups().restore(backups().newest(), dir.resolve("restored"));
    byte[] other = Files.readAllBytes(dir.resolve("restored/heap"));
    int page = (sealed(heap, 3) - HEADER) / STORED;
    int at = HEADER + page * STORED;
    requireRefused(home, heap, at, heap, at + SECTOR, SECTOR);
    requireRefused(home, heap, at, heap, sealed(heap, page + 1) / SECTOR * SECTOR, SECTOR);
    requireRefused(home, heap, at, log, sealed(log, 0), SECTOR);
    requireRefused(home, heap, at, other, at, STORED);
    requireRefused(home, heap, at, other, at, SECTOR);
    Files.write(home, other);
    assertThatThrownBy(this::open).isInstanceOf(EverheapException.class);
    Files.write(home, heap);
    requireHolds("heap", 40);
  }

  private void requireRefused(Path file, byte[] whole, int at, byte[] from, int fromAt, int length)
      throws IOException {
    byte[] changed = whole.clone();
    System.arraycopy(from, fromAt, changed, at, length);
    assertThat(changed).isNotEqualTo(whole);
    Files.write(file, changed);
    assertThatThrownBy(
            () -> {
              try (Heap heap =
                  TestHeaps.builder(dir.resolve("heap")).encrypt(KEY).readOnly().open()) {
                assertThat(TestHeaps.numbers(heap)).hasSize(40);
                if (!heap.verify().ok()) {
                  throw new CorruptHeapException("verify says so");
                }
              }
            })
        .isInstanceOf(EverheapException.class);
    Files.write(file, whole);
  }
}
