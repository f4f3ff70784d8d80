package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.encryption.KeyProvider;
import io.everheap.report.BackupProgress;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Directories of shards that early builds named with the digits of other scripts. */
class ShardNamesTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);

  @TempDir Path dir;
  private boolean representable;

  @BeforeEach
  void askWhetherFilesCanHaveSuchNames() {
    String encoding = System.getProperty("sun.jnu.encoding");
    representable = Charset.forName(encoding).newEncoder().canEncode('\u06f0');
  }

  private static String name(String locale, int shard) {
    return String.format(Locale.forLanguageTag(locale), "shard-%04d", shard);
  }

  private static ShardedStore open(Path directory, boolean encrypted) {
    ShardedStoreBuilder builder =
        ShardedStore.builder(directory).shards(2).heaps(heap -> heap.logSize(16 << 20));
    return (encrypted ? builder.encrypt(KEY) : builder).open();
  }

  private static ShardedMap<Integer, String> map(ShardedStore store) {
    return store.map("map", Integer.class, String.class);
  }

  /** Keys of encrypted shards are derived from the names of the directories. */
  @ParameterizedTest
  @ValueSource(strings = {"fa", "ar-EG-u-nu-arab", "th-TH-u-nu-thai"})
  void storesAndBackupsWithOtherDigitsAreOpenedWhereTheyAre(String locale) throws IOException {
    assumeTrue(representable, "names of files are not Unicode");
    boolean encrypted = locale.equals("fa");
    Path stored = dir.resolve("store");
    StoreBackups backups = StoreBackups.in(dir.resolve("backups"));
    backups = encrypted ? backups.encrypt(KEY) : backups;
    for (int shard = 0; shard < 2; shard++) {
      Files.createDirectories(stored.resolve(name(locale, shard)));
      Files.createDirectories(dir.resolve("backups").resolve(name(locale, shard)));
    }
    try (ShardedStore store = open(stored, encrypted)) {
      for (int i = 0; i < 20; i++) {
        map(store).put(i, "v" + i);
      }
      backups.take(store);
    }
    try (ShardedStore store = open(stored, encrypted)) {
      assertThat(map(store).asMap()).hasSize(20);
      map(store).clear();
    }
    assertThat(stored.resolve("shard-0000")).doesNotExist();
    if (!encrypted) {
      assertThat(ShardedStore.shardDirectories(stored)).allMatch(Files::isDirectory).hasSize(2);
    }
    assertThat(dir.resolve("backups/shard-0000")).doesNotExist();
    backups.verify(backups.newest(), BackupProgress.NONE);
    backups.restore(backups.newest(), dir.resolve("restored"));
    assertThat(dir.resolve("restored/shard-0001")).isDirectory();
    try (ShardedStore store = open(dir.resolve("restored"), encrypted)) {
      assertThat(Map.copyOf(map(store).asMap())).hasSize(20).containsEntry(7, "v7");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"shard-00001", "shard-1", "shard-000x", "shard-", "shard-999999999999999"})
  void otherNamesAreNoShards(String name) throws IOException {
    Files.createDirectory(dir.resolve(name));
    Files.createFile(dir.resolve("shard-0002x"));
    assertThat(ShardNames.stored(dir, "shard-0002")).isEqualTo("shard-0002");
    assertThat(ShardNames.stored(dir.resolve("missing"), "shard-0002")).isEqualTo("shard-0002");
    assertThat(ShardNames.stored(dir, "")).isEmpty();
  }
}
