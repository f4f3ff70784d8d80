package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.error.EverheapException;
import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import io.everheap.journal.Journal;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a key: rekeyed, renewed, refused and destroyed. */
class HeapKeysTest {
  private static final KeyProvider KEY = TestHeaps.key(1);
  private static final KeyProvider FRESH = TestHeaps.key(2);
  private static final KeyProvider OTHER = TestHeaps.key(3);

  @TempDir private Path dir;

  private Path heap() {
    return dir.resolve("heap");
  }

  private Heap open(KeyProvider key) {
    return TestHeaps.builder(heap()).encrypt(key).open();
  }

  private void create(int entries) {
    try (Heap heap = open(KEY)) {
      TestHeaps.put(heap, 0, entries);
    }
  }

  private void requireHolds(KeyProvider key, int entries) {
    try (Heap heap = open(key)) {
      TestHeaps.assertHolds(heap, entries);
    }
  }

  private void requireRefused(KeyProvider key) {
    Map<String, String> before = TestHeaps.data(heap());
    assertThatThrownBy(() -> open(key))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("not the one that the heap's data key is wrapped with");
    assertThat(TestHeaps.data(heap())).isEqualTo(before);
  }

  /** The files but those of the keys. */
  private Map<String, String> others() {
    Map<String, String> files = TestHeaps.data(heap());
    assertThat(files.remove("keys")).isNotNull();
    return files;
  }

  @Test
  void aRekeyedHeapIsOpenedWithTheNewKeyAlone() throws IOException {
    create(20);
    Map<String, String> before = others();
    byte[] keys = Files.readAllBytes(heap().resolve("keys"));
    EncryptedDirectory.rekey(heap(), KEY, FRESH);
    assertThat(others()).as("nothing else is changed").isEqualTo(before);
    byte[] rekeyed = Files.readAllBytes(heap().resolve("keys"));
    assertThat(Arrays.copyOf(rekeyed, 32)).as("the same id").isEqualTo(Arrays.copyOf(keys, 32));
    requireRefused(KEY);
    requireHolds(FRESH, 20);
    EncryptedDirectory.rekey(heap(), FRESH, FRESH);
    EncryptedDirectory.rekey(heap(), FRESH, KEY);
    requireRefused(FRESH);
    requireHolds(KEY, 20);
    Files.write(heap().resolve("keys"), rekeyed); // an older copy needs its own wrapping key
    requireRefused(KEY);
    requireHolds(FRESH, 20);
  }

  @Test
  void aRekeyWithAnotherKeyChangesNothing() {
    create(5);
    Map<String, String> before = TestHeaps.data(heap());
    assertThatThrownBy(() -> EncryptedDirectory.rekey(heap(), OTHER, FRESH))
        .isInstanceOf(EncryptionException.class);
    assertThat(TestHeaps.data(heap())).isEqualTo(before);
    requireHolds(KEY, 5);
  }

