package io.everheap.salvage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.report.VerifyProgress;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is saved of damaged encrypted heaps. */
@Campaign
class EncryptedSalvageTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final String SECRET = "a secret that nobody may read";
  private static final int HEADER = 4096;
  private static final int STORED = 9 * 512;
  private static final int ENTRIES = 3000;

  @TempDir Path dir;

  private void fill() {
    try (Heap heap = Heap.builder(dir.resolve("heap")).encrypt(KEY).open()) {
      var map = heap.map("m", Integer.class, String.class);
      for (int i = 0; i < ENTRIES; i++) {
        map.put(i, SECRET + i);
      }
    }
  }

  private SalvageReport salvage(VerifyProgress progress) {
    return Salvage.run(dir.resolve("heap"), dir.resolve("saved"), KEY, progress);
  }

  /** Also not in the copy that is made, which is why the files are searched all the time. */
  private void noPlaintext() {
    try {
      Files.walkFileTree(
          dir,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
                  .as(file.toString())
                  .doesNotContain(SECRET.substring(0, 8));
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (NoSuchFileException e) {
      noPlaintext(); // files were made and got other names meanwhile
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<Integer, String> saved(Heap heap) {
    return heap.map("m", Integer.class, String.class);
  }

  @Test
  void aSoundHeapIsSavedWholly() throws IOException {
    fill();
    int[] searched = {0};
    SalvageReport report =
        salvage(
            (what, part) -> {
              if (searched[0]++ < 5) {
                noPlaintext();
              }
            });
    noPlaintext();
    assertThat(report.complete()).isTrue();
    assertThat(dir.resolve("saved.salvage")).doesNotExist();
    assertThat(Files.readAllBytes(dir.resolve("saved/keys")))
        .isNotEqualTo(Files.readAllBytes(dir.resolve("heap/keys")));
    try (Heap heap = Heap.builder(dir.resolve("saved")).encrypt(KEY).open()) {
      assertThat(saved(heap)).hasSize(ENTRIES).containsEntry(7, SECRET + 7);
    }
  }

  /** Sectors of pages, of checksums and of the log, and a superblock. */
  @Test
  void whatIsNotAuthenticIsNamedAndTheRestIsSaved() throws IOException {
    fill();
    Path home = dir.resolve("heap/heap");
    byte[] bytes = Files.readAllBytes(home);
    bytes[HEADER + 100] ^= 1; // a superblock
    int damaged = 0;
    for (int at = HEADER + 256 * STORED; at + STORED <= bytes.length && damaged < 4; at += STORED) {
      if (bytes[at + 8] != 0 && damaged++ >= 0) {
        bytes[at + 200] ^= 1;
      }
    }
    assertThat(damaged).isEqualTo(4);
    Files.write(home, bytes);
    SalvageReport report = salvage(VerifyProgress.NONE);
    assertThat(report.complete()).isFalse();
    assertThat(report.unreadable()).hasSize(5).allMatch(range -> range.file().equals("heap"));
    noPlaintext();
    try (Heap heap = Heap.builder(dir.resolve("saved")).encrypt(KEY).open()) {
      assertThat(saved(heap).size()).isBetween(ENTRIES / 2, ENTRIES);
    }
  }

  @Test
  void withoutTheRightKeyNothingIsSaved() throws IOException {
    fill();
    byte[] other = new byte[32];
    other[0] = 1;
    assertThatThrownBy(
            () ->
                Salvage.run(
                    dir.resolve("heap"),
                    dir.resolve("saved"),
                    KeyProvider.of(other),
                    VerifyProgress.NONE))
        .isInstanceOf(EncryptionException.class);
    assertThatThrownBy(
            () -> Salvage.run(dir.resolve("heap"), dir.resolve("saved"), VerifyProgress.NONE))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("--key");
    Files.delete(dir.resolve("heap/keys"));
    assertThatThrownBy(() -> salvage(VerifyProgress.NONE))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("the file keys there, which has their data key, is missing");
    assertThatThrownBy(
            () -> Salvage.run(dir.resolve("heap"), dir.resolve("saved"), VerifyProgress.NONE))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("the file keys there, which has their data key, is missing");
    assertThat(dir.resolve("saved")).doesNotExist();
    assertThat(dir.resolve("saved.salvage")).doesNotExist();
  }
}
