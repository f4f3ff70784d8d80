package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.encryption.Plaintext;
import io.everheap.error.BackupException;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.error.EverheapException;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.report.RestorePoint;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted backups and archives, of encrypted heaps and of others. */
@Campaign
class EncryptedBackupTest {
  private static final KeyProvider KEY = TestHeaps.key(1);
  private static final KeyProvider OTHER = TestHeaps.key(2);
  private static final String SECRET = "a secret that nobody may read";

  @TempDir Path temp;

  private Path backups() {
    return temp.resolve("backups");
  }

  private Backups encrypted() {
    return Backups.in(backups()).encrypt(KEY);
  }

  private Heap open() {
    return Heap.builder(temp.resolve("heap")).encrypt(KEY).archive(backups()).open();
  }

  private static Map<Integer, String> map(Heap heap) {
    return heap.map("secrets", Integer.class, String.class);
  }

  private static void put(Heap heap, int from, int to) {
    for (int i = from; i < to; i++) {
      map(heap).put(i, SECRET + i);
    }
  }

  private static void expect(Path directory, int entries) {
    try (Heap heap = Heap.builder(directory).encrypt(KEY).open()) {
      assertThat(map(heap)).hasSize(entries);
      for (int i = 0; i < entries; i++) {
        assertThat(map(heap)).containsEntry(i, SECRET + i);
      }
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void anEncryptedHeapIsRestoredFromFullAndIncrementalBackupsAndFromTheArchive()
      throws IOException {
    RestorePoint point;
    try (Heap heap = open()) {
      put(heap, 0, 500);
      encrypted().take(heap);
      put(heap, 500, 600);
      encrypted().take(heap, Backup.Kind.INCREMENTAL);
      put(heap, 600, 700);
      point = new RestorePoint.Lsn(heap.stats().durableLsn());
      put(heap, 700, 800);
    }
    try (Heap heap = open()) {
      put(heap, 800, 900);
    }
    List<Backup> all = encrypted().list();
    assertThat(all).hasSize(2);
    encrypted().restore(all.get(0), temp.resolve("full"));
    encrypted().restore(all.get(1), temp.resolve("incremental"));
    encrypted().restore(point, temp.resolve("then"));
    encrypted().restore(new RestorePoint.Newest(), temp.resolve("newest"));
    expect(temp.resolve("full"), 500);
    expect(temp.resolve("incremental"), 600);
    expect(temp.resolve("then"), 700);
    expect(temp.resolve("newest"), 900);
    assertThat(Files.readAllBytes(temp.resolve("full/keys")))
        .as("another data key")
        .isNotEqualTo(Files.readAllBytes(temp.resolve("heap/keys")));
    noPlaintext();
    try (Heap heap = open()) {
      encrypted().take(heap);
    }
    assertThat(encrypted().keep(1)).hasSize(2);
    encrypted().restore(new RestorePoint.Newest(), temp.resolve("later"));
    expect(temp.resolve("later"), 900);
  }

  /** So a heap gets encrypted: its encrypted backup is restored. */
  @Test
  void aBackupOfAHeapInPlaintextIsRestoredEncrypted() throws IOException {
    try (Heap heap = Heap.open(temp.resolve("plain"))) {
      put(heap, 0, 300);
      encrypted().take(heap);
    }
    encrypted().restore(encrypted().newest(), temp.resolve("restored"));
    expect(temp.resolve("restored"), 300);
    try (Stream<Path> files = Files.walk(temp.resolve("plain"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    noPlaintext();
  }

  private void noPlaintext() throws IOException {
    Plaintext.requireNone(temp, SECRET.substring(0, 12));
  }

  @Test
  void nothingEncryptedIsBackedUpInPlaintext() {
    try (Heap heap = Heap.builder(temp.resolve("heap")).encrypt(KEY).open()) {
      assertThatThrownBy(() -> Backups.in(backups()).take(heap))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("Backups.encrypt");
    }
  }

  /** A program that ignores the result must not write backups in plaintext. */
  @Test
  void encryptChangesTheObjectThatItIsCalledOn() throws IOException {
    Backups backups = Backups.in(backups());
    var _ = backups.encrypt(KEY);
    try (Heap heap = Heap.open(temp.resolve("plain"))) {
      put(heap, 0, 3);
      backups.take(heap);
    }
    assertThat(backups().resolve("keys")).exists();
    Plaintext.requireNone(backups(), SECRET.substring(0, 12));
    assertThat(backups.encrypt(KEY)).isSameAs(backups);
  }

  @Test
  void encryptedBackupsAreRefusedWithoutTheirKeyAndInADirectoryOfOthers() {
    Path plain = temp.resolve("plain");
    try (Heap heap = Heap.builder(temp.resolve("heap")).encrypt(KEY).open();
        Heap other = Heap.open(temp.resolve("other"))) {
      encrypted().take(heap);
      Backups.in(plain).take(other);
      assertThatThrownBy(() -> Backups.in(backups()).list())
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("encrypted: give their key");
      assertThatThrownBy(() -> Backups.in(backups()).take(other))
          .isInstanceOf(EncryptionException.class);
      assertThatThrownBy(() -> Backups.in(backups()).encrypt(OTHER).list())
          .isInstanceOf(EncryptionException.class);
      assertThatThrownBy(() -> Backups.in(plain).encrypt(KEY).take(heap))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("no file of keys but other files");
    }
    Backup backup = encrypted().newest();
    assertThatThrownBy(() -> encrypted().restore(backup, temp.resolve("heap")))
        .isInstanceOf(EverheapException.class);
    assertThatThrownBy(() -> encrypted().restore(backup, temp.resolve("other")))
        .isInstanceOf(EverheapException.class);
  }

  /** Each sector is authenticated with its place, so also a section that is cut off or moved. */
  @Test
  void aBackupThatWasChangedIsRefused() throws IOException {
    try (Heap heap = Heap.builder(temp.resolve("heap")).encrypt(KEY).open()) {
      put(heap, 0, 300);
      encrypted().take(heap);
    }
    Backup backup = encrypted().newest();
    Path file = backups().resolve(backup.name());
    byte[] bytes = Files.readAllBytes(file);
    Map<String, byte[]> changes = new TreeMap<>();
    byte[] flipped = bytes.clone();
    flipped[bytes.length / 2] ^= 1;
    changes.put("flipped", flipped);
    changes.put("cut", Arrays.copyOf(bytes, bytes.length - 4608));
    byte[] swapped = bytes.clone();
    System.arraycopy(bytes, 4096, swapped, 4096 + 4608, 4608);
    System.arraycopy(bytes, 4096 + 4608, swapped, 4096, 4608);
    changes.put("swapped", swapped);
    for (var change : changes.entrySet()) {
      Files.write(file, change.getValue());
      assertThatThrownBy(() -> encrypted().verify(backup, BackupProgress.NONE))
          .as(change.getKey())
          .isInstanceOfAny(CorruptException.class, BackupException.class);
    }
    Files.write(file, bytes);
    encrypted().verify(backup, BackupProgress.NONE);
  }
}
