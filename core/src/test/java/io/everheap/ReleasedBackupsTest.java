package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.encryption.Plaintext;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A full backup of a release, its incremental ones and its archive are restored, plain and
 * encrypted, and the directory takes backups of this build.
 */
@Campaign
class ReleasedBackupsTest {
  @TempDir Path dir;

  private static Stream<Arguments> directories() {
    return Release.all().stream()
        .flatMap(r -> Stream.of(Arguments.of(r, false), Arguments.of(r, true)));
  }

  private static String name(boolean encrypted) {
    return ReleasedFiles.BACKUPS + (encrypted ? "-" + ReleasedFiles.ENCRYPTED : "");
  }

  private Backups unzip(Release release, boolean encrypted) throws IOException {
    Path directory = dir.resolve("backups");
    release.unzip(name(encrypted), directory);
    Backups backups = Backups.in(directory);
    return encrypted ? backups.encrypt(KeyProvider.of(release.key())) : backups;
  }

  private static HeapBuilder heap(Path directory, Release release, boolean encrypted)
      throws IOException {
    HeapBuilder builder = Heap.builder(directory).mustExist();
    return encrypted ? builder.encrypt(KeyProvider.of(release.key())) : builder;
  }

  /** Requires the entries of all stages up to one, and no others. */
  private static void requireStage(Heap heap, int stage) {
    int entries = ReleasedFiles.STAGES[stage];
    assertThat(ReleasedFiles.numbers(heap)).hasSize(entries);
    for (int i = 0; i < entries; i++) {
      assertThat(ReleasedFiles.numbers(heap))
          .containsEntry(ReleasedFiles.key(i), ReleasedFiles.record(i));
    }
    assertThat(heap.verify().problems()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("directories")
  void everyBackupOfTheChainIsRestored(Release release, boolean encrypted) throws IOException {
    Backups backups = unzip(release, encrypted);
    List<Backup> all = backups.list();
    assertThat(all)
        .extracting(Backup::kind)
        .containsExactly(Backup.Kind.FULL, Backup.Kind.INCREMENTAL, Backup.Kind.INCREMENTAL);
    for (int stage = 0; stage < all.size(); stage++) {
      backups.verify(all.get(stage), BackupProgress.NONE);
      Path target = dir.resolve("stage " + stage);
      backups.restore(all.get(stage), target);
      try (Heap heap = heap(target, release, encrypted).open()) {
        requireStage(heap, stage);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("directories")
  void theArchiveReachesTransactionsAfterTheBackups(Release release, boolean encrypted)
      throws IOException {
    Backups backups = unzip(release, encrypted);
    long lsn = Long.parseLong(release.contents(name(encrypted)).get("lsn of stage 3"));
    Path then = dir.resolve("then");
    backups.restore(new RestorePoint.Lsn(lsn), then);
    try (Heap heap = heap(then, release, encrypted).open()) {
      requireStage(heap, 3);
    }
    Path newest = dir.resolve("newest");
    backups.restore(new RestorePoint.Newest(), newest);
    try (Heap heap = heap(newest, release, encrypted).open()) {
      requireStage(heap, 4);
      backups.take(heap);
    }
    assertThat(backups.list()).hasSize(4);
    if (encrypted) {
      Plaintext.requireNone(dir, "record ");
    }
  }
}
