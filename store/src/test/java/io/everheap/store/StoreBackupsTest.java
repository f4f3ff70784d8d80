package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.error.BackupException;
import io.everheap.error.MissingException;
import io.everheap.report.Backup;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of stores in directories. */
@Campaign
class StoreBackupsTest {
  private static final int KEYS = 300;

  @TempDir Path directory;

  private ShardedStore open(String name) {
    return ShardedStore.builder(directory.resolve(name))
        .shards(3)
        .durability(Durability.async(Duration.ofMillis(10)))
        .open();
  }

  private StoreBackups backups() {
    return StoreBackups.in(directory.resolve("backups"));
  }

  private static ShardedMap<Integer, Long> map(ShardedStore store) {
    return store.map("map", Integer.class, Long.class);
  }

  /** In one batch, so that all values are the same at each moment. */
  private static void putAll(ShardedStore store, long value) {
    StoreBatch batch = store.batch();
    for (int key = 0; key < KEYS; key++) {
      batch.put(map(store), key, value);
    }
    batch.commit();
  }

  private List<Long> restored(StoreBackup backup, String name) {
    backups().restore(backup, directory.resolve(name));
    try (ShardedStore store = open(name)) {
      assertThat(store.verify().ok()).isTrue();
      assertThat(map(store).sizeLong()).isEqualTo(KEYS);
      return map(store).asMap().values().stream().distinct().toList();
    }
  }

  @Test
  void incrementalBackupsAreSmallAndRestored() {
    StoreBackup full;
    StoreBackup incremental;
    try (ShardedStore store = open("live")) {
      store.map("large", Integer.class, byte[].class).put(1, new byte[1 << 20]);
      putAll(store, 1);
      full = backups().take(store);
      putAll(store, 2);
    }
    try (ShardedStore store = open("live")) {
      incremental = backups().take(store, Backup.Kind.INCREMENTAL);
      putAll(store, 3);
    }
    assertThat(incremental.kind()).isEqualTo(Backup.Kind.INCREMENTAL);
    assertThat(incremental.heaps()).hasSize(3);
    assertThat(backups().list()).containsExactly(full, incremental);
    assertThat(backups().newest()).isEqualTo(incremental);
    assertThat(restored(incremental, "second")).containsExactly(2L);
    assertThat(restored(full, "first")).containsExactly(1L);
  }

  @Test
  void aBackupIsOneMomentWhileWritersAndTheNumberOfShardsGoOn() throws Exception {
    StoreBackup backup;
    AtomicBoolean ended = new AtomicBoolean();
    try (ShardedStore store = open("live")) {
      putAll(store, 0);
      backups().take(store);
      putAll(store, 1); // each shard has changed pages
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                for (long value = 2; !ended.get(); value++) {
                  putAll(store, value);
                }
              });
      AtomicBoolean grown = new AtomicBoolean();
      try {
        backup =
            backups()
                .take(
                    store,
                    Backup.Kind.INCREMENTAL,
                    0,
                    (what, part) -> {
                      if (what.startsWith("shard-0002") && !grown.getAndSet(true)) {
                        store.reshard(5);
                      }
                    });
      } finally {
        ended.set(true);
      }
      Limit.get(writer);
      assertThat(grown).isTrue();
    }
    assertThat(backup.heaps()).hasSize(5);
    assertThat(restored(backup, "restored")).hasSize(1);
  }

  @Test
  void oldBackupsAreDeleted() throws IOException {
    try (ShardedStore store = open("live")) {
      for (long value = 0; value < 3; value++) {
        putAll(store, 10 * value);
        backups().take(store);
        putAll(store, 10 * value + 1);
        backups().take(store, Backup.Kind.INCREMENTAL);
      }
    }
    assertThat(backups().keep(3)).isEmpty();
    List<StoreBackup> all = backups().list();
    assertThat(backups().keep(1)).isEqualTo(all.subList(0, 4));
    assertThat(backups().list()).isEqualTo(all.subList(4, 6));
    try (Stream<Path> files = Files.list(directory.resolve("backups/shard-0000"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".backup"))).hasSize(2);
    }
    assertThat(restored(all.get(5), "restored")).containsExactly(21L);
  }

  @Test
  void whatIsMissingOrDamagedIsNamed() throws IOException {
    assertThatThrownBy(() -> backups().newest()).isInstanceOf(BackupException.class);
    assertThat(StoreBackups.exists(directory.resolve("backups"))).isFalse();
    StoreBackup backup;
    try (ShardedStore store = open("live")) {
      putAll(store, 1);
      assertThatThrownBy(() -> backups().take(store, Backup.Kind.INCREMENTAL))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("take a full backup");
      assertThatThrownBy(() -> StoreBackups.in(directory.resolve("live/backups")).take(store))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> store.read(() -> backups().take(store)))
          .isInstanceOf(IllegalStateException.class);
      backup = backups().take(store);
    }
    try (ShardedStore other = open("other")) {
      assertThatThrownBy(() -> backups().take(other))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("another store");
    }
    assertThat(StoreBackups.exists(directory.resolve("backups"))).isTrue();
    try (Stream<Path> files = Files.list(directory.resolve("backups/shard-0001"))) {
      Files.delete(files.filter(f -> f.toString().endsWith(".backup")).findAny().orElseThrow());
    }
    assertThatThrownBy(() -> backups().restore(backup, directory.resolve("restored")))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("shard-0001");
    assertThat(directory.resolve("restored")).doesNotExist(); // it was checked before
    Path manifest = directory.resolve("backups").resolve(backup.name());
    byte[] bytes = Files.readAllBytes(manifest);
    bytes[40]++;
    Files.write(manifest, bytes);
    assertThatThrownBy(() -> backups().list())
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("damaged");
    assertThatThrownBy(() -> ShardedStore.shardDirectories(directory.resolve("none")))
        .isInstanceOf(MissingException.class);
  }
}