  /** A provider that wraps what it cannot unwrap later would lock everybody out. */
  @Test
  void aRekeyThatNobodyCouldOpenChangesNothing() {
    create(5);
    Map<String, String> before = TestHeaps.data(heap());
    KeyProvider twice = // as a service that rotated its key between the two calls
        new KeyProvider() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            return FRESH.wrap(dataKey, context);
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            return OTHER.unwrap(wrapped, context);
          }
        };
    KeyProvider anotherContext =
        new KeyProvider() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            return FRESH.wrap(dataKey, new byte[32]);
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            return FRESH.unwrap(wrapped, context);
          }
        };
    KeyProvider anotherKey =
        new KeyProvider() {
          @Override
          public byte[] wrap(byte[] dataKey, byte[] context) {
            byte[] wrong = dataKey.clone();
            wrong[31] ^= (byte) 0x80;
            return FRESH.wrap(wrong, context);
          }

          @Override
          public byte[] unwrap(byte[] wrapped, byte[] context) {
            return FRESH.unwrap(wrapped, context);
          }
        };
    for (KeyProvider bad : new KeyProvider[] {twice, anotherContext, anotherKey}) {
      assertThatThrownBy(() -> EncryptedDirectory.rekey(heap(), KEY, bad))
          .isInstanceOf(EncryptionException.class);
      assertThat(TestHeaps.data(heap())).isEqualTo(before);
    }
    assertThatThrownBy(() -> HeapKeys.renew(heap(), KEY, twice, BackupProgress.NONE))
        .isInstanceOf(EncryptionException.class);
    assertThat(TestHeaps.data(heap())).containsOnlyKeys(before.keySet());
    assertThat(TestHeaps.data(heap())).containsEntry("keys", before.get("keys"));
    requireHolds(KEY, 5);
  }

  @Test
  void anOpenHeapIsNotRekeyedOrShredded() {
    create(5);
    byte[] keys = read("keys");
    try (Heap heap = open(KEY)) {
      assertThatThrownBy(() -> EncryptedDirectory.rekey(heap(), KEY, FRESH))
          .isInstanceOf(LockedException.class);
      assertThatThrownBy(() -> EncryptedDirectory.shred(heap()))
          .isInstanceOf(LockedException.class);
      assertThat(read("keys")).isEqualTo(keys);
      TestHeaps.put(heap, 5, 6);
    }
    requireHolds(KEY, 6);
  }

  private byte[] read(String name) {
    try {
      return Files.readAllBytes(heap().resolve(name));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsNotEncryptedHasNoKeys() throws IOException {
    TestHeaps.create(heap(), 5);
    Map<String, String> before = TestHeaps.data(heap());
    Consumer<Path> rekey = path -> EncryptedDirectory.rekey(path, KEY, FRESH);
    Consumer<Path> renew = path -> HeapKeys.renew(path, KEY, FRESH, BackupProgress.NONE);
    Consumer<Path> decrypt = path -> HeapKeys.decrypt(path, KEY, BackupProgress.NONE);
    for (Consumer<Path> way : List.of(rekey, renew, decrypt, EncryptedDirectory::shred)) {
      assertThatThrownBy(() -> way.accept(heap()))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining(heap() + " has no file of keys: nothing there is encrypted");
      assertThat(TestHeaps.data(heap())).isEqualTo(before);
      assertThatThrownBy(() -> way.accept(dir.resolve("none")))
          .isInstanceOf(MissingException.class);
      assertThat(dir.resolve("none")).doesNotExist();
    }
    Path empty = Files.createDirectory(dir.resolve("empty"));
    assertThatThrownBy(() -> EncryptedDirectory.shred(empty))
        .isInstanceOf(EncryptionException.class);
    TestHeaps.assertHolds(heap(), 5);
  }

  @Test
  @Campaign
  void aConvertedHeapHasTheSameContents() throws IOException {
    create(30);
    byte[] keys = read("keys");
    HeapKeys.renew(heap(), KEY, FRESH, BackupProgress.NONE);
    assertThat(Arrays.copyOfRange(read("keys"), 16, 32))
        .as("another data key")
        .isNotEqualTo(Arrays.copyOfRange(keys, 16, 32));
    requireRefused(KEY);
    requireHolds(FRESH, 30);
    byte[] renewed = read("keys");
    Files.write(heap().resolve("keys"), keys);
    assertThatThrownBy(() -> open(KEY))
        .as("the old keys read nothing of the new files")
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("another data key");
    Files.write(heap().resolve("keys"), renewed);
    HeapKeys.renew(heap(), FRESH, FRESH, BackupProgress.NONE);
    assertThat(read("keys")).isNotEqualTo(renewed);
    requireHolds(FRESH, 30);
    HeapKeys.decrypt(heap(), FRESH, BackupProgress.NONE);
    assertThat(heap().resolve("keys")).doesNotExist();
    assertThat(heap().resolve("heap.root")).doesNotExist();
    TestHeaps.assertHolds(heap(), 30);
    HeapKeys.encrypt(heap(), KEY, BackupProgress.NONE);
    assertThatThrownBy(() -> TestHeaps.open(heap())).isInstanceOf(EncryptionException.class);
    assertThatThrownBy(() -> HeapKeys.encrypt(heap(), KEY, BackupProgress.NONE))
        .isInstanceOf(EncryptionException.class);
    assertThatThrownBy(() -> HeapKeys.decrypt(heap(), OTHER, BackupProgress.NONE))
        .isInstanceOf(EncryptionException.class);
    requireHolds(KEY, 30);
  }

  @Test
  void aShreddedHeapHasNoFiles() throws IOException {
    create(5);
    assertThat(TestHeaps.data(heap())).containsKeys("heap", "heap.crc", "keys");
    EncryptedDirectory.shred(heap());
    assertThat(TestHeaps.data(heap())).containsOnlyKeys("", "log");
    assertThatThrownBy(() -> EncryptedDirectory.shred(heap()))
        .isInstanceOf(EncryptionException.class);
  }

  /** An interrupted call leaves the files that show that something was encrypted until the end. */
  @Test
  void aShreddingIsRepeatedWhateverIsLeft() throws IOException {
    create(5);
    byte[] home = read("heap");
    byte[] keys = read("keys");
    EncryptedDirectory.shred(heap());
    Files.write(heap().resolve("heap"), home);
    EncryptedDirectory.shred(heap());
    assertThat(TestHeaps.data(heap())).containsOnlyKeys("", "log");
    Files.write(heap().resolve("keys"), keys);
    EncryptedDirectory.shred(heap());
    assertThat(TestHeaps.data(heap())).containsOnlyKeys("", "log");
    for (String name : new String[] {"journal", "store"}) {
      Files.write(heap().resolve(name), home);
      Files.write(heap().resolve("more"), new byte[3]);
      EncryptedDirectory.shred(heap());
      assertThat(TestHeaps.data(heap())).as(name).containsOnlyKeys("", "log");
    }
    Files.write(heap().resolve("heap"), new byte[8192]); // not encrypted
    assertThatThrownBy(() -> EncryptedDirectory.shred(heap()))
        .isInstanceOf(EncryptionException.class);
    assertThat(read("heap")).hasSize(8192);
  }

  @Test
  void aJournalIsRekeyedAndShredded() {
    Path place = dir.resolve("journal");
    try (Journal journal = Journal.builder(place).segmentSize(16 << 10).encrypt(KEY).open()) {
      journal.append(new byte[] {1, 2, 3});
    }
    EncryptedDirectory.rekey(place, KEY, FRESH);
    assertThatThrownBy(() -> Journal.builder(place).encrypt(KEY).open())
        .isInstanceOf(EverheapException.class);
    try (Journal journal = Journal.builder(place).encrypt(FRESH).open()) {
      assertThat(journal.read(0)).containsExactly(1, 2, 3);
    }
    EncryptedDirectory.shred(place);
    assertThat(TestHeaps.data(place)).containsOnlyKeys("");
  }

  /** Backups keep their wrapping key: the old one must be kept as long as they are. */
  @Test
  @Campaign
  void backupsKeepTheirKey() {
    Backups backups = Backups.in(dir.resolve("backups")).encrypt(KEY);
    try (Heap heap = open(KEY)) {
      TestHeaps.put(heap, 0, 5);
      backups.take(heap);
    }
    EncryptedDirectory.rekey(heap(), KEY, FRESH);
    try (Heap heap = open(FRESH)) {
      TestHeaps.put(heap, 5, 8);
      backups.take(heap, Backup.Kind.INCREMENTAL);
    }
    assertThatThrownBy(() -> Backups.in(dir.resolve("backups")).encrypt(FRESH).list())
        .isInstanceOf(EncryptionException.class);
    backups.restore(backups.newest(), dir.resolve("restored"));
    EncryptedDirectory.rekey(dir.resolve("backups"), KEY, FRESH);
    Backups rekeyed = Backups.in(dir.resolve("backups")).encrypt(FRESH);
    rekeyed.restore(rekeyed.newest(), dir.resolve("again"));
    try (Heap heap = TestHeaps.builder(dir.resolve("restored")).encrypt(KEY).open();
        Heap again = TestHeaps.builder(dir.resolve("again")).encrypt(FRESH).open()) {
      TestHeaps.assertHolds(heap, 8);
      TestHeaps.assertHolds(again, 8);
    }
  }
}
