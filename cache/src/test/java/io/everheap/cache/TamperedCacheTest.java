package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.error.EverheapException;
import io.everheap.error.ForeignException;
import io.everheap.report.VerifyProgress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted caches whose files were changed by somebody without the key. */
class TamperedCacheTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int SEGMENTS = 8192 + 4096;
  private static final int TABLE = SEGMENTS + 64;
  private static final int FIRST = SEGMENTS + Caches.SEGMENT - 256; // block, from the end on
  private static final int SECOND = FIRST - 256;

  @TempDir Path directory;

  private Path file() {
    return directory.resolve("cache");
  }

  private BlockCacheBuilder builder() {
    return Caches.small(directory).encrypt(KEY);
  }

  /** Opens the cache and finds all its entries. */
  private BlockCache open() {
    BlockCache cache = builder().open();
    cache.awaitIndexed();
    return cache;
  }

  /** Puts bytes back that were there before, while the cache is closed. */
  private void putBack(byte[] old, int at, int length) throws Exception {
    byte[] changed = bytes();
    System.arraycopy(old, at, changed, at, length);
    Files.write(file(), changed);
  }

  private byte[] bytes() throws Exception {
    return Files.readAllBytes(file());
  }

  /** Two entries of two blocks of 256 bytes each, at the start of the first segment. */
  @BeforeEach
  void make() {
    try (BlockCache cache = open()) {
      cache.put(key(1), value(1, 200));
      cache.put(key(2), value(2, 200));
    }
  }

  private static boolean isRightOrMissing(BlockCache cache, int key) {
    byte[] found = Caches.get(cache, key);
    return found == null || Arrays.equals(found, value(key, 200));
  }

  @Test
  void aChangedBitIsNeverBelieved() throws Exception {
    byte[] sound = bytes();
    int[] parts = {0, 4096, SEGMENTS, TABLE, FIRST, FIRST + 100, SECOND};
    for (int part : parts) {
      for (int i = 0; i < 100; i += 5) {
        byte[] changed = sound.clone();
        changed[part + i] ^= (byte) (1 << i / 5 % 8);
        Files.write(file(), changed);
        try (BlockCache cache = open()) {
          assertThat(isRightOrMissing(cache, 1) && isRightOrMissing(cache, 2))
              .as("byte %s", part + i)
              .isTrue();
        }
      }
    }
  }

  @Test
  void whatIsNotAuthenticIsAMissAndReported() throws Exception {
    byte[] changed = bytes();
    changed[FIRST + 30] ^= 1;
    Files.write(file(), changed);
    CacheReport report = CacheCheck.verify(directory, KEY, VerifyProgress.NONE);
    assertThat(report.problems()).hasSize(1);
    assertThat(report.problems().getFirst().message()).contains("is not authentic");
    assertThat(report.entries()).isOne();
    try (BlockCache cache = open()) {
      assertThat(Caches.get(cache, 1)).isNull();
      assertThat(Caches.holds(cache, 2, value(2, 200))).isTrue();
      assertThat(cache.stats().damaged()).isOne();
      assertThat(cache.stats().entries()).isOne();
    }
  }

  @Test
  void whatIsNotAuthenticIsNotVisited() throws Exception {
    byte[] changed = bytes();
    changed[FIRST + 30] ^= 1;
    Files.write(file(), changed);
    List<byte[]> visited = new ArrayList<>();
    CacheReport.forEach(directory, entry -> visited.add(entry.key()), KEY);
    assertThat(visited).containsExactly(key(2));
    visited.clear();
    try (BlockCache cache = builder().open()) {
      assertThat(cache.invalidateIf(key -> !visited.add(key), Long.MAX_VALUE)).isZero();
      assertThat(visited).containsExactly(key(2));
      assertThat(cache.stats().damaged()).isOne();
    }
  }

  @Test
  void aBlockThatIsChangedWhileTheCacheIsOpenIsAMiss() throws Exception {
    try (BlockCache cache = open()) {
      assertThat(Caches.holds(cache, 1, value(1, 200))).isTrue();
      byte[] changed = bytes();
      try (var out = Files.newByteChannel(file(), java.nio.file.StandardOpenOption.WRITE)) {
        changed[FIRST + 40] ^= 1;
        out.position(FIRST).write(java.nio.ByteBuffer.wrap(changed, FIRST, 256));
      }
      assertThat(Caches.get(cache, 1)).isNull();
      assertThat(cache.stats().damaged()).isOne();
      assertThat(cache.contains(key(1))).isFalse();
    }
  }

  @Test
  void entriesCannotChangePlaces() throws Exception {
    byte[] sound = bytes();
    for (boolean slots : new boolean[] {false, true}) {
      for (boolean blocks : new boolean[] {false, true}) {
        byte[] changed = sound.clone();
        if (slots) {
          exchange(changed, TABLE, TABLE + 64, 64);
        }
        if (blocks) {
          exchange(changed, FIRST, SECOND, 256);
        }
        Files.write(file(), changed);
        try (BlockCache cache = open()) {
          for (int key = 1; key <= 2; key++) {
            byte[] found = Caches.get(cache, key);
            assertThat(found == null)
                .as("slots %s, blocks %s", slots, blocks)
                .isEqualTo(slots || blocks);
          }
          assertThat(cache.stats().damaged()).isGreaterThanOrEqualTo(slots || blocks ? 2 : 0);
        }
      }
    }
  }

  private static void exchange(byte[] bytes, int one, int other, int length) {
    byte[] kept = Arrays.copyOfRange(bytes, one, one + length);
    System.arraycopy(bytes, other, bytes, one, length);
    System.arraycopy(kept, 0, bytes, other, length);
  }

  /** The block is at the place of the new one, which has the same length. */
  @Test
  void anOldBlockIsNotTheNewOne() throws Exception {
    byte[] old = bytes();
    try (BlockCache cache = open()) {
      cache.invalidateAll();
      cache.put(key(1), value(3, 200));
    }
    putBack(old, FIRST, 256);
    try (BlockCache cache = open()) {
      assertThat(Caches.get(cache, 1)).isNull();
      assertThat(cache.stats().damaged()).isOne();
    }
  }

  @Test
  void anEntryThatEndedBeforeTheCacheWasClosedCannotBePutBack() throws Exception {
    byte[] old = bytes();
    try (BlockCache cache = open()) {
      cache.invalidate(key(1));
    }
    putBack(old, TABLE, 64);
    assertThat(
            CacheCheck.verify(directory, KEY, VerifyProgress.NONE).problems().getFirst().message())
        .contains("not as it was when the cache was closed");
    try (BlockCache cache = open()) {
      assertThat(Caches.get(cache, 1)).isNull();
      assertThat(Caches.get(cache, 2)).as("nothing of that segment is believed").isNull();
      assertThat(cache.stats().damaged()).isOne();
    }
  }

  @Test
  void aSegmentOfAnEarlierCloseIsRefused() throws Exception {
    byte[] old = bytes();
    try (BlockCache cache = open()) {
      cache.invalidate(key(1));
    }
    putBack(old, SEGMENTS, Caches.SEGMENT);
    try (BlockCache cache = open()) {
      assertThat(Caches.get(cache, 1)).isNull();
      assertThat(cache.stats().damaged()).isOne();
    }
  }

  @Test
  void superblocksOfAnEarlierCloseDoNotBringEntriesBack() throws Exception {
    byte[] old = bytes();
    try (BlockCache cache = open()) {
      cache.invalidateAll();
      cache.put(key(3), value(3, 200));
    }
    putBack(old, 0, 8192);
    try (BlockCache cache = open()) {
      assertThat(Caches.get(cache, 1)).isNull();
      assertThat(Caches.get(cache, 3)).isNull();
      assertThat(cache.stats().damaged()).isPositive();
    }
  }

  @Test
  void damageToASuperblockDoesNotTurnTheDigestsOff() throws Exception {
    byte[] old = bytes();
    try (BlockCache cache = open()) {
      cache.invalidate(key(1));
    }
    for (int superblock = 0; superblock < 2; superblock++) {
      byte[] changed = bytes();
      System.arraycopy(old, TABLE, changed, TABLE, 64);
      changed[superblock * 4096 + 100] ^= 1;
      byte[] before = bytes();
      Files.write(file(), changed);
      try (BlockCache cache = open()) {
        assertThat(Caches.get(cache, 1)).as("superblock %s", superblock).isNull();
      }
      Files.write(file(), before);
    }
  }

  @Test
  void eitherSuperblockIsEnough() throws Exception {
    byte[] sound = bytes();
    for (int superblock = 0; superblock < 2; superblock++) {
      byte[] changed = sound.clone();
      Arrays.fill(changed, superblock * 4096, superblock * 4096 + 4096, (byte) 0);
      Files.write(file(), changed);
      assertThatThrownBy(() -> Caches.small(directory).open())
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("give its key");
      assertThat(CacheCheck.verify(directory, KEY, VerifyProgress.NONE).entries()).isEqualTo(2);
      try (BlockCache cache = open()) {
        assertThat(Caches.holds(cache, 1, value(1, 200))).isTrue();
        assertThat(Caches.holds(cache, 2, value(2, 200))).isTrue();
      }
    }
  }

  @Test
  void superblocksThatAreNotAuthenticAreRefused() throws Exception {
    byte[] changed = bytes();
    changed[200] ^= 1;
    changed[4096 + 200] ^= 1;
    Files.write(file(), changed);
    assertThatThrownBy(() -> builder().open()).isInstanceOf(ForeignException.class);
    assertThat(bytes()).isEqualTo(changed);
  }

  /** The same data key, so that only what is authenticated tells the files apart. */
  @Test
  void entriesOfAnotherFileAreRefused() throws Exception {
    Path other = directory.resolve("other");
    Files.createDirectory(other);
    Files.copy(directory.resolve("keys"), other.resolve("keys"));
    try (BlockCache cache = Caches.small(other).encrypt(KEY).open()) {
      cache.put(key(1), value(7, 200));
      cache.put(key(2), value(8, 200));
    }
    byte[] changed = bytes();
    byte[] foreign = Files.readAllBytes(other.resolve("cache"));
    System.arraycopy(foreign, TABLE, changed, TABLE, 4096);
    System.arraycopy(foreign, SECOND, changed, SECOND, 512);
    Files.write(file(), changed);
    try (BlockCache cache = open()) {
      assertThat(Caches.get(cache, 1)).isNull();
      assertThat(Caches.get(cache, 2)).isNull();
      assertThat(cache.stats().damaged()).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void anyBytesAreServedOrRefused() throws Exception {
    byte[] sound = bytes();
    Random random = new Random(1);
    for (int round = 0; round < 40; round++) {
      byte[] changed = sound.clone();
      int count = 1 << random.nextInt(10);
      for (int i = 0; i < count; i++) {
        int at = (random.nextBoolean() ? SEGMENTS : 0) + random.nextInt(12_288);
        changed[at] ^= (byte) (1 << random.nextInt(8));
      }
      byte[] cut =
          random.nextInt(4) == 0 ? Arrays.copyOf(changed, random.nextInt(100_000)) : changed;
      Files.write(file(), cut);
      try {
        assertThat(CacheCheck.verify(directory, KEY, VerifyProgress.NONE).entries())
            .isBetween(0L, 2L);
      } catch (EverheapException e) {
        assertThat(e).hasMessageContaining("cache");
      }
      try (BlockCache cache = open()) {
        assertThat(isRightOrMissing(cache, 1) && isRightOrMissing(cache, 2)).isTrue();
        for (int i = 0; i < 150; i++) {
          assertThat(cache.put(key(-i), value(-i, 2000))).isTrue();
          assertThat(Caches.holds(cache, -i, value(-i, 2000))).isTrue();
        }
      } catch (EverheapException e) {
        assertThat(bytes()).as("refused: %s", e).isEqualTo(cut);
      }
    }
  }
}
