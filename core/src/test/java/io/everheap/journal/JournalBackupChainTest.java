package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.BackupException;
import io.everheap.error.EncryptionException;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small chains of backups of a journal, and points at their borders. */
class JournalBackupChainTest {
  private static final Backup.Kind INCREMENTAL = Backup.Kind.INCREMENTAL;
  private static final int SEGMENT = 16 << 10;

  @TempDir private Path dir;
  private int restores;

  private Path place() {
    return dir.resolve("backups");
  }

  private JournalBackups backups() {
    return JournalBackups.in(place());
  }

  private Journal open(String name) {
    return Journal.builder(dir.resolve(name)).segmentSize(SEGMENT).open();
  }

  private static byte[] record(long sequence) {
    byte[] record = new byte[1000];
    for (int i = 0; i < record.length; i++) {
      record[i] = (byte) (31 * sequence + i);
    }
    return record;
  }

  private static void append(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      journal.append(record(journal.nextSequence()));
    }
  }

  private static void requireRecords(Path target, long first, long next) {
    try (Journal journal = Journal.builder(target).readOnly().open()) {
      assertThat(journal.firstSequence()).isEqualTo(first);
      assertThat(journal.nextSequence()).isEqualTo(next);
      for (long s = first; s < next; s++) {
        assertThat(journal.read(s)).isEqualTo(record(s));
      }
    }
  }

  private void requireRestored(JournalBackup backup, long next) {
    Path target = dir.resolve("restored" + restores++);
    JournalRestoreReport report = backups().restore(backup, target);
    assertThat(report).isEqualTo(new JournalRestoreReport(backup, 0, next));
    requireRecords(target, 0, next);
  }

  private void requireRestored(JournalPoint point, JournalBackup from, long next) {
    assertThat(backups().reaching(point)).isEqualTo(from);
    Path target = dir.resolve("restored" + restores++);
    JournalRestoreReport report = backups().restore(point, target);
    assertThat(report).isEqualTo(new JournalRestoreReport(from, 0, next));
    requireRecords(target, 0, next);
  }

  private void requireRefused(JournalBackup backup, String message) {
    assertThatThrownBy(() -> backups().restore(backup, dir.resolve("refused")))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining(message);
    assertThat(dir.resolve("refused")).doesNotExist();
  }

  /** Of 5, 25 and 26 records; 15 of them fill a segment. */
  private List<JournalBackup> chain(Journal journal) {
    List<JournalBackup> chain = new ArrayList<>();
    append(journal, 5);
    chain.add(backups().take(journal));
    append(journal, 20);
    chain.add(backups().take(journal, INCREMENTAL));
    append(journal, 1);
    chain.add(backups().take(journal, INCREMENTAL));
    append(journal, 4);
    return chain;
  }

  private Path file(JournalBackup backup) {
    return place().resolve(backup.name());
  }

  @Test
  void eachLinkAndEachRecordAtItsBorderIsRestored() throws IOException {
    List<JournalBackup> chain;
    try (Journal journal = open("journal")) {
      chain = chain(journal);
    }
    assertThat(backups().list()).isEqualTo(chain);
    assertThat(chain.stream().map(JournalBackup::nextSequence)).containsExactly(5L, 25L, 26L);
    assertThat(chain.get(0).base()).isNull();
    assertThat(chain.get(1).base()).isEqualTo(chain.get(0).id());
    assertThat(chain.get(2).base()).isEqualTo(chain.get(1).id());
    for (JournalBackup backup : chain) {
      assertThat(backup.bytes()).isEqualTo(Files.size(file(backup)));
      requireRestored(backup, backup.nextSequence());
      backups().verify(backup, BackupProgress.NONE);
    }
    assertThat(chain.get(2).bytes()).as("one record").isLessThan(3000);
    requireRestored(new JournalPoint.Sequence(0), chain.get(0), 1);
    requireRestored(new JournalPoint.Sequence(3), chain.get(0), 4);
    requireRestored(new JournalPoint.Sequence(4), chain.get(0), 5);
    requireRestored(new JournalPoint.Sequence(5), chain.get(1), 6);
    requireRestored(new JournalPoint.Sequence(24), chain.get(1), 25);
    requireRestored(new JournalPoint.Sequence(25), chain.get(2), 26);
    requireRestored(new JournalPoint.OfBackup(), chain.get(2), 26);
    assertThatThrownBy(() -> backups().reaching(new JournalPoint.Sequence(26)))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("No backup in " + place());
    assertThatThrownBy(
            () ->
                backups()
                    .restore(
                        chain.get(0),
                        new JournalPoint.Sequence(5),
                        dir.resolve("refused"),
                        BackupProgress.NONE))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("ends before record 5")
        .hasMessageContaining("choose a later one");
  }

  @Test
  void aGapIsNamedAndARepetitionIgnored() throws IOException {
    List<JournalBackup> chain;
    try (Journal journal = open("journal")) {
      chain = chain(journal);
    }
    for (JournalBackup backup : chain) {
      Files.copy(file(backup), place().resolve("0 " + backup.name()));
    }
    requireRestored(chain.get(2), 26);
    for (JournalBackup backup : chain) {
      Files.delete(place().resolve("0 " + backup.name()));
    }
    Files.move(file(chain.get(1)), dir.resolve("aside"));
    requireRestored(chain.get(0), 5);
    requireRefused(chain.get(2), chain.get(1).id().toString());
    try (Journal journal = open("journal")) {
      assertThatThrownBy(() -> backups().take(journal, INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining(chain.get(1).id().toString());
    }
    Files.move(dir.resolve("aside"), place().resolve("moved.journal"));
    requireRestored(chain.get(2), 26);
  }

  @Test
  void theBackupsOfAnotherJournalAreNoBase() {
    try (Journal journal = open("journal");
        Journal other = open("other")) {
      append(journal, 5);
      append(other, 5);
      JournalBackup mine = backups().take(journal);
      assertThatThrownBy(() -> backups().take(other, INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("there is no backup of it");
      JournalBackup full = backups().take(other);
      append(other, 2);
      append(journal, 3);
      JournalBackup increment = backups().take(journal, INCREMENTAL);
      assertThat(increment.base()).isEqualTo(mine.id());
      assertThat(backups().take(other, INCREMENTAL).base()).isEqualTo(full.id());
      requireRestored(increment, 8);
      assertThatThrownBy(() -> backups().reaching(new JournalPoint.Sequence(1)))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("several journals");
    }
  }

  @Test
  void keepLeavesTheNewestChain() {
    try (Journal journal = open("journal")) {
      List<JournalBackup> chain = chain(journal);
      JournalBackup full = backups().take(journal);
      append(journal, 1);
      JournalBackup last = backups().take(journal, INCREMENTAL);
      assertThat(backups().keep(2)).isEmpty();
      assertThat(backups().keep(1)).isEqualTo(chain);
      assertThat(backups().list()).containsExactly(full, last);
      requireRestored(last, 31);
      append(journal, 1);
      assertThat(backups().take(journal, INCREMENTAL).base()).isEqualTo(last.id());
    }
  }

  @Test
  void aBackupThatWasGivenUpIsNoLink() {
    try (Journal journal = open("journal")) {
      append(journal, 20);
      JournalBackup full = backups().take(journal);
      append(journal, 20);
      assertThatThrownBy(
              () ->
                  backups()
                      .take(
                          journal,
                          INCREMENTAL,
                          0,
                          (what, part) -> {
                            throw new IllegalStateException("given up");
                          }))
          .hasMessage("given up");
      assertThat(backups().list()).containsExactly(full);
      assertThat(place().toFile().list()).noneMatch(name -> name.endsWith(".new"));
      JournalBackup next = backups().take(journal, INCREMENTAL);
      assertThat(next.base()).isEqualTo(full.id());
      requireRestored(next, 40);
    }
  }

  @Test
  void anEncryptedJournalHasEncryptedBackups() {
    byte[] bytes = new byte[32];
    bytes[0] = 1;
    KeyProvider key = KeyProvider.of(bytes);
    KeyProvider other = KeyProvider.of(new byte[32]);
    JournalBackups encrypted = backups().encrypt(key);
    try (Journal journal =
        Journal.builder(dir.resolve("journal")).segmentSize(SEGMENT).encrypt(key).open()) {
      append(journal, 5);
      assertThatThrownBy(() -> JournalBackups.in(dir.resolve("plain")).take(journal))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("are not: give them a key");
      encrypted.take(journal);
      append(journal, 15);
      encrypted.take(journal, INCREMENTAL);
    }
    assertThatThrownBy(() -> backups().list()).isInstanceOf(EncryptionException.class);
    assertThatThrownBy(() -> backups().encrypt(other).list())
        .isInstanceOf(EncryptionException.class);
    encrypted.restore(encrypted.newest(), dir.resolve("restored"));
    assertThatThrownBy(() -> open("restored")).isInstanceOf(EncryptionException.class);
    try (Journal journal = Journal.builder(dir.resolve("restored")).encrypt(key).open()) {
      assertThat(journal.nextSequence()).isEqualTo(20);
      assertThat(journal.read(19)).isEqualTo(record(19));
    }
  }
}
