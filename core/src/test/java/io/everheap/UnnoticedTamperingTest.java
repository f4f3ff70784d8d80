package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.error.MissingException;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each gap that docs/encryption.md names: somebody without a key replaces files of an encrypted
 * heap, the heap is opened, and an anchor or a setting notices it.
 */
@Campaign
class UnnoticedTamperingTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int EARLY = 10;
  private static final int LATE = 20;

  @TempDir Path temp;

  private Map<String, byte[]> early; // of an open heap with the first entries
  private Map<String, byte[]> late; // of the same with all entries, as after a crash
  private HeapAnchor anchor;

  private Path heap() {
    return temp.resolve("heap");
  }

  private HeapBuilder builder() {
    return TestHeaps.builder(heap()).encrypt(KEY);
  }

  @BeforeEach
  void make() {
    try (Heap heap = builder().open()) {
      TestHeaps.put(heap, 0, EARLY);
      early = files(heap());
      TestHeaps.put(heap, EARLY, LATE);
      anchor = HeapAnchor.parse(HeapAnchor.of(heap).toString());
      late = files(heap());
    }
  }

  private static Map<String, byte[]> files(Path directory) {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(directory.relativize(file).toString(), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    files.remove("lock");
    files.remove("owner");
    return files;
  }

  private void replace(Map<String, byte[]> files) {
    try {
      for (String old : files(heap()).keySet()) {
        Files.delete(heap().resolve(old));
      }
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Files.write(heap().resolve(file.getKey()), file.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void expect(HeapBuilder builder, int entries) {
    try (Heap heap = builder.open()) {
      assertThat(TestHeaps.numbers(heap)).hasSize(entries);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  private void theAnchorRefuses() {
    assertThatThrownBy(() -> builder().notOlderThan(anchor).open())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("older than its anchor, or another one");
  }

  @Test
  void withoutTamperingTheAnchorAcceptsIt() {
    replace(late);
    expect(builder().notOlderThan(anchor), LATE);
  }

  @Test
  void theEndOfTheLogIsCutOff() {
    Map<String, byte[]> cut = new TreeMap<>(late);
    early.forEach(
        (file, bytes) -> {
          if (file.startsWith("log/")) {
            cut.put(file, bytes);
          }
        });
    replace(cut);
    theAnchorRefuses();
    expect(builder(), EARLY);
  }

  @Test
  void allFilesAreThoseOfAMomentBetweenTwoCheckpoints() {
    replace(early);
    theAnchorRefuses();
    expect(builder(), EARLY);
  }

  @Test
  void allFilesAreDeleted() {
    replace(Map.of());
    assertThatThrownBy(() -> builder().mustExist().open()).isInstanceOf(MissingException.class);
    assertThatThrownBy(() -> builder().notOlderThan(anchor).open())
        .isInstanceOf(MissingException.class);
    expect(builder(), 0);
  }

  @Test
  void allFilesAreThoseOfAnotherHeapWithTheWrappingKey() {
    Path other = temp.resolve("other");
    try (Heap heap = TestHeaps.builder(other).encrypt(KEY).open()) {
      TestHeaps.put(heap, 0, 3);
    }
    replace(files(other));
    theAnchorRefuses();
    expect(builder().mustExist(), 3);
  }

  /** It unwraps the same data key, but only with the wrapping key that was replaced. */
  @Test
  void theFileOfKeysIsThatFromBeforeARekey() throws IOException {
    byte[] before = Files.readAllBytes(heap().resolve("keys"));
    KeyProvider fresh = TestHeaps.key(2);
    EncryptedDirectory.rekey(heap(), KEY, fresh);
    Files.write(heap().resolve("keys"), before);
    assertThatThrownBy(() -> TestHeaps.builder(heap()).encrypt(fresh).open())
        .isInstanceOf(EncryptionException.class);
    expect(builder(), LATE);
  }
}
