package io.everheap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.error.LockedException;
import io.everheap.error.MediumException;
import io.everheap.error.MissingException;
import io.everheap.memory.Exchange;
import io.everheap.memory.FileMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Heaps that are encrypted, decrypted, or get a new data key, where they are. */
@Campaign
class ConvertedHeapTest {
  private static final KeyProvider KEY = TestHeaps.key(1);
  private static final KeyProvider OTHER = TestHeaps.key(2);
  private static final String SECRET = "a secret that nobody may read";

  @TempDir Path temp;

  private Path heap() {
    return temp.resolve("heap");
  }

  private Heap open() {
    return Heap.open(heap());
  }

  private Heap encrypted() {
    return Heap.builder(heap()).encrypt(KEY).mustExist().open();
  }

  private static Map<Integer, String> map(Heap heap) {
    return heap.map("secrets", Integer.class, String.class);
  }

  private static void put(Heap heap, int from, int to) {
    for (int i = from; i < to; i++) {
      map(heap).put(i, SECRET + i);
    }
  }

  private static void expect(Heap heap, int entries) {
    assertThat(map(heap)).hasSize(entries);
    for (int i = 0; i < entries; i++) {
      assertThat(map(heap)).containsEntry(i, SECRET + i);
    }
    assertThat(heap.verify().problems()).isEmpty();
  }

