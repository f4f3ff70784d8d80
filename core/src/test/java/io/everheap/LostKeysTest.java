package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.backup.BackupKeys;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackups;
import io.everheap.journal.JournalCheck;
import io.everheap.journal.JournalSalvage;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.report.VerifyProgress;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of keys was lost: each use says so, and changes nothing. */
@Campaign
class LostKeysTest {
  private static final KeyProvider KEY = TestHeaps.key(1);
  private static final KeyProvider OTHER = TestHeaps.key(2);

  @TempDir private Path dir;

  private Path heap() {
    return dir.resolve("heap");
  }

  private Path backups() {
    return dir.resolve("backups");
  }

  private void requireNamed(Path directory, List<ThrowingCallable> uses) {
    Map<String, String> before = TestHeaps.data(directory);
    for (int i = 0; i < uses.size(); i++) {
      assertThatThrownBy(uses.get(i))
          .as("use %s", i)
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("The files in " + directory)
          .hasMessageContaining("are encrypted")
          .hasMessageContaining("the file keys there, which has their data key, is missing")
          .hasMessageContaining("put it back, or restore a backup");
      assertThat(TestHeaps.data(directory)).isEqualTo(before);
    }
  }

  @Test
  void ofAHeap() throws IOException {
    try (Heap heap = TestHeaps.builder(heap()).encrypt(KEY).open()) {
      TestHeaps.put(heap, 0, 5);
    }
    byte[] keys = Files.readAllBytes(heap().resolve("keys"));
    Files.delete(heap().resolve("keys"));
    requireNamed(
        heap(),
        List.of(
            () -> Heap.builder(heap()).encrypt(KEY).open(),
            () -> Heap.builder(heap()).encrypt(KEY).readOnly().open(),
            () -> Heap.open(heap()),
            () -> Heap.builder(heap()).readOnly().open(),
            () -> HeapCheck.verify(heap()),
            () -> HeapCheck.scrub(heap()),
            () -> HeapCheck.scrub(heap(), List.of(), KEY, VerifyProgress.NONE),
            () -> EncryptedDirectory.rekey(heap(), KEY, OTHER),
            () -> HeapKeys.renew(heap(), KEY, OTHER, BackupProgress.NONE),
            () -> HeapKeys.encrypt(heap(), KEY, BackupProgress.NONE),
            () -> HeapKeys.decrypt(heap(), KEY, BackupProgress.NONE)));
    Files.write(heap().resolve("keys"), keys);
    try (Heap heap = TestHeaps.builder(heap()).encrypt(KEY).open()) {
      TestHeaps.assertHolds(heap, 5);
    }
  }

  @Test
  void ofAJournal() throws IOException {
    Path place = dir.resolve("journal");
    try (Journal journal = Journal.builder(place).encrypt(KEY).open()) {
      journal.append(new byte[] {1});
    }
    Files.delete(place.resolve("keys"));
    requireNamed(
        place,
        List.of(
            () -> Journal.builder(place).encrypt(KEY).open(),
            () -> Journal.builder(place).encrypt(KEY).readOnly().open(),
            () -> Journal.open(place),
            () -> Journal.builder(place).readOnly().open(),
            () -> JournalCheck.verify(place),
            () -> JournalCheck.verify(place, KEY, VerifyProgress.NONE),
            () -> JournalSalvage.copy(place, dir.resolve("saved"), KEY, (_, _) -> {}),
            () -> EncryptedDirectory.rekey(place, KEY, OTHER)));
  }

  @Test
  void ofADirectoryOfBackups() throws IOException {
    Backups backups = Backups.in(backups()).encrypt(KEY);
    try (Heap heap = TestHeaps.builder(heap()).encrypt(KEY).archive(backups()).open()) {
      TestHeaps.put(heap, 0, 5);
      backups.take(heap);
    }
    TestHeaps.create(dir.resolve("plain"), 3);
    Backups plain = Backups.in(backups());
    byte[] keys = Files.readAllBytes(backups().resolve("keys"));
    Files.delete(backups().resolve("keys"));
    try (Heap other = TestHeaps.open(dir.resolve("plain"))) {
      requireNamed(
          backups(),
          List.of(
              backups::list,
              plain::list,
              plain::newest,
              () -> plain.take(other), // else plaintext would get among what is encrypted
              () -> backups.take(other),
              () -> backups.rekey(OTHER),
              () -> EncryptedDirectory.rekey(backups(), KEY, OTHER)));
    }
    Files.write(backups().resolve("keys"), keys);
    Path archive = BackupKeys.archives(backups()).getFirst();
    Files.delete(archive.resolve("keys"));
    requireNamed(
        archive,
        List.of(
            () -> backups.rekey(OTHER),
            () -> backups.restore(new RestorePoint.Newest(), dir.resolve("restored")),
            () -> TestHeaps.builder(heap()).encrypt(KEY).archive(backups()).open()));
  }

  @Test
  void ofBackupsOfJournals() throws IOException {
    JournalBackups backups = JournalBackups.in(backups()).encrypt(KEY);
    try (Journal journal = Journal.builder(dir.resolve("journal")).encrypt(KEY).open()) {
      backups.take(journal);
    }
    Files.delete(backups().resolve("keys"));
    requireNamed(
        backups(),
        List.of(
            backups::list, () -> JournalBackups.in(backups()).list(), () -> backups.rekey(KEY)));
  }
}
