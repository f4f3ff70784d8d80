package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.support.KeyBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gaps that docs/encryption.md names: somebody without a key replaces files of an encrypted cache,
 * and an entry that was removed is there again. What is there was stored under its key.
 */
class UnnoticedCacheTamperingTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int STATES = 8192; // bytes of the superblocks, behind which are the marks
  private static final int SEGMENTS = STATES + 4096;
  private static final int TABLE = SEGMENTS + 64;

  @TempDir Path directory;
  private byte[] first; // with an entry, closed
  private byte[] open; // the entry was removed, and the cache is open

  private Path file() {
    return directory.resolve("cache");
  }

  private BlockCacheBuilder builder() {
    return Caches.small(directory).encrypt(KEY);
  }

  @BeforeEach
  void make() throws IOException {
    try (BlockCache cache = builder().open()) {
      cache.put(key(1), value(1, 200));
    }
    first = Files.readAllBytes(file());
    try (BlockCache cache = builder().open()) {
      cache.awaitIndexed();
      cache.invalidate(key(1));
      open = Files.readAllBytes(file());
    }
  }

  private byte[] found(BlockCacheBuilder builder) {
    try (BlockCache cache = builder.open()) {
      cache.awaitIndexed();
      return Caches.get(cache, 1);
    }
  }

  @Test
  void withoutTamperingItIsRemoved() throws IOException {
    assertThat(found(builder())).isNull();
    Files.write(file(), open);
    assertThat(found(builder())).isNull();
  }

  @Test
  void anOldSlotAfterAKillBringsTheEntryBack() throws IOException {
    byte[] changed = open.clone();
    System.arraycopy(first, TABLE, changed, TABLE, 64);
    Files.write(file(), changed);
    assertThat(found(builder())).isEqualTo(value(1, 200));
  }

  /** The state of an open cache counts, which has no digests. */
  @Test
  void aStateFromWhileItWasOpenBringsTheEntryBack() throws IOException {
    byte[] changed = Files.readAllBytes(file());
    System.arraycopy(open, 0, changed, 0, STATES);
    System.arraycopy(first, TABLE, changed, TABLE, 64);
    Files.write(file(), changed);
    assertThat(found(builder())).isEqualTo(value(1, 200));
  }

  /** The opening makes the state that of an open cache before it reads any segment. */
  @Test
  void aKillBeforeTheSegmentIsReadLetsOldSlotsBack() throws IOException {
    byte[] closed = Files.readAllBytes(file());
    System.arraycopy(first, TABLE, closed, TABLE, 64);
    Files.write(file(), closed);
    byte[] killed;
    try (BlockCache _ = builder().open()) {
      killed = Files.readAllBytes(file());
    }
    Files.write(file(), killed);
    assertThat(found(builder())).isEqualTo(value(1, 200));
  }

  @Test
  void deletedMarksOfWhatWasRemovedDuringTheRecoveryLetItBack() throws IOException {
    Files.write(file(), first);
    byte[] killed;
    try (BlockCache cache = builder().open()) { // whose entries are not known yet
      cache.invalidate(key(1));
      killed = Files.readAllBytes(file());
    }
    byte[] without = killed.clone();
    Arrays.fill(without, STATES, SEGMENTS, (byte) 0);
    System.arraycopy(first, SEGMENTS, without, SEGMENTS, Caches.SEGMENT);
    byte[] with = killed.clone();
    System.arraycopy(first, SEGMENTS, with, SEGMENTS, Caches.SEGMENT);
    Files.write(file(), with);
    assertThat(found(builder())).isNull();
    Files.write(file(), without);
    assertThat(found(builder())).isEqualTo(value(1, 200));
  }

  @Test
  void allFilesOfAnEarlierMomentAreAcceptedUnlessTheTokenIsAnother() throws IOException {
    Files.write(file(), first);
    assertThat(found(builder())).isEqualTo(value(1, 200));
    Files.write(file(), first);
    assertThat(found(builder().generation(7))).isNull();
  }

  @Test
  void deletedEntriesAreMisses() throws IOException {
    byte[] changed = first.clone();
    System.arraycopy(open, 0, changed, 0, STATES); // as after a kill
    Arrays.fill(changed, TABLE, TABLE + 64, (byte) 0);
    Files.write(file(), changed);
    assertThat(found(builder())).isNull();
    Files.delete(file());
    assertThat(found(builder())).isNull();
  }

  @Test
  void anotherCacheWithTheWrappingKeyIsOpened() throws IOException {
    Path other = directory.resolve("other");
    try (BlockCache cache = Caches.small(other).encrypt(KEY).open()) {
      cache.put(key(1), value(2, 100));
    }
    for (String name : new String[] {"keys", "cache"}) {
      Files.write(directory.resolve(name), Files.readAllBytes(other.resolve(name)));
    }
    assertThat(found(builder())).isEqualTo(value(2, 100));
    assertThatThrownBy(
            () -> Caches.small(directory).encrypt(KeyProvider.of(KeyBytes.of(1))).open().close())
        .isInstanceOf(EncryptionException.class);
  }
}
