package io.everheap.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.EncryptedDirectory;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.error.EverheapException;
import io.everheap.error.MissingException;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.support.KeyBytes;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted stores and their backups. */
@Campaign
class EncryptedStoreTest {
  private static final KeyProvider KEY = KeyProvider.of(KeyBytes.of(1));
  private static final KeyProvider OTHER = KeyProvider.of(KeyBytes.of(2));
  private static final String SECRET = "a secret that nobody may read";

  @TempDir Path dir;

  private ShardedStoreBuilder builder(String name) {
    return ShardedStore.builder(dir.resolve(name)).shards(3);
  }

  private ShardedStore open(String name) {
    return builder(name).encrypt(KEY).open();
  }

  private static ShardedMap<Integer, String> map(ShardedStore store) {
    return store.map("m", Integer.class, String.class);
  }

  private static void put(ShardedStore store, int from, int to) {
    for (int i = from; i < to; i++) {
      map(store).put(i, SECRET + i);
    }
  }

  private void expect(String name, int entries) {
    try (ShardedStore store = open(name)) {
      assertThat(map(store).sizeLong()).isEqualTo(entries);
      for (int i = 0; i < entries; i++) {
        assertThat(map(store).get(i)).isEqualTo(SECRET + i);
      }
      assertThat(store.verify().problems()).isEmpty();
    }
  }

