package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores that a release made, and their backups, have all that was put into them. */
@Campaign
class ReleasedStoresTest {
  private static final String RELEASES = "io.everheap.support.release.Release#all";

  @TempDir Path dir;

  private static List<Arguments> stores() {
    List<Arguments> stores = new ArrayList<>();
    for (Release release : Release.all()) {
      stores.add(Arguments.of(release, ReleasedStores.CLOSED));
      stores.add(Arguments.of(release, ReleasedStores.KILLED));
      stores.add(Arguments.of(release, ReleasedStores.RESHARDING));
    }
    return stores;
  }

  private static Stream<Arguments> backups() {
    return Release.all().stream()
        .flatMap(
            r ->
                Stream.of(
                    Arguments.of(r, ReleasedStores.BACKUPS),
                    Arguments.of(r, ReleasedStores.ENCRYPTED_BACKUPS)));
  }

  private ShardedStore open() {
    return ShardedStore.builder(dir).mustExist().open();
  }

  /** Also if half of the keys were moved to other shards when the process was killed. */
  @ParameterizedTest
  @MethodSource("stores")
  void everythingIsFoundReplacedAndRemoved(Release release, String name) throws IOException {
    release.unzip(name, dir);
    try (ShardedStore store = ShardedStore.builder(dir).readOnly().open()) {
      ReleasedStores.requireAll(store);
    }
    try (ShardedStore store = open()) {
      assertThat(store.shardCount()).isEqualTo(ReleasedStores.SHARDS);
      ReleasedStores.requireAll(store);
      store.reshard(ReleasedStores.SHARDS); // waits for keys that are still to be moved
      ReleasedStores.requireAll(store);
      assertThat(store.verify().problems()).isEmpty();
      ReleasedStores.replaceAndRemove(store);
    }
    try (ShardedStore store = open()) {
      assertThat(ReleasedStores.texts(store).isEmpty()).isTrue();
      assertThat(store.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource(RELEASES)
  void anEncryptedStoreIsReadAndWrittenWithItsKeyOnly(Release release) throws IOException {
    release.unzip(ReleasedStores.ENCRYPTED, dir);
    byte[] other = release.key();
    other[0]++;
    assertThatThrownBy(() -> ReleasedStores.open(dir, 1, KeyProvider.of(other)))
        .isInstanceOf(EncryptionException.class);
    KeyProvider key = KeyProvider.of(release.key());
    try (ShardedStore store = ReleasedStores.open(dir, 1, key)) {
      assertThat(ReleasedStores.texts(store).asMap())
          .isEqualTo(Map.of(ReleasedStores.text(0), ReleasedStores.text(1)));
      store.reshard(2);
      ReleasedStores.texts(store).put("new", "value");
    }
    try (ShardedStore store = ReleasedStores.open(dir, 2, key)) {
      assertThat(ReleasedStores.texts(store).remove(ReleasedStores.text(0)))
          .isEqualTo(ReleasedStores.text(1));
      assertThat(ReleasedStores.texts(store).asMap()).isEqualTo(Map.of("new", "value"));
      assertThat(store.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("backups")
  void backupsAreRestored(Release release, String name) throws IOException {
    release.unzip(name, dir.resolve("backups"));
    StoreBackups backups = StoreBackups.in(dir.resolve("backups"));
    KeyProvider key = null;
    if (name.equals(ReleasedStores.ENCRYPTED_BACKUPS)) {
      key = KeyProvider.of(release.key());
      backups = backups.encrypt(key);
    }
    List<StoreBackup> all = backups.list();
    assertThat(all)
        .extracting(StoreBackup::kind)
        .containsExactly(Backup.Kind.FULL, Backup.Kind.INCREMENTAL);
    for (int version = 1; version <= 2; version++) {
      StoreBackup backup = all.get(version - 1);
      backups.verify(backup, BackupProgress.NONE);
      Path target = dir.resolve("version " + version);
      backups.restore(backup, target);
      try (ShardedStore store = ReleasedStores.open(target, 2, key)) {
        assertThat(ReleasedStores.texts(store).asMap())
            .hasSize(ReleasedStores.KEYS)
            .containsKey(ReleasedStores.text(7));
        assertThat(ReleasedStores.texts(store).asMap().values()).containsOnly("version " + version);
      }
    }
  }

  // ---- Directories with Farsi digits --------------------------------------------------------

  private void unzipFarsi() throws IOException {
    assumeTrue(
        Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder().canEncode('\u06f0'),
        "names of files cannot have Farsi digits in this locale");
    new Release("0.9.0").unzip(ReleasedStores.FARSI, dir);
    assertThat(dir.resolve("shard-\u06f0\u06f0\u06f0\u06f0")).isDirectory();
  }

  @Test
  void aStoreWhoseShardsHaveFarsiDigitsIsReadAndWrittenWhereItIs() throws Exception {
    unzipFarsi();
    try (ShardedStore store = ShardedStore.builder(dir).readOnly().open()) {
      ReleasedStores.requireAll(store);
    }
    try (ShardedStore store = open()) {
      ReleasedStores.requireAll(store);
      store.reshard(ReleasedStores.SHARDS + 1);
      ReleasedStores.requireAll(store);
      ReleasedStores.replaceAndRemove(store);
    }
    assertThat(dir.resolve("shard-\u06f0\u06f0\u06f0\u06f0")).isDirectory();
    assertThat(dir.resolve("shard-0000")).doesNotExist();
    try (ShardedStore store = open()) {
      assertThat(store.verify().problems()).isEmpty();
      assertThat(ShardedStore.shardDirectories(dir)).allMatch(Files::isDirectory);
    }
  }

  @Test
  void suchAStoreIsOpenedWhenItsDirectoriesWereRenamed() throws Exception {
    unzipFarsi();
    for (int shard = 0; shard < ReleasedStores.SHARDS; shard++) {
      String farsi = String.format(Locale.forLanguageTag("fa-u-nu-arabext"), "%04d", shard);
      Files.move(dir.resolve("shard-" + farsi), dir.resolve("shard-000" + shard));
    }
    try (ShardedStore store = open()) {
      ReleasedStores.requireAll(store);
      assertThat(store.verify().problems()).isEmpty();
      ReleasedStores.replaceAndRemove(store);
    }
  }
}
