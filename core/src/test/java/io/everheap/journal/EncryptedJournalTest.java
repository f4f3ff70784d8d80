package io.everheap.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.EncryptedDirectory;
import io.everheap.encryption.KeyProvider;
import io.everheap.encryption.Plaintext;
import io.everheap.error.EncryptionException;
import io.everheap.error.MissingException;
import io.everheap.report.Backup;
import io.everheap.report.VerifyProgress;
import io.everheap.support.KeyBytes;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Campaign
class EncryptedJournalTest {
  private static final KeyProvider KEY = KeyProvider.of(KeyBytes.of(1));
  private static final KeyProvider OTHER = KeyProvider.of(KeyBytes.of(2));
  private static final String SECRET = "a secret that nobody may read";

  @TempDir private Path temp;

  private Path directory() {
    return temp.resolve("j");
  }

  private JournalBuilder builder() {
    return Journal.builder(directory()).segmentSize(64 << 10).encrypt(KEY);
  }

  private JournalBuilder builder(boolean sync) {
    return sync ? builder() : builder().async(Duration.ofMillis(5));
  }

  private static byte[] record(long sequence) {
    return (SECRET + " " + sequence + " ").repeat((int) (1 + sequence % 7)).getBytes(UTF_8);
  }

  private static void append(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      journal.append(record(journal.nextSequence()));
    }
  }

  private static void expect(Journal journal, long first, long next) {
    assertThat(journal.firstSequence()).isEqualTo(first);
    assertThat(journal.nextSequence()).isEqualTo(next);
    try (JournalReader reader = journal.reader()) {
      for (long s = first; s < next; s++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.bytes()).isEqualTo(record(s));
      }
    }
  }

  private void noPlaintext() throws IOException {
    Plaintext.requireNone(temp, SECRET.substring(0, 8), "EVERJRN");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itHoldsWhatWasAppendedAndNoFileHasPlaintext(boolean sync) throws IOException {
    try (Journal journal = builder(sync).open()) {
      append(journal, 2000);
      noPlaintext();
      expect(journal, 0, 2000);
      journal.truncateBefore(900);
      append(journal, 1000); // in files that were used before
      journal.appendAll(List.of(record(3000), record(3001)));
      journal.force();
      noPlaintext();
      expect(journal, 900, 3002);
      journal.truncateAfter(2499);
    }
    noPlaintext();
    try (Journal journal = builder(sync).open()) {
      expect(journal, 900, 2500);
      append(journal, 10);
      expect(journal, 900, 2510);
    }
    assertThat(JournalCheck.verify(directory(), KEY, VerifyProgress.NONE).problems()).isEmpty();
  }

  @Test
  void largeRecordsAreEncryptedToo() throws IOException {
    byte[] large = SECRET.repeat(50_000).getBytes(UTF_8);
    try (Journal journal = builder().open()) {
      journal.append(large);
      journal.append(record(1));
      assertThat(journal.read(0)).isEqualTo(large);
    }
    noPlaintext();
    try (Journal journal = builder().readOnly().open()) {
      assertThat(journal.read(0)).isEqualTo(large);
      assertThat(journal.read(1)).isEqualTo(record(1));
    }
  }

  /** A reader with files of its own sees records soon after they were appended. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anotherReaderFollowsTheWriter(boolean sync) throws Exception {
    int count = 6000;
    try (Journal journal = builder(sync).open()) {
      append(journal, 100);
      journal.force();
      try (Journal watched = Journal.builder(directory()).encrypt(KEY).readOnly().open();
          JournalReader reader = watched.reader()) {
        CompletableFuture<Void> writer =
            CompletableFuture.runAsync(() -> append(journal, count - 100));
        for (long s = 0; s < count; s++) {
          assertThat(reader.next(Limit.limit())).as("record " + s).isTrue();
          assertThat(reader.bytes()).isEqualTo(record(s));
        }
        Limit.get(writer);
        assertThat(watched.nextSequence()).isEqualTo(count);
        journal.truncateAfter(count - 11);
        append(journal, 20);
        journal.force();
        Limit.until("the reader sees the end", () -> watched.nextSequence() == count + 10);
        assertThat(watched.read(count + 9)).isEqualTo(record(count + 9));
        JournalCheck check = JournalCheck.verify(directory(), KEY, VerifyProgress.NONE);
        assertThat(check.problems()).isEmpty();
        assertThat(check.records()).isEqualTo(count + 10);
      }
    }
  }

  /** The memory of a reader is a copy: it reads the file again, which may be gone. */
  @Test
  void aReaderGoesOnWhenWhatItReadIsReleasedOrCutOff() {
    try (Journal journal = builder().open()) {
      append(journal, 100);
      try (Journal watched = Journal.builder(directory()).encrypt(KEY).readOnly().open()) {
        for (int round = 0; round < 10; round++) {
          untilItSeesTheEnd(watched, journal);
          append(journal, 3_000); // several segments
          journal.truncateBefore(journal.nextSequence());
          append(journal, 5);
        }
        long from = journal.nextSequence();
        append(journal, 6_000);
        untilItSeesTheEnd(watched, journal);
        journal.truncateAfter(from);
        append(journal, 3);
        untilItSeesTheEnd(watched, journal);
        assertThat(watched.read(from + 3)).isEqualTo(record(from + 3));
      }
    }
  }

  /** A reader polls the files at most a twentieth of the time, so it may be late. */
  private static void untilItSeesTheEnd(Journal watched, Journal journal) {
    Limit.until("the reader sees the end", () -> watched.nextSequence() == journal.nextSequence());
  }

  @Test
  void itIsOpenedWithItsKeyOnly() throws IOException {
    try (Journal journal = builder().open()) {
      append(journal, 10);
    }
    for (boolean readOnly : new boolean[] {false, true}) {
      JournalBuilder without = Journal.builder(directory());
      JournalBuilder wrong = Journal.builder(directory()).encrypt(OTHER);
      if (readOnly) {
        without.readOnly();
        wrong.readOnly();
      }
      assertThatThrownBy(without::open)
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("encrypted: give their key");
      assertThatThrownBy(wrong::open).isInstanceOf(EncryptionException.class);
    }
    assertThatThrownBy(() -> JournalCheck.verify(directory()))
        .isInstanceOf(EncryptionException.class);
    Files.delete(directory().resolve("keys"));
    assertThatThrownBy(() -> builder().open()).isInstanceOf(EncryptionException.class);
    assertThatThrownBy(() -> Journal.open(directory()))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("the file keys there, which has their data key, is missing");
  }

  /** A crash came after the keys were destroyed. */
  @Test
  void aShreddingThatWasInterruptedIsRepeated() throws IOException {
    try (Journal journal = builder().open()) {
      append(journal, 10);
    }
    Files.delete(directory().resolve("keys"));
    EncryptedDirectory.shred(directory());
    assertThat(directory().resolve("journal")).doesNotExist();
    Journal.open(directory()).close(); // a new one, in plaintext
    assertThatThrownBy(() -> EncryptedDirectory.shred(directory()))
        .isInstanceOf(EncryptionException.class);
  }

  @Test
  void aJournalThatIsNotEncryptedIsNotOpenedWithAKey() {
    Journal.open(directory()).close();
    assertThatThrownBy(() -> builder().open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("is not encrypted");
    Journal.open(directory()).close();
  }

  @Test
  void nothingIsMadeWhereAJournalMustExist() throws IOException {
    Files.createDirectories(directory());
    assertThatThrownBy(() -> builder().mustExist().open())
        .isInstanceOf(MissingException.class)
        .hasMessageContaining("(EH-JOURNAL-MISSING)");
    assertThat(directory().resolve("keys")).doesNotExist();
  }

  @Test
  void itsKeyIsReplacedAndShredded() throws IOException {
    try (Journal journal = builder().open()) {
      append(journal, 10);
    }
    EncryptedDirectory.rekey(directory(), KEY, OTHER);
    assertThatThrownBy(() -> builder().open()).isInstanceOf(EncryptionException.class);
    try (Journal journal = builder().encrypt(OTHER).open()) {
      expect(journal, 0, 10);
    }
    EncryptedDirectory.shred(directory());
    try (Stream<Path> left = Files.list(directory())) {
      assertThat(left.map(file -> file.getFileName().toString())).isSubsetOf("lock", "owner");
    }
  }

  @Test
  void itIsBackedUpEncryptedAndRestoredWithAnotherDataKey() throws IOException {
    Path to = temp.resolve("backups");
    JournalBackups backups = JournalBackups.in(to).encrypt(KEY);
    try (Journal journal = builder().open()) {
      append(journal, 500);
      assertThatThrownBy(() -> JournalBackups.in(temp.resolve("plain")).take(journal))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("give them a key");
      backups.take(journal);
      append(journal, 500);
      backups.take(journal, Backup.Kind.INCREMENTAL);
    }
    backups.restore(backups.newest(), temp.resolve("all"));
    backups.restore(new JournalPoint.Sequence(699), temp.resolve("part"));
    noPlaintext();
    assertThat(Files.readAllBytes(temp.resolve("all/keys")))
        .isNotEqualTo(Files.readAllBytes(directory().resolve("keys")));
    try (Journal journal = Journal.builder(temp.resolve("all")).encrypt(KEY).open()) {
      expect(journal, 0, 1000);
      append(journal, 1);
    }
    try (Journal journal = Journal.builder(temp.resolve("part")).encrypt(KEY).open()) {
      expect(journal, 0, 700);
    }
    assertThatThrownBy(() -> JournalBackups.in(to).list()).isInstanceOf(EncryptionException.class);
  }

  /** A program that ignores the result must not write backups in plaintext. */
  @Test
  void encryptChangesTheBackupsThatItIsCalledOn() {
    JournalBackups backups = JournalBackups.in(temp.resolve("backups"));
    var _ = backups.encrypt(KEY);
    try (Journal journal = Journal.builder(temp.resolve("plain")).open()) {
      journal.append(new byte[] {1});
      backups.take(journal);
    }
    assertThat(temp.resolve("backups/keys")).exists();
    assertThat(backups.encrypt(KEY)).isSameAs(backups);
  }

  /** So a journal gets encrypted: its encrypted backup is restored. */
  @Test
  void aBackupOfAJournalInPlaintextIsRestoredEncrypted() {
    JournalBackups backups = JournalBackups.in(temp.resolve("backups")).encrypt(KEY);
    try (Journal journal = Journal.open(directory())) {
      append(journal, 100);
      backups.take(journal);
    }
    backups.restore(backups.newest(), temp.resolve("restored"));
    try (Journal journal = Journal.builder(temp.resolve("restored")).encrypt(KEY).open()) {
      expect(journal, 0, 100);
    }
  }

  @Test
  void whatIsReadableIsSavedEncrypted() throws IOException {
    try (Journal journal = builder().open()) {
      append(journal, 3000);
    }
    List<Path> segments = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory())) {
      files.filter(f -> f.getFileName().toString().length() == 16).sorted().forEach(segments::add);
    }
    byte[] bytes = Files.readAllBytes(segments.get(1));
    bytes[4096 + 4608 * 3 + 100] ^= 1;
    Files.write(segments.get(1), bytes);
    JournalCheck check = JournalCheck.verify(directory(), KEY, VerifyProgress.NONE);
    assertThat(check.problems()).hasSize(2);
    assertThat(check.problems().toString()).contains("is not authentic", "does not validate");
    Path to = temp.resolve("saved");
    JournalSalvage saved = JournalSalvage.copy(directory(), to, KEY, (done, all) -> {});
    assertThat(saved.lost()).hasSize(1);
    assertThat(saved.records()).isBetween(2900L, 2999L);
    noPlaintext();
    try (Journal journal = Journal.builder(to).encrypt(KEY).open()) {
      assertThat(journal.nextSequence()).isEqualTo(saved.records());
      assertThat(journal.read(0)).isEqualTo(record(0));
      assertThat(journal.read(saved.records() - 1)).isEqualTo(record(2999));
    }
  }
}
