package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import io.everheap.report.ScrubReport;
import io.everheap.report.VerifyProgress;
import io.everheap.support.KeyBytes;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that are checked while they are closed. */
class StoreCheckTest {
  private static final KeyProvider KEY = KeyProvider.of(KeyBytes.of(1));

  @TempDir Path dir;

  private Path store() {
    return dir.resolve("store");
  }

  private static void fill(ShardedStoreBuilder builder) {
    try (ShardedStore store = builder.shards(2).open()) {
      ShardedMap<Integer, String> map = store.map("m", Integer.class, String.class);
      for (int i = 0; i < 100; i++) {
        map.put(i, "value " + i);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  /** Inverts a byte of the last page of a shard's home image. */
  private static void damage(Path shard) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(shard.resolve("heap").toFile(), "rw")) {
      long at = file.length() - 10;
      file.seek(at);
      int found = file.read();
      file.seek(at);
      file.write(~found);
    }
  }

  @Test
  void aSoundStoreHasNoProblems() {
    fill(ShardedStore.builder(store()));
    StoreReport report = StoreCheck.verify(store());
    assertThat(report.ok()).isTrue();
    assertThat(report.heaps()).hasSize(2);
    assertThat(report.entries()).isEqualTo(100);
    assertThat(StoreCheck.scrub(store()))
        .hasSize(2)
        .allSatisfy((name, r) -> assertThat(r.ok()).isTrue());
  }

  @Test
  void aDamagedPageIsFoundAndRepairedFromACopy() throws IOException {
    fill(ShardedStore.builder(store()));
    copy(store(), dir.resolve("copy"));
    Path shard = ShardedStore.shardDirectories(store()).getFirst();
    damage(shard);
    assertThat(StoreCheck.scrub(store()).values()).extracting(ScrubReport::ok).contains(false);
    assertThat(StoreCheck.verify(store()).ok()).isFalse();
    assertThat(
            StoreCheck.scrub(store(), List.of(dir.resolve("copy")), VerifyProgress.NONE).values())
        .allMatch(ScrubReport::ok);
    assertThat(StoreCheck.verify(store()).ok()).isTrue();
  }

  @Test
  void anEncryptedStoreNeedsItsKey() {
    fill(ShardedStore.builder(store()).encrypt(KEY));
    assertThat(StoreCheck.verify(store(), KEY, VerifyProgress.NONE).ok()).isTrue();
    assertThatThrownBy(() -> StoreCheck.verify(store())).isInstanceOf(EncryptionException.class);
    assertThatThrownBy(() -> StoreCheck.scrub(store())).isInstanceOf(EncryptionException.class);
  }

  @Test
  void aStoreThatIsOpenIsRefused() {
    try (ShardedStore _ = ShardedStore.builder(store()).shards(2).open()) {
      assertThatThrownBy(() -> StoreCheck.verify(store())).isInstanceOf(LockedException.class);
    }
  }

  @Test
  void aStoreThatIsMissingIsRefused() {
    assertThatThrownBy(() -> StoreCheck.verify(store())).isInstanceOf(MissingException.class);
  }
}