  /** Searches all again if a file was deleted or got another name meanwhile. */
  private void noPlaintext() throws IOException {
    boolean isWhole;
    do {
      isWhole = true;
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
        isWhole = false;
      }
    } while (!isWhole);
  }

  @Test
  void itHoldsWhatWasStoredAlsoInShardsThatAreNew() throws IOException {
    try (ShardedStore store = open("store")) {
      put(store, 0, 200);
      noPlaintext();
      store.reshard(5);
      put(store, 200, 300);
      noPlaintext();
    }
    noPlaintext();
    expect("store", 300);
    for (int i = 0; i < 5; i++) {
      assertThat(dir.resolve("store/shard-000" + i + "/keys")).exists();
    }
  }

  @Test
  void itIsOpenedWithItsKeyOnlyWhichIsReplacedAtOnce() throws IOException {
    open("store").close();
    assertThatThrownBy(() -> builder("store").open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("give their key");
    assertThatThrownBy(() -> ShardedStore.shardDirectories(dir.resolve("store")))
        .isInstanceOf(EncryptionException.class);
    assertThatThrownBy(() -> builder("store").encrypt(OTHER).open())
        .isInstanceOf(EncryptionException.class);
    EncryptedDirectory.rekey(dir.resolve("store"), KEY, OTHER);
    assertThatThrownBy(() -> open("store")).isInstanceOf(EncryptionException.class);
    builder("store").encrypt(OTHER).open().close();
    builder("plain").open().close();
    assertThatThrownBy(() -> open("plain")).isInstanceOf(EncryptionException.class);
    Files.createDirectories(dir.resolve("none"));
    assertThatThrownBy(() -> builder("none").encrypt(KEY).mustExist().open())
        .isInstanceOf(MissingException.class);
    assertThat(dir.resolve("none/keys")).doesNotExist();
  }

  /** Neither a shard of another store, nor another shard of this one, nor another number. */
  @Test
  void itsPartsAreNotExchanged() throws IOException {
    open("store").close();
    open("other").close();
    byte[] descriptor = Files.readAllBytes(dir.resolve("store/store"));
    byte[] changed = descriptor.clone();
    changed[4096 + 60] ^= 1;
    Files.write(dir.resolve("store/store"), changed);
    assertThatThrownBy(() -> open("store")).isInstanceOf(EverheapException.class);
    Files.write(dir.resolve("store/store"), Files.readAllBytes(dir.resolve("other/store")));
    assertThatThrownBy(() -> open("store")).isInstanceOf(EncryptionException.class);
    Files.write(dir.resolve("store/store"), descriptor);
    exchange(dir.resolve("store/shard-0001"), dir.resolve("other/shard-0001"));
    assertThatThrownBy(() -> open("store")).isInstanceOf(EncryptionException.class);
    exchange(dir.resolve("store/shard-0001"), dir.resolve("other/shard-0001"));
    exchange(dir.resolve("store/shard-0001"), dir.resolve("store/shard-0002"));
    assertThatThrownBy(() -> open("store")).isInstanceOf(EncryptionException.class);
    exchange(dir.resolve("store/shard-0001"), dir.resolve("store/shard-0002"));
    open("store").close();
  }

  private void exchange(Path a, Path b) throws IOException {
    Path aside = dir.resolve("aside");
    Files.move(a, aside);
    Files.move(b, a);
    Files.move(aside, b);
  }

  @Test
  void itIsBackedUpEncryptedAndRestoredWithOtherDataKeys() throws IOException {
    StoreBackups backups = StoreBackups.in(dir.resolve("backups")).encrypt(KEY);
    Files.createDirectories(dir.resolve("backups"));
    try (ShardedStore store = open("store")) {
      put(store, 0, 200);
      assertThatThrownBy(() -> StoreBackups.in(dir.resolve("plain")).take(store))
          .isInstanceOf(EncryptionException.class);
      backups.take(store);
      put(store, 200, 300);
      backups.take(store, Backup.Kind.INCREMENTAL);
      noPlaintext();
    }
    assertThat(backups.list()).hasSize(2);
    backups.verify(backups.newest(), BackupProgress.NONE);
    backups.restore(backups.list().getFirst(), dir.resolve("first"));
    backups.restore(backups.newest(), dir.resolve("second"));
    noPlaintext();
    expect("first", 200);
    expect("second", 300);
    assertThat(StoreBackups.exists(dir.resolve("backups"))).isTrue();
    assertThatThrownBy(() -> StoreBackups.in(dir.resolve("backups")).list())
        .isInstanceOf(EncryptionException.class);
    for (String keys : new String[] {"keys", "shard-0000/keys"}) {
      assertThat(Files.readAllBytes(dir.resolve("second").resolve(keys)))
          .isNotEqualTo(Files.readAllBytes(dir.resolve("store").resolve(keys)));
    }
    try (ShardedStore store = open("store")) {
      backups.take(store);
    }
    assertThat(backups.keep(1)).hasSize(2);
  }

  /** A program that ignores the result must not write backups in plaintext. */
  @Test
  void encryptChangesTheBackupsThatItIsCalledOn() throws IOException {
    StoreBackups backups = StoreBackups.in(dir.resolve("backups"));
    var _ = backups.encrypt(KEY);
    try (ShardedStore store = open("store")) {
      put(store, 0, 10);
      backups.take(store);
    }
    assertThat(backups.newest().kind()).isEqualTo(Backup.Kind.FULL);
    noPlaintext();
    assertThat(backups.encrypt(KEY)).isSameAs(backups);
  }

  @Test
  void aRefusedKeyLeavesNothingBehind() {
    KeyProvider refused = KeyProvider.file(dir.resolve("none.key"));
    assertThatThrownBy(() -> builder("new/store").encrypt(refused).open())
        .isInstanceOf(EncryptionException.class);
    assertThat(dir.resolve("new")).doesNotExist();
    try (ShardedStore store = open("new/store")) {
      StoreBackups backups = StoreBackups.in(dir.resolve("to"));
      assertThatThrownBy(() -> backups.encrypt(refused).take(store))
          .isInstanceOf(EncryptionException.class);
      assertThat(dir.resolve("to")).doesNotExist();
      backups.encrypt(KEY).take(store);
    }
  }

  @Test
  void lostKeysAreNamed() throws IOException {
    StoreBackups backups = StoreBackups.in(dir.resolve("backups")).encrypt(KEY);
    try (ShardedStore store = open("store")) {
      backups.take(store);
    }
    Files.delete(dir.resolve("store/keys"));
    Files.delete(dir.resolve("backups/keys"));
    List<ThrowingCallable> uses =
        List.of(
            () -> open("store"),
            () -> builder("store").open(),
            () -> builder("store").readOnly().open(),
            () -> ShardedStore.shardDirectories(dir.resolve("store")),
            () -> EncryptedDirectory.rekey(dir.resolve("store"), KEY, OTHER),
            backups::list,
            () -> StoreBackups.in(dir.resolve("backups")).list(),
            () -> backups.rekey(OTHER));
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use)
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("the file keys there, which has their data key, is missing");
    }
  }

  @Test
  void itsBackupsAreRekeyed() throws IOException {
    StoreBackups backups = StoreBackups.in(dir.resolve("backups")).encrypt(KEY);
    try (ShardedStore store = open("store")) {
      put(store, 0, 20);
      backups.take(store);
      byte[] keys = Files.readAllBytes(dir.resolve("backups/keys"));
      StoreBackups wrong = StoreBackups.in(dir.resolve("backups")).encrypt(OTHER);
      wrong.rekey(KEY); // KEY is the present key: nothing is left to do
      assertThat(Files.readAllBytes(dir.resolve("backups/keys"))).isEqualTo(keys);
      backups.rekey(OTHER);
      put(store, 20, 30);
      backups.take(store, Backup.Kind.INCREMENTAL);
    }
    assertThatThrownBy(() -> StoreBackups.in(dir.resolve("backups")).encrypt(KEY).list())
        .isInstanceOf(EncryptionException.class);
    backups.restore(backups.newest(), dir.resolve("restored"));
    EncryptedDirectory.rekey(dir.resolve("restored"), OTHER, KEY);
    expect("restored", 30);
  }

  /** So a store gets encrypted: its encrypted backup is restored. */
  @Test
  void aBackupOfAStoreInPlaintextIsRestoredEncrypted() {
    StoreBackups backups = StoreBackups.in(dir.resolve("backups")).encrypt(KEY);
    try (ShardedStore store = builder("plain").open()) {
      put(store, 0, 100);
      backups.take(store);
    }
    backups.restore(backups.newest(), dir.resolve("restored"));
    expect("restored", 100);
  }
}
