package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.backup.BackupFiles;
import io.everheap.backup.Pace;
import io.everheap.error.BackupException;
import io.everheap.memory.FileMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A copy of a journal asks for its state by several calls, and others change it between them. */
class JournalCopyTest {
  private static final int RECORDS = 400;

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"state", "durable", "segments", "first", "location"})
  void recordsReleasedBeforeACallAreLeftOut(String call) {
    try (Journal journal = journal()) {
      long released = RECORDS / 2;
      JournalBackup backup =
          backup(journal, before(call, journal, () -> journal.truncateBefore(released)));
      assertThat(backup.nextSequence()).isEqualTo(RECORDS);
      assertThat(backup.firstSequence()).isLessThanOrEqualTo(released);
      requireRestored(backup);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"durable", "segments"})
  void recordsAppendedAndReleasedBeforeACallAreLeftOut(String call) {
    try (Journal journal = journal()) {
      JournalBackup backup =
          backup(
              journal,
              before(
                  call,
                  journal,
                  () -> {
                    append(journal, RECORDS);
                    journal.truncateBefore(RECORDS + RECORDS / 2);
                  }));
      assertThat(backup.nextSequence()).isBetween((long) RECORDS, 2L * RECORDS);
      requireRestored(backup);
    }
  }

  @Test
  void aCopyWhoseSegmentsAreAllReleasedBeforeItIsRefused() {
    try (Journal journal = journal()) {
      RecordSource source =
          before(
              "first",
              journal,
              () -> {
                append(journal, RECORDS);
                journal.truncateBefore(RECORDS + RECORDS / 2);
              });
      assertThatThrownBy(() -> backup(journal, source))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("released before they were copied");
    }
  }

  @Test
  void aJournalWhoseSegmentsAreAllCutOffIsRefused() {
    try (Journal journal = journal()) {
      RecordSource source = journal.source();
      RecordSource cut =
          proxy((method, arguments) -> method.equals("segments") ? new Segment[0] : null, source);
      assertThatThrownBy(() -> backup(journal, cut))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("repeat it");
    }
  }

  private Journal journal() {
    Journal journal = Journal.builder(dir.resolve("journal")).segmentSize(16 << 10).open();
    append(journal, RECORDS);
    return journal;
  }

  private static void append(Journal journal, int count) {
    for (int i = 0; i < count; i += 20) {
      long next = journal.nextSequence();
      journal.appendAll(LongStream.range(next, next + 20).mapToObj(s -> record(s)).toList());
    }
  }

  private static byte[] record(long sequence) {
    return ByteBuffer.allocate(300).putLong(0, sequence).array();
  }

  private JournalBackup backup(Journal journal, RecordSource source) {
    BackupFiles<JournalBackup> files =
        new BackupFiles<>(
            JournalBackupLayout.FORMAT,
            () -> FileMedium.open(dir.resolve("backups"), false, true),
            () -> FileMedium.watch(dir.resolve("backups")),
            JournalBackupLayout::describe,
            JournalBackupLayout::head);
    UUID id = UUID.randomUUID();
    Instant now = Instant.EPOCH;
    UUID origin = journal.source().state().uuid();
    return files.writing(
        target -> {
          files.add(
              target,
              id,
              null,
              now,
              out -> {
                out.header(Backup.Kind.FULL, origin, id, null, now.toEpochMilli());
                new JournalCopy(source, out, new Pace(0), BackupProgress.NONE).run(null);
              });
          return JournalBackupLayout.describe(target, files.name(id, null, now));
        });
  }

  private void requireRestored(JournalBackup backup) {
    Path target = dir.resolve("restored");
    JournalBackups.in(dir.resolve("backups")).restore(backup, target);
    assertThat(JournalCheck.verify(target).problems()).isEmpty();
    try (Journal copy = Journal.builder(target).readOnly().open()) {
      assertThat(copy.firstSequence()).isEqualTo(backup.firstSequence());
      assertThat(copy.nextSequence()).isEqualTo(backup.nextSequence());
      for (long s = copy.firstSequence(); s < copy.nextSequence(); s++) {
        assertThat(copy.read(s)).isEqualTo(record(s));
      }
    }
  }

  /** The source of a journal, with an action before the first call of a method. */
  private static RecordSource before(String call, Journal journal, Runnable action) {
    boolean[] done = {false};
    return proxy(
        (method, arguments) -> {
          if (method.equals(call) && !done[0]) {
            done[0] = true;
            action.run();
          }
          return null;
        },
        journal.source());
  }

  private interface Answer {
    /** Null to ask the source itself. */
    Object to(String method, Object[] arguments);
  }

  private static RecordSource proxy(Answer answer, RecordSource source) {
    return (RecordSource)
        Proxy.newProxyInstance(
            RecordSource.class.getClassLoader(),
            new Class<?>[] {RecordSource.class},
            (self, method, arguments) -> {
              Object own = answer.to(method.getName(), arguments);
              if (own != null) {
                return own;
              }
              try {
                return method.invoke(source, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
