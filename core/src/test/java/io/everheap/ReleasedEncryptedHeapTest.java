package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.encryption.Plaintext;
import io.everheap.error.EncryptionException;
import io.everheap.report.VerifyProgress;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Encrypted heaps that a release closed or that were killed are read and written with their key.
 */
@Campaign
class ReleasedEncryptedHeapTest {
  private static final String RELEASES = "io.everheap.support.release.Release#all";

  @TempDir Path dir;

  private HeapBuilder builder(Release release) throws IOException {
    return Heap.builder(dir).mustExist().encrypt(KeyProvider.of(release.key()));
  }

  private void unzipClosed(Release release) throws IOException {
    release.unzip(ReleasedFiles.ENCRYPTED + "-" + ReleasedFiles.CLOSED, dir);
  }

  private static void requireSecrets(Heap heap, int time) {
    assertThat(ReleasedFiles.secrets(heap)).hasSize(ReleasedFiles.SECRETS);
    for (int key = 0; key < ReleasedFiles.SECRETS; key++) {
      assertThat(ReleasedFiles.secrets(heap))
          .containsEntry("\u06f0" + key, ReleasedFiles.secret(key, time));
    }
  }

  private void requireWritable(Release release) throws IOException {
    try (Heap heap = builder(release).open()) {
      for (int key = 0; key < ReleasedFiles.SECRETS; key++) {
        assertThat(ReleasedFiles.secrets(heap).remove("\u06f0" + key)).isNotNull();
      }
      ReleasedFiles.secrets(heap).put("new", ReleasedFiles.SECRET.repeat(1000));
    }
    Plaintext.requireNone(dir, ReleasedFiles.SECRET);
    try (Heap heap = builder(release).open()) {
      assertThat(ReleasedFiles.secrets(heap))
          .hasSize(1)
          .containsEntry("new", ReleasedFiles.SECRET.repeat(1000));
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource(RELEASES)
  void oneThatWasClosedIsReadAndWritten(Release release) throws IOException {
    unzipClosed(release);
    assertThat(builder(release).verify(VerifyProgress.NONE).problems()).isEmpty();
    try (Heap heap = builder(release).readOnly().open()) {
      assertThat(ReleasedFiles.contents(heap)).isEqualTo(release.contents(ReleasedFiles.ENCRYPTED));
      assertThat(heap.stats().recovery().clean()).isTrue();
      requireSecrets(heap, 1);
    }
    requireWritable(release);
  }

  @ParameterizedTest
  @MethodSource(RELEASES)
  void oneWhoseProcessWasKilledIsRecovered(Release release) throws IOException {
    unzipClosed(release);
    release.unzip(ReleasedFiles.ENCRYPTED + "-" + ReleasedFiles.KILLED, dir);
    try (Heap heap = builder(release).open()) {
      assertThat(heap.stats().recovery().clean()).isFalse();
      requireSecrets(heap, 3);
      assertThat(heap.verify().problems()).isEmpty();
    }
    requireWritable(release);
  }

  @ParameterizedTest
  @MethodSource(RELEASES)
  void anotherKeyOpensNothing(Release release) throws IOException {
    unzipClosed(release);
    byte[] other = release.key();
    other[0]++;
    assertThatThrownBy(() -> Heap.builder(dir).encrypt(KeyProvider.of(other)).open())
        .isInstanceOf(EncryptionException.class);
  }
}
