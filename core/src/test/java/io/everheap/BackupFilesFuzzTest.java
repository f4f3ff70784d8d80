package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.backup.SectionLayout;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EverheapException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalBackups;
import io.everheap.journal.JournalPoint;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.support.fuzz.Checksums;
import io.everheap.support.fuzz.Directories;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.fuzz.Mutation;
import io.everheap.support.fuzz.Mutator;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every file in a directory of backups of a heap or of a journal: full, incremental, archives. What
 * is verified and restored without right checksums is what was backed up.
 */
@Campaign
class BackupFilesFuzzTest {
  private static final long MOST_STORED = 64L << 20;
  private static final int END_DATA = 24;
  private static final Release RELEASE = Release.all().getFirst();

  @TempDir Path temp;

  private Path directory() {
    return temp.resolve("backups");
  }

  private Path target() {
    return temp.resolve("restored");
  }

  private Fuzz<SequencedMap<String, byte[]>> fuzz(
      String target, int inputs, String corpus, Mutation<SequencedMap<String, byte[]>> mutation)
      throws IOException {
    return Fuzz.files(target, mutation)
        .from(RELEASE.contents(corpus, temp.resolve("corpus")))
        .inputs(inputs)
        .stored(target(), MOST_STORED)
        .allow(EverheapException.class::isInstance);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void backupsOfHeapsAsTheyAre(boolean encrypted) throws IOException {
    String kind = encrypted ? "-encrypted" : "";
    @Nullable KeyProvider key = encrypted ? KeyProvider.of(RELEASE.key()) : null;
    fuzz("backup" + kind + "-raw", 8, "backups" + kind, Mutation.files(name -> true))
        .run(input -> useHeaps(input, key, true));
  }

  @Test
  void backupsOfHeapsWithRightChecksums() throws IOException {
    fuzz("backup-sections", 12, "backups", BackupFilesFuzzTest::sections)
        .run(input -> useHeaps(input, null, false));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void backupsOfJournalsAsTheyAre(boolean encrypted) throws IOException {
    String kind = encrypted ? "-encrypted" : "";
    @Nullable KeyProvider key = encrypted ? KeyProvider.of(RELEASE.key()) : null;
    fuzz("journal-backup" + kind + "-raw", 20, "journal-backups" + kind, Mutation.files(n -> true))
        .run(input -> useJournals(input, key, true));
  }

  @Test
  void backupsOfJournalsWithRightChecksums() throws IOException {
    fuzz("journal-backup-sections", 25, "journal-backups", BackupFilesFuzzTest::sections)
        .run(input -> useJournals(input, null, false));
  }

  // ---- Mutations ----------------------------------------------------------------------------

  /** Changes the header or some sections of one backup, or times of the archive. */
  private static SequencedMap<String, byte[]> sections(
      SequencedMap<String, byte[]> input, SequencedMap<String, byte[]> other, Mutator mutator) {
    SequencedMap<String, byte[]> files = new TreeMap<>(input);
    List<String> names = files.keySet().stream().filter(name -> !name.contains("/log/")).toList();
    String name = names.get(mutator.random().nextInt(names.size()));
    byte[] bytes = files.get(name);
    if (name.endsWith("/times")) {
      bytes = mutator.mutateRange(bytes, 0, 16);
      Checksums.crc32c(bytes, 0, 16);
    } else {
      bytes = sections(bytes, mutator);
    }
    files.put(name, bytes);
    return files;
  }

  private static byte[] sections(byte[] old, Mutator mutator) {
    byte[] bytes = old.clone();
    if (mutator.random().nextInt(4) == 0) {
      bytes = mutator.mutateRange(bytes, 0, 72);
      Checksums.crc32c(bytes, 0, 72);
    }
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> starts = new ArrayList<>();
    for (int at = SectionLayout.HEADER; at + SectionLayout.HEAD <= bytes.length; ) {
      starts.add(at);
      at += SectionLayout.HEAD + (int) b.getLong(at + 24);
    }
    int changed = mutator.random().nextInt(starts.size());
    if (mutator.random().nextInt(3) == 0) {
      changed = mutator.random().nextBoolean() ? 0 : starts.size() - 1;
    }
    for (int i = 0; i < starts.size(); i++) {
      int at = starts.get(i);
      int end = i + 1 < starts.size() ? starts.get(i + 1) : bytes.length;
      if (i == changed) {
        int to = mutator.random().nextBoolean() ? at + SectionLayout.HEAD : end;
        byte[] mutated = mutator.mutateRange(bytes, at, to);
        System.arraycopy(mutated, at, bytes, at, to - at);
      }
      seal(b, at, end);
    }
    return bytes;
  }

  private static void seal(ByteBuffer b, int at, int end) {
    var crc = new CRC32C();
    crc.update(b.slice(at, 4));
    crc.update(b.slice(at + 8, end - at - 8));
    if (b.getInt(at) == SectionLayout.END && end - at == SectionLayout.HEAD + END_DATA) {
      crc.update(b.slice(72, 4));
    }
    b.putInt(at + 4, (int) crc.getValue());
  }

  // ---- The oracle ---------------------------------------------------------------------------

  private void useHeaps(
      SequencedMap<String, byte[]> input, @Nullable KeyProvider key, boolean exact) {
    Path directory = Directories.write(input, directory());
    Backups backups = key == null ? Backups.in(directory) : Backups.in(directory).encrypt(key);
    List<Backup> all = backups.list();
    for (Backup backup : all) {
      attempt(() -> backups.verify(backup, BackupProgress.NONE));
    }
    if (!all.isEmpty()) {
      attempt(() -> backups.restore(all.getLast(), emptied()));
      requireHeap(key, exact);
    }
    attempt(() -> backups.restore(new RestorePoint.Newest(), emptied()));
    requireHeap(key, exact);
  }

  private Path emptied() {
    Directories.delete(target());
    return target();
  }

  private void requireHeap(@Nullable KeyProvider key, boolean exact) {
    attempt(
        () -> {
          HeapBuilder builder = Heap.builder(target()).mustExist();
          try (Heap heap = (key == null ? builder : builder.encrypt(key)).open()) {
            if (exact) {
              requireStage(ReleasedFiles.numbers(heap));
              assertThat(heap.verify().problems()).isEmpty();
            } else {
              heap.verify();
              heap.roots().forEach(root -> heap.entries(root.name()).forEach(entry -> {}));
            }
          }
        });
  }

  /** All entries of one of the stages that were backed up. */
  private static void requireStage(Map<String, String> numbers) {
    assertThat(ReleasedFiles.STAGES).contains(numbers.size());
    for (int i = 0; i < numbers.size(); i++) {
      assertThat(numbers).containsEntry(ReleasedFiles.key(i), ReleasedFiles.record(i));
    }
  }

  private void useJournals(
      SequencedMap<String, byte[]> input, @Nullable KeyProvider key, boolean exact) {
    Path directory = Directories.write(input, directory());
    JournalBackups backups =
        key == null ? JournalBackups.in(directory) : JournalBackups.in(directory).encrypt(key);
    List<JournalBackup> all = backups.list();
    for (JournalBackup backup : all) {
      attempt(() -> backups.verify(backup, BackupProgress.NONE));
    }
    if (!all.isEmpty()) {
      attempt(() -> backups.restore(all.getLast(), emptied()));
      requireRecords(key, exact);
    }
    attempt(() -> backups.restore(new JournalPoint.Sequence(110), emptied()));
    requireRecords(key, exact);
  }

  private void requireRecords(@Nullable KeyProvider key, boolean exact) {
    attempt(
        () -> {
          var builder = Journal.builder(target()).segmentSize(32 << 10).mustExist();
          try (Journal journal = (key == null ? builder : builder.encrypt(key)).open()) {
            Map<Long, String> records = ReleasedFiles.records(journal);
            if (exact) {
              records.forEach(
                  (sequence, record) ->
                      assertThat(record).isEqualTo(ReleasedFiles.record(sequence.intValue())));
            }
          }
        });
  }

  private static void attempt(Runnable action) {
    try {
      action.run();
    } catch (EverheapException e) {
      assertThat(e.code()).startsWith("EH-");
      assertThat(e.getMessage()).isNotBlank();
    }
  }
}