  private Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(heap())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(heap().relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private boolean hasPlaintext() throws IOException {
    return files().values().stream().anyMatch(b -> new String(b, ISO_8859_1).contains(SECRET));
  }

  private void encrypt() {
    HeapKeys.encrypt(heap(), KEY, BackupProgress.NONE);
  }

  @Test
  void itIsEncryptedWhereItIs() throws IOException {
    HeapAnchor anchor;
    String id;
    try (Heap heap = open()) {
      put(heap, 0, 2000);
      anchor = HeapAnchor.of(heap);
      id = heap.stats().id().toString();
    }
    assertThat(hasPlaintext()).isTrue();
    List<Double> parts = new ArrayList<>();
    HeapKeys.encrypt(heap(), KEY, (what, part) -> parts.add(part));
    assertThat(hasPlaintext()).isFalse();
    assertThat(files().keySet()).noneMatch(name -> name.contains("convert"));
    assertThat(parts).isSorted().endsWith(1.0);
    try (Heap heap = Heap.builder(heap()).encrypt(KEY).notOlderThan(anchor).open()) {
      assertThat(heap.stats().id()).hasToString(id);
      expect(heap, 2000);
      put(heap, 2000, 2100);
    }
    assertThat(hasPlaintext()).isFalse();
    assertThatThrownBy(this::open).isInstanceOf(EncryptionException.class);
  }

  @Test
  void itIsDecryptedWhereItIs() throws IOException {
    try (Heap heap = Heap.builder(heap()).encrypt(KEY).open()) {
      put(heap, 0, 500);
    }
    HeapKeys.decrypt(heap(), KEY, BackupProgress.NONE);
    assertThat(files().keySet()).doesNotContain("keys", "heap.root", "converting");
    try (Heap heap = open()) {
      expect(heap, 500);
    }
    encrypt();
    try (Heap heap = encrypted()) {
      expect(heap, 500);
    }
  }

  /** The old file of keys and the old wrapping key say nothing about what is stored now. */
  @Test
  void aNewDataKeyMakesTheOldOneUseless() throws IOException {
    try (Heap heap = Heap.builder(heap()).encrypt(KEY).open()) {
      put(heap, 0, 300);
    }
    byte[] keys = Files.readAllBytes(heap().resolve("keys"));
    HeapKeys.renew(heap(), KEY, KEY, BackupProgress.NONE);
    try (Heap heap = encrypted()) {
      expect(heap, 300);
    }
    Files.write(heap().resolve("keys"), keys);
    assertThatThrownBy(this::encrypted)
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("another data key");
  }

  @Test
  void aNewDataKeyCanHaveAnotherWrappingKey() {
    try (Heap heap = Heap.builder(heap()).encrypt(KEY).open()) {
      put(heap, 0, 300);
    }
    HeapKeys.renew(heap(), KEY, OTHER, BackupProgress.NONE);
    assertThatThrownBy(this::encrypted).isInstanceOf(EncryptionException.class);
    try (Heap heap = Heap.builder(heap()).encrypt(OTHER).open()) {
      expect(heap, 300);
    }
  }

  /** What changed since the last backup is known across a new data key. */
  @Test
  void incrementalBackupsGoOnWithANewDataKey() {
    Backups backups = Backups.in(temp.resolve("backups")).encrypt(KEY);
    try (Heap heap = Heap.builder(heap()).encrypt(KEY).open()) {
      put(heap, 0, 300);
      backups.take(heap);
      put(heap, 300, 310);
    }
    HeapKeys.renew(heap(), KEY, KEY, BackupProgress.NONE);
    try (Heap heap = encrypted()) {
      put(heap, 310, 320);
      backups.take(heap, Backup.Kind.INCREMENTAL);
    }
    backups.restore(backups.newest(), temp.resolve("restored"));
    try (Heap heap = Heap.builder(temp.resolve("restored")).encrypt(KEY).open()) {
      expect(heap, 320);
    }
  }

  /** A copy of an open heap is one whose process was killed. */
  @Test
  void aHeapThatWasNotClosedIsRecoveredFirst() throws IOException {
    Path original = temp.resolve("original");
    try (Heap heap = Heap.open(original)) {
      put(heap, 0, 700);
      try (Stream<Path> all = Files.walk(original)) {
        for (Path file : all.toList()) {
          Files.copy(file, heap().resolve(original.relativize(file).toString()));
        }
      }
    }
    encrypt();
    assertThat(hasPlaintext()).isFalse();
    try (Heap heap = encrypted()) {
      expect(heap, 700);
    }
  }

  /** Somebody who can write the directory must not choose what is deleted. */
  @Test
  void aMarkThatNamesWhatIsNoFileOfAHeapIsRefused() throws IOException {
    try (Heap heap = open()) {
      put(heap, 0, 10);
    }
    for (String name : List.of("../other", "log/../heap", "/etc/passwd", "a b", "log")) {
      byte[] names = name.getBytes(UTF_8);
      ByteBuffer mark = ByteBuffer.allocate(24 + names.length).order(ByteOrder.LITTLE_ENDIAN);
      mark.putLong(0, 0x564E_4F43_5048_5645L).putInt(8, 1).putInt(12, 2).putInt(16, names.length);
      mark.put(20, names);
      CRC32C crc = new CRC32C();
      crc.update(mark.slice(0, 20 + names.length));
      mark.putInt(20 + names.length, (int) crc.getValue());
      Files.write(heap().resolve("converting"), mark.array());
      assertThatThrownBy(this::open)
          .isInstanceOf(name.equals("log") ? MediumException.class : CorruptException.class);
    }
    Files.delete(heap().resolve("converting"));
    open().close();
  }

  @Test
  void whatIsNotAsItShouldBeIsRefused() throws IOException {
    assertThatThrownBy(this::encrypt).isInstanceOf(MissingException.class);
    Files.createDirectory(heap());
    assertThatThrownBy(this::encrypt).isInstanceOf(MissingException.class);
    try (Heap heap = open()) {
      put(heap, 0, 10);
      assertThatThrownBy(this::encrypt).isInstanceOf(LockedException.class);
    }
    assertThatThrownBy(() -> HeapKeys.decrypt(heap(), KEY, BackupProgress.NONE))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("nothing there is encrypted");
    encrypt();
    assertThatThrownBy(this::encrypt)
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("are encrypted");
    assertThatThrownBy(() -> HeapKeys.decrypt(heap(), OTHER, BackupProgress.NONE))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("not the one");
    try (Heap heap = encrypted()) {
      expect(heap, 10);
    }
  }

  @Test
  void regionsWouldStayInPlaintextAndAreRefused() {
    try (Heap heap = open()) {
      heap.region("bytes", 4096);
    }
    assertThatThrownBy(this::encrypt)
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("has the region bytes");
    open().close();
  }

  @Test
  void aDamagedHeapIsNotConverted() throws IOException {
    try (Heap heap = open()) {
      put(heap, 0, 2000);
    }
    Path home = heap().resolve("heap");
    byte[] bytes = Files.readAllBytes(home);
    int at = new String(bytes, ISO_8859_1).indexOf(SECRET);
    bytes[at] ^= 1;
    Files.write(home, bytes);
    assertThatThrownBy(this::encrypt)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("was not converted");
    assertThat(files().keySet()).doesNotContain("keys", "converting");
    assertThat(files().keySet()).noneMatch(name -> name.contains("convert"));
  }

  /** A reader neither waits nor guesses. */
  @Test
  void aHeapWhoseFilesAreBeingExchangedIsNotRead() throws IOException {
    try (Heap heap = open()) {
      put(heap, 0, 10);
    }
    byte[] home = Files.readAllBytes(heap().resolve("heap"));
    try (FileMedium medium = FileMedium.open(heap(), false, false)) {
      Exchange exchange = Exchange.begin(medium);
      exchange.fresh().create("heap").close();
      Files.write(heap().resolve("heap.converted"), home);
      Heap.builder(temp.resolve("elsewhere")).open().close();
      assertThatThrownBy(() -> exchange.commit(Set.of("log"))) // a directory: interrupted there
          .isInstanceOf(MediumException.class);
    }
    assertThatThrownBy(() -> Heap.builder(heap()).readOnly().open())
        .isInstanceOf(MediumException.class)
        .hasMessageContaining("open the heap for writing, which completes it");
    assertThatThrownBy(() -> FileMedium.watch(heap())).isInstanceOf(MediumException.class);
  }

  @Test
  void theNextOpeningDeletesWhatAnInterruptedConversionLeft() throws IOException {
    try (Heap heap = open()) {
      put(heap, 0, 10);
    }
    try (FileMedium medium = FileMedium.open(heap(), false, false)) {
      Exchange.begin(medium).fresh().create("log/0000000000000000").close();
    }
    try (Heap heap = Heap.builder(heap()).readOnly().open()) {
      expect(heap, 10);
    }
    assertThat(files()).containsKey("converting");
    try (Heap heap = open()) {
      expect(heap, 10);
    }
    assertThat(files().keySet()).noneMatch(name -> name.contains("convert"));
  }

  @Test
  void aDamagedFileAboutAConversionIsRefused() throws IOException {
    open().close();
    FileMedium medium = FileMedium.open(heap(), false, false);
    Exchange.begin(medium);
    medium.close();
    Path file = heap().resolve("converting");
    byte[] bytes = Files.readAllBytes(file);
    for (int at = 0; at < bytes.length; at++) {
      byte[] changed = bytes.clone();
      changed[at] ^= 1;
      Files.write(file, changed);
      assertThatThrownBy(this::open)
          .as("byte " + at)
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("converting is damaged");
    }
    for (int length = 0; length < bytes.length; length++) {
      Files.write(file, java.util.Arrays.copyOf(bytes, length));
      assertThatThrownBy(this::open).isInstanceOf(CorruptException.class);
    }
    Files.write(file, bytes);
    open().close();
  }
}
