package io.everheap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalBackups;
import io.everheap.journal.JournalBuilder;
import io.everheap.journal.JournalCheck;
import io.everheap.journal.JournalPoint;
import io.everheap.report.BackupProgress;
import io.everheap.report.VerifyProgress;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Journals of a release, with a cut in them, and their backups, plain and encrypted. */
@Campaign
class ReleasedJournalsTest {
  private static final long FIRST = 150;
  private static final long NEXT = 400;

  @TempDir Path dir;

  private static List<Arguments> journals() {
    List<Arguments> journals = new ArrayList<>();
    for (Release release : Release.all()) {
      for (String state : List.of(ReleasedFiles.CLOSED, ReleasedFiles.KILLED)) {
        journals.add(Arguments.of(release, state, false));
        journals.add(Arguments.of(release, state, true));
      }
    }
    return journals;
  }

  private static List<Arguments> backups() {
    return Release.all().stream()
        .flatMap(r -> List.of(Arguments.of(r, false), Arguments.of(r, true)).stream())
        .toList();
  }

  private static JournalBuilder builder(Path directory, Release release, boolean encrypted)
      throws IOException {
    JournalBuilder builder = Journal.builder(directory).mustExist();
    return encrypted ? builder.encrypt(KeyProvider.of(release.key())) : builder;
  }

  private static void requireRecords(Journal journal, long first, long next) {
    assertThat(journal.firstSequence()).isLessThanOrEqualTo(first);
    assertThat(journal.nextSequence()).isEqualTo(next);
    Map<Long, String> records = ReleasedFiles.records(journal);
    for (long i = first; i < next; i++) {
      assertThat(records).containsEntry(i, ReleasedFiles.record((int) i));
    }
  }

  @ParameterizedTest
  @MethodSource("journals")
  void aJournalIsReadAndWritten(Release release, String state, boolean encrypted)
      throws IOException {
    String kind = encrypted ? ReleasedFiles.ENCRYPTED : "plain";
    release.unzip(ReleasedFiles.JOURNAL + "-" + kind + "-" + state, dir);
    KeyProvider key = encrypted ? KeyProvider.of(release.key()) : null;
    for (int more = 0; more < 3; more++) {
      try (Journal journal = builder(dir, release, encrypted).open()) {
        assertThat(journal.info().recovered())
            .isEqualTo(more == 0 && state.equals(ReleasedFiles.KILLED));
        requireRecords(journal, FIRST, NEXT + more);
        journal.append(ReleasedFiles.record((int) NEXT + more).getBytes(UTF_8));
      }
      assertThat(check(key).problems()).isEmpty();
    }
  }

  private JournalCheck check(KeyProvider key) {
    return key == null
        ? JournalCheck.verify(dir)
        : JournalCheck.verify(dir, key, VerifyProgress.NONE);
  }

  @ParameterizedTest
  @MethodSource("backups")
  void everyBackupAndEveryRecordOfThemIsRestored(Release release, boolean encrypted)
      throws IOException {
    Path directory = dir.resolve("backups");
    release.unzip(
        ReleasedFiles.JOURNAL_BACKUPS + (encrypted ? "-" + ReleasedFiles.ENCRYPTED : ""),
        directory);
    JournalBackups backups = JournalBackups.in(directory);
    if (encrypted) {
      backups = backups.encrypt(KeyProvider.of(release.key()));
    }
    List<JournalBackup> all = backups.list();
    assertThat(all)
        .extracting(JournalBackup::nextSequence)
        .containsExactly(
            (long) ReleasedFiles.STAGES[0],
            (long) ReleasedFiles.STAGES[1],
            (long) ReleasedFiles.STAGES[2]);
    for (JournalBackup backup : all) {
      backups.verify(backup, BackupProgress.NONE);
      Path target = dir.resolve("of " + backup.nextSequence());
      backups.restore(backup, target);
      try (Journal journal = builder(target, release, encrypted).open()) {
        requireRecords(journal, 0, backup.nextSequence());
      }
    }
    Path target = dir.resolve("up to 110");
    backups.restore(new JournalPoint.Sequence(110), target);
    try (Journal journal = builder(target, release, encrypted).open()) {
      requireRecords(journal, 0, 111);
      backups.take(journal); // the directory takes backups of this build, too
    }
    assertThat(backups.list()).hasSize(4);
  }
}
