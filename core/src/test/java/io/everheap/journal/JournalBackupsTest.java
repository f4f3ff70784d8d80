package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.BackupException;
import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.ForeignException;
import io.everheap.error.ReadOnlyException;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Campaign
class JournalBackupsTest {
  private static final Backup.Kind INCREMENTAL = Backup.Kind.INCREMENTAL;

  @TempDir Path dir;

  private JournalBackups backups() {
    return JournalBackups.in(dir.resolve("backups"));
  }

  private JournalBuilder builder() {
    return Journal.builder(dir.resolve("journal")).segmentSize(16 << 10);
  }

  private static byte[] record(long sequence) {
    Random random = new Random(sequence);
    int length = random.nextInt(30) == 0 ? 20_000 : random.nextInt(600);
    byte[] bytes = new byte[8 + length];
    random.nextBytes(bytes);
    ByteBuffer.wrap(bytes).putLong(0, sequence);
    return bytes;
  }

  private static void append(Journal journal, int count) {
    for (int i = 0; i < count; i++) {
      long next = journal.nextSequence();
      if (i % 7 == 3) {
        journal.appendAll(List.of(record(next), record(next + 1)));
      } else {
        journal.append(record(next));
      }
    }
  }

  private static void requireRecords(Journal journal, long first, long next) {
    assertThat(journal.firstSequence()).isEqualTo(first);
    assertThat(journal.nextSequence()).isEqualTo(next);
    try (JournalReader reader = journal.reader()) {
      for (long s = first; s < next; s++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.bytes()).as("record %s", s).isEqualTo(record(s));
      }
      assertThat(reader.next()).isFalse();
    }
  }

  private int restored;

  private Path requireRestored(JournalBackup backup, long first, long next) {
    Path target = dir.resolve("restored-" + restored++);
    backups().restore(backup, target);
    requireSound(target, first, next);
    return target;
  }

  private static void requireSound(Path target, long first, long next) {
    assertThat(JournalCheck.verify(target).problems()).isEmpty();
    try (Journal copy = Journal.builder(target).readOnly().open()) {
      requireRecords(copy, first, next);
    }
    // Small segments: there may be many copies on a small disk.
    try (Journal copy = Journal.builder(target).segmentSize(16 << 10).mustExist().open()) {
      requireRecords(copy, first, next);
      assertThat(copy.info().recovered()).isFalse();
      append(copy, 5);
      requireRecords(copy, first, copy.nextSequence());
    }
    assertThat(JournalCheck.verify(target).problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyLinkOfAChainIsRestored(boolean sync) {
    JournalBuilder builder = sync ? builder() : builder().async(Duration.ofMinutes(30));
    try (Journal journal = builder.open()) {
      requireRestored(journal.backup(dir.resolve("backups")), 0, 0);
      for (int i = 0; i < 12; i++) {
        append(journal, i % 3 == 0 ? 2 : 60);
        JournalBackup backup = backups().take(journal, INCREMENTAL);
        assertThat(backup.nextSequence()).isEqualTo(journal.nextSequence());
        requireRestored(backup, journal.firstSequence(), journal.nextSequence());
        if (i % 4 == 3) {
          journal.truncateBefore(journal.nextSequence() - 10);
        }
      }
      assertThat(backups().take(journal, INCREMENTAL).bytes()).isLessThan(3000);
    }
    backups().list().forEach(backup -> backups().verify(backup, BackupProgress.NONE));
  }

  /** Otherwise the newest backup would count as an older one, and its records would be missing. */
  @Test
  void aFileThatBeginsAsAnotherBackupIsRefused() throws IOException {
    JournalBackup older;
    JournalBackup newer;
    try (Journal journal = builder().open()) {
      append(journal, 5);
      older = backups().take(journal);
      append(journal, 50);
      newer = backups().take(journal);
    }
    Path file = dir.resolve("backups").resolve(newer.name());
    byte[] bytes = Files.readAllBytes(file);
    System.arraycopy(
        Files.readAllBytes(dir.resolve("backups").resolve(older.name())), 0, bytes, 0, 80);
    Files.write(file, bytes);
    assertThatThrownBy(() -> backups().list()).isInstanceOf(BackupException.class);
    assertThatThrownBy(() -> backups().restore(new JournalPoint.OfBackup(), dir.resolve("to")))
        .isInstanceOf(BackupException.class);
  }

  @Test
  void aChainContinuesOverOpenings() {
    for (int i = 0; i < 6; i++) {
      try (Journal journal = builder().open()) {
        append(journal, i % 2 * 7);
        requireRestored(
            backups().take(journal, i == 0 ? Backup.Kind.FULL : INCREMENTAL),
            0,
            journal.nextSequence());
      }
    }
  }

  @Test
  void aBackupIsOneStateWhileOthersAppendAndRelease() throws InterruptedException {
    AtomicBoolean done = new AtomicBoolean();
    try (Journal journal = builder().retainBytes(400_000).open()) {
      append(journal, 600);
      Thread appender =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!done.get()) {
                      append(journal, 10);
                    }
                  });
      try {
        for (int i = 0; i < 5; i++) {
          long before = journal.nextSequence();
          JournalBackup backup = backups().take(journal);
          assertThat(backup.nextSequence()).isGreaterThanOrEqualTo(before);
          requireRestored(backup, backup.firstSequence(), backup.nextSequence());
        }
      } finally {
        done.set(true);
        Limit.join(appender);
      }
    }
  }

  @Test
  void whatIsReleasedMeanwhileIsLeftOut() {
    try (Journal journal = builder().open()) {
      append(journal, 400);
      int[] calls = {0};
      long next = journal.nextSequence();
      JournalBackup backup =
          backups()
              .take(
                  journal,
                  Backup.Kind.FULL,
                  0,
                  (what, part) -> {
                    if (calls[0]++ == 2) {
                      journal.truncateBefore(next - 50);
                    }
                  });
      assertThat(backup.nextSequence()).isEqualTo(next);
      requireRestored(backup, next - 50, next);
    }
  }

  @Test
  void aCutMeanwhileEndsABackup() {
    try (Journal journal = builder().open()) {
      append(journal, 100);
      assertThatThrownBy(
              () ->
                  backups()
                      .take(
                          journal,
                          Backup.Kind.FULL,
                          0,
                          (what, part) -> journal.truncateAfter(journal.nextSequence() - 2)))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("cut off");
      assertThat(backups().list()).isEmpty();
      append(journal, 10);
      requireRestored(backups().take(journal), 0, journal.nextSequence());
    }
  }

  @Test
  void anIncrementalBackupIsRefusedBehindAGap() {
    try (Journal journal = builder().open()) {
      assertThatThrownBy(() -> backups().take(journal, INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("there is no backup of it");
      append(journal, 30);
      backups().take(journal);
      append(journal, 100);
      journal.truncateBefore(journal.nextSequence());
      assertThatThrownBy(() -> backups().take(journal, INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("were released since")
          .hasMessageContaining("Take a full backup");
    }
  }

  @Test
  void anIncrementalBackupIsRefusedBehindACut() {
    try (Journal journal = builder().open()) {
      append(journal, 30);
      backups().take(journal);
      long next = journal.nextSequence();
      journal.truncateAfter(next - 3);
      append(journal, 30);
      assertThatThrownBy(() -> backups().take(journal, INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("cut off since");
      JournalBackup full = backups().take(journal);
      append(journal, 30);
      JournalBackup more = backups().take(journal, INCREMENTAL);
      assertThat(more.base()).isEqualTo(full.id());
      requireRestored(more, 0, journal.nextSequence());
    }
  }

  @Test
  void aRestoredJournalDoesNotContinueWhatTheOriginalAdded() {
    JournalBackup full;
    try (Journal journal = builder().open()) {
      append(journal, 30);
      full = backups().take(journal);
    }
    Path second = dir.resolve("second");
    backups().restore(full, second);
    try (Journal journal = builder().open();
        Journal copy = Journal.builder(second).open()) {
      append(journal, 10);
      JournalBackup original = backups().take(journal, INCREMENTAL);
      copy.append(new byte[] {1, 2, 3});
      for (int i = 0; i < 30; i++) {
        copy.append(new byte[] {4});
      }
      JournalBackup other = backups().take(copy, INCREMENTAL);
      assertThat(other.base()).as("not " + original).isEqualTo(full.id());
      Path third = dir.resolve("third");
      backups().restore(other, third);
      try (Journal again = Journal.open(third)) {
        assertThat(again.nextSequence()).isEqualTo(copy.nextSequence());
        assertThat(again.read(full.nextSequence())).containsExactly(1, 2, 3);
      }
    }
  }

  @Test
  void whatACopyReleasedIsNotTakenForWhatTheOriginalHas() throws IOException {
    builder().open().close();
    Path copy = dir.resolve("copy");
    Files.createDirectory(copy);
    for (String name : List.of("journal", "0000000000000001")) {
      Files.copy(dir.resolve("journal").resolve(name), copy.resolve(name));
    }
    byte[] record = new byte[3000]; // four fill a segment
    try (Journal journal = builder().open()) {
      for (int i = 0; i < 4; i++) {
        journal.append(record);
      }
      backups().take(journal);
      journal.append(record);
      journal.truncateBefore(4); // the mark of its end is not in the backup
      backups().take(journal, INCREMENTAL);
    }
    try (Journal other = Journal.builder(copy).segmentSize(16 << 10).open()) {
      record[0] = 1;
      for (int i = 0; i < 5; i++) {
        other.append(record);
      }
      other.truncateBefore(4);
      assertThatThrownBy(() -> backups().take(other, INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("Take a full backup");
    }
  }

  @Test
  void everySequenceIsRestored() {
    try (Journal journal = builder().open()) {
      append(journal, 25);
      journal.truncateBefore(5);
      backups().take(journal);
      append(journal, 25);
      backups().take(journal, INCREMENTAL);
      long next = journal.nextSequence();
      for (long s = 5; s < next; s++) {
        Path target = dir.resolve("until-" + s);
        JournalRestoreReport report = backups().restore(new JournalPoint.Sequence(s), target);
        assertThat(report.nextSequence()).isBetween(s, s + 1); // of a batch all or none
        requireSound(target, 5, report.nextSequence());
      }
      assertThatThrownBy(() -> backups().restore(new JournalPoint.Sequence(4), dir.resolve("x")))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("choose an earlier backup");
      assertThatThrownBy(() -> backups().restore(new JournalPoint.Sequence(next), dir.resolve("x")))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("No backup in")
          .hasMessageContaining("reaches record " + next);
      assertThat(dir.resolve("x")).doesNotExist();
    }
  }

  @Test
  void aBatchThatWasCutIsWholeUpToTheCut() {
    try (Journal journal = builder().open()) {
      journal.appendAll(List.of(record(0), record(1), record(2)));
      journal.truncateAfter(1);
      JournalBackup full = backups().take(journal);
      requireRestored(full, 0, 2);
      append(journal, 3);
      requireRestored(backups().take(journal, INCREMENTAL), 0, journal.nextSequence());
      Path target = dir.resolve("until");
      assertThat(backups().restore(new JournalPoint.Sequence(1), target).nextSequence())
          .isEqualTo(2);
      requireSound(target, 0, 2);
      JournalPoint.Sequence second = new JournalPoint.Sequence(1);
      JournalBackup last = backups().newest();
      Path other = dir.resolve("other");
      assertThat(backups().restore(last, second, other, BackupProgress.NONE).nextSequence())
          .isEqualTo(2);
      requireSound(other, 0, 2);
    }
  }

  @Test
  void aTimeIsRestored() {
    try (Journal journal =
        builder().timestamps().clock((sequence, last) -> 1_000 + sequence * 10).open()) {
      append(journal, 200);
      backups().take(journal);
      for (long s : new long[] {0, 1, 57, 150}) {
        Path target = dir.resolve("time-" + s);
        Instant time = Instant.ofEpochMilli(1_000 + s * 10 + 3);
        JournalRestoreReport report = backups().restore(new JournalPoint.Time(time), target);
        assertThat(report.nextSequence()).isBetween(s, s + 1);
        requireSound(target, 0, report.nextSequence());
      }
      assertThatThrownBy(
              () ->
                  backups()
                      .restore(new JournalPoint.Time(Instant.ofEpochMilli(500)), dir.resolve("x")))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("choose an earlier backup");
    }
  }

  @Test
  void recordsWithoutTimesHaveNoTime() {
    try (Journal journal = builder().open()) {
      append(journal, 20);
      Instant now = Instant.now();
      backups().take(journal);
      assertThatThrownBy(
              () ->
                  backups()
                      .restore(
                          backups().newest(),
                          new JournalPoint.Time(now),
                          dir.resolve("x"),
                          BackupProgress.NONE))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("no times");
    }
  }

  @Test
  void aRestoreNeverOverwrites() throws IOException {
    try (Journal journal = builder().open()) {
      append(journal, 20);
      JournalBackup backup = backups().take(journal);
      Path target = requireRestored(backup, 0, journal.nextSequence());
      assertThatThrownBy(() -> backups().restore(backup, target))
          .isInstanceOf(ForeignException.class)
          .hasMessageContaining("nothing was changed");
      Path other = Files.createDirectory(dir.resolve("other"));
      Files.writeString(other.resolve("mine"), "x");
      assertThatThrownBy(() -> backups().restore(backup, other))
          .isInstanceOf(ForeignException.class)
          .hasMessageContaining("mine");
    }
  }

  @Test
  void anInterruptedRestoreIsNoJournal() throws IOException {
    try (Journal journal = builder().open()) {
      append(journal, 200);
      JournalBackup backup = backups().take(journal);
      Path target = dir.resolve("target");
      int[] calls = {0};
      assertThatThrownBy(
              () ->
                  backups()
                      .restore(
                          backup,
                          new JournalPoint.OfBackup(),
                          target,
                          (what, part) -> {
                            if (part == 1 && calls[0]++ == 1) { // the first time it is checked
                              throw new IllegalStateException("stop");
                            }
                          }))
          .hasMessage("stop");
      assertThatThrownBy(() -> Journal.open(target))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("repeat it");
      assertThatThrownBy(() -> Journal.builder(target).readOnly().open())
          .isInstanceOf(BackupException.class);
      backups().restore(backup, target);
      requireSound(target, 0, backup.nextSequence());
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(dir.resolve("backups"))) {
      return all.filter(f -> f.toString().endsWith(".journal")).sorted().toList();
    }
  }

  @Test
  void everyDamagedByteIsNamed() throws IOException {
    JournalBackup backup;
    try (Journal journal = builder().open()) {
      append(journal, 12);
      backup = backups().take(journal);
    }
    Path file = files().getFirst();
    byte[] good = Files.readAllBytes(file);
    for (int at = 0; at < good.length; at += at < 800 ? 1 : 97) {
      if (at >= 76 && at < 80) {
        continue; // unused
      }
      byte[] bad = good.clone();
      bad[at] ^= 0x10;
      Files.write(file, bad);
      assertThatThrownBy(() -> backups().verify(backup, BackupProgress.NONE))
          .as("byte %s", at)
          .satisfies(e -> assertThat(e.getMessage()).contains(dir.resolve("backups").toString()));
      assertThatThrownBy(() -> backups().restore(backup, dir.resolve("x")))
          .as("byte %s", at)
          .hasMessageContaining(dir.resolve("backups").toString());
      assertThat(dir.resolve("x")).doesNotExist();
    }
    Files.write(file, java.util.Arrays.copyOf(good, good.length - 1));
    assertThatThrownBy(() -> backups().list())
        .isInstanceOf(BackupException.class)
        .hasMessageContaining(file.getFileName().toString());
  }

  @Test
  void aMissingLinkIsNamed() throws IOException {
    try (Journal journal = builder().open()) {
      backups().take(journal);
      append(journal, 10);
      JournalBackup middle = backups().take(journal, INCREMENTAL);
      append(journal, 10);
      JournalBackup last = backups().take(journal, INCREMENTAL);
      Files.delete(dir.resolve("backups").resolve(middle.name()));
      assertThatThrownBy(() -> backups().restore(last, dir.resolve("x")))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining(middle.id().toString());
      assertThat(dir.resolve("x")).doesNotExist();
    }
  }

  @Test
  void oldBackupsAreDeleted() {
    try (Journal journal = builder().open()) {
      JournalBackup first = backups().take(journal);
      append(journal, 10);
      JournalBackup second = backups().take(journal, INCREMENTAL);
      JournalBackup third = backups().take(journal);
      append(journal, 10);
      JournalBackup fourth = backups().take(journal, INCREMENTAL);
      assertThat(backups().keep(2)).isEmpty();
      assertThat(backups().keep(1)).containsExactly(first, second);
      assertThat(backups().list()).containsExactly(third, fourth);
      requireRestored(fourth, 0, journal.nextSequence());
    }
  }

  @Test
  void mistakesAreExplained() {
    Journal closed;
    try (Journal journal = builder().open()) {
      closed = journal;
      assertThatThrownBy(() -> journal.backup(dir.resolve("journal/backups")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("together with the journal");
      append(journal, 3);
      try (Journal reader = builder().readOnly().open()) {
        assertThatThrownBy(() -> backups().take(reader))
            .isInstanceOf(ReadOnlyException.class)
            .hasMessageContaining("(EH-JOURNAL-READ-ONLY)");
      }
    }
    assertThatThrownBy(() -> backups().take(closed))
        .isInstanceOf(ClosedException.class)
        .hasMessageContaining("(EH-JOURNAL-CLOSED)");
  }

  @Test
  void nothingDamagedIsCopied() throws IOException {
    Path segment;
    try (Journal journal = builder().open()) {
      journal.append(new byte[1000]);
      append(journal, 400);
      segment = Path.of(journal.segments()[0].path());
    }
    byte[] bytes = Files.readAllBytes(segment);
    bytes[4500] ^= 1;
    Files.write(segment, bytes);
    try (Journal journal = builder().open()) {
      assertThatThrownBy(() -> backups().take(journal))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("(EH-CORRUPT-JOURNAL)")
          .hasMessageContaining(segment.getFileName().toString());
      assertThat(backups().list()).isEmpty();
    }
  }

  @Test
  void recordsOfSeveralPiecesAreCopied() {
    byte[] large = new byte[5 << 20];
    new Random(1).nextBytes(large);
    try (Journal journal = builder().open()) {
      journal.append(large);
      journal.append(new byte[1]);
      JournalBackup full = backups().take(journal);
      journal.append(large);
      JournalBackup more = backups().take(journal, INCREMENTAL);
      assertThat(full.bytes()).isBetween(5L << 20, 6L << 20);
      assertThat(more.bytes()).isBetween(5L << 20, 6L << 20);
      Path target = dir.resolve("large");
      backups().restore(more, target);
      try (Journal copy = Journal.open(target)) {
        assertThat(copy.read(0)).isEqualTo(large);
        assertThat(copy.read(2)).isEqualTo(large);
        assertThat(copy.nextSequence()).isEqualTo(3);
      }
    }
  }

  @Test
  void aCloseMeanwhileEndsABackup() {
    try (Journal journal = builder().open()) {
      append(journal, 200);
      assertThatThrownBy(
              () -> backups().take(journal, Backup.Kind.FULL, 0, (what, part) -> closeNow(journal)))
          .isInstanceOf(ClosedException.class)
          .hasMessageContaining("(EH-JOURNAL-CLOSED)");
      assertThat(backups().list()).isEmpty();
    }
  }

  private static void closeNow(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
