package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.encryption.Plaintext;
import io.everheap.error.EncryptionException;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Heaps whose encrypted files have version 1 are used as they are, and upgraded. */
@Campaign
class UpgradedHeapTest {
  private static final String RELEASES = "io.everheap.support.release.Release#all";

  @TempDir Path temp;

  private Path heap() {
    return temp.resolve("heap");
  }

  private HeapBuilder builder(Release release) throws IOException {
    return Heap.builder(heap()).mustExist().encrypt(KeyProvider.of(release.key()));
  }

  private void unzip(Release release) throws IOException {
    release.unzip(ReleasedFiles.ENCRYPTED + "-" + ReleasedFiles.CLOSED, heap());
  }

  private boolean upgrade(Release release) throws IOException {
    return HeapKeys.upgrade(heap(), KeyProvider.of(release.key()), BackupProgress.NONE);
  }

  private int version(Release release) throws IOException {
    try (Heap heap = builder(release).readOnly().open()) {
      return heap.stats().encryptionVersion();
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(heap())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource(RELEASES)
  void aHeapKeepsItsVersionUntilItIsUpgraded(Release release) throws IOException {
    unzip(release);
    assertThat(version(release)).isEqualTo(1);
    HeapAnchor anchor;
    try (Heap heap = builder(release).open()) {
      ReleasedFiles.secrets(heap).put("more", "a value");
      anchor = HeapAnchor.of(heap);
    }
    assertThat(version(release)).as("written by this build").isEqualTo(1);
    assertThat(names()).doesNotContain("heap.round");
    assertThat(upgrade(release)).isTrue();
    assertThat(version(release)).isEqualTo(2);
    assertThat(names()).contains("heap.round", "heap.root").doesNotContain("converting");
    assertThat(upgrade(release)).as("again").isFalse();
    try (Heap heap = builder(release).notOlderThan(anchor).open()) {
      assertThat(ReleasedFiles.secrets(heap)).hasSize(ReleasedFiles.SECRETS + 1);
      assertThat(ReleasedFiles.secrets(heap)).containsEntry("more", "a value");
      assertThat(heap.verify().problems()).isEmpty();
    }
    Plaintext.requireNone(heap(), ReleasedFiles.SECRET);
  }

  @ParameterizedTest
  @MethodSource(RELEASES)
  void oneThatWasKilledIsRecoveredAndUpgraded(Release release) throws IOException {
    unzip(release);
    release.unzip(ReleasedFiles.ENCRYPTED + "-" + ReleasedFiles.KILLED, heap());
    assertThat(upgrade(release)).isTrue();
    assertThat(version(release)).isEqualTo(2);
    try (Heap heap = builder(release).open()) {
      assertThat(ReleasedFiles.secrets(heap)).hasSize(ReleasedFiles.SECRETS);
      for (int key = 0; key < ReleasedFiles.SECRETS; key++) {
        assertThat(ReleasedFiles.secrets(heap))
            .containsEntry("\u06f0" + key, ReleasedFiles.secret(key, 3));
      }
    }
  }

  @ParameterizedTest
  @MethodSource(RELEASES)
  void anotherKeyChangesNothing(Release release) throws IOException {
    unzip(release);
    List<String> before = names();
    byte[] other = release.key();
    other[0]++;
    assertThatThrownBy(() -> HeapKeys.upgrade(heap(), KeyProvider.of(other), BackupProgress.NONE))
        .isInstanceOf(EncryptionException.class);
    assertThat(names()).containsAll(before);
    assertThat(version(release)).isEqualTo(1);
  }

  /** A full backup before the upgrade, an incremental one after it. */
  @ParameterizedTest
  @MethodSource(RELEASES)
  void backupsGoOn(Release release) throws IOException {
    unzip(release);
    KeyProvider key = KeyProvider.of(release.key());
    Backups backups = Backups.in(temp.resolve("backups")).encrypt(key);
    try (Heap heap = builder(release).open()) {
      backups.take(heap);
      ReleasedFiles.secrets(heap).put("before", "the upgrade");
    }
    upgrade(release);
    try (Heap heap = builder(release).open()) {
      ReleasedFiles.secrets(heap).put("after", "the upgrade");
      backups.take(heap, Backup.Kind.INCREMENTAL);
    }
    assertThat(backups.list())
        .extracting(Backup::kind)
        .containsExactly(Backup.Kind.FULL, Backup.Kind.INCREMENTAL);
    int size = ReleasedFiles.SECRETS;
    for (Backup backup : backups.list()) {
      Path target = temp.resolve("restored " + size);
      backups.restore(backup, target);
      try (Heap heap = Heap.builder(target).mustExist().encrypt(key).open()) {
        assertThat(heap.stats().encryptionVersion()).isEqualTo(2);
        assertThat(ReleasedFiles.secrets(heap)).hasSize(size);
        assertThat(heap.verify().problems()).isEmpty();
      }
      size += 2;
    }
  }
}
