package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.EncryptedDirectory;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.memory.Medium;
import io.everheap.report.VerifyProgress;
import io.everheap.support.Limit;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted caches: their keys, what they hold, and what reaches their files. */
class EncryptedCacheTest {
  private static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final KeyProvider OTHER = KeyProvider.of(value(1, 32));
  private static final String SECRET = "nobody may find this in a file";

  @TempDir Path directory;

  private BlockCacheBuilder encrypted() {
    return Caches.small(directory).encrypt(KEY);
  }

  @Test
  void entriesAreThereAgainWithTheKey() {
    try (BlockCache cache = encrypted().open()) {
      for (int i = 0; i < 200; i++) {
        assertThat(cache.put(key(i), value(i, i * 7))).isTrue();
      }
      cache.put(key(""), new byte[0]);
      cache.put(new byte[0], value(1, 1));
      assertThat(cache.invalidate(key(3))).isTrue();
      cache.put(key(4), value(40, 100));
      assertThat(Caches.holds(cache, 4, value(40, 100))).isTrue();
    }
    for (int opening = 0; opening < 2; opening++) {
      try (BlockCache cache = encrypted().open()) {
        cache.awaitIndexed();
        for (int i = 5; i < 200; i++) {
          assertThat(Caches.holds(cache, i, value(i, i * 7))).as("key %s", i).isTrue();
        }
        assertThat(Caches.get(cache, 3)).isNull();
        assertThat(Caches.holds(cache, 4, value(40, 100))).isTrue();
        assertThat(cache.contains(key(200))).isFalse();
        assertThat(cache.contains(new byte[0])).isTrue();
        assertThat(cache.stats().damaged()).isZero();
        assertThat(cache.stats().recovered()).isEqualTo(200);
      }
    }
  }

  @Test
  void aBlockAsLargeAsASegmentFits() {
    try (BlockCache cache = encrypted().open()) {
      int most = Caches.SEGMENT - 64 - 4096 - 44 - key(1).length;
      assertThat(cache.put(key(1), value(1, most))).isTrue();
      assertThat(Caches.holds(cache, 1, value(1, most))).isTrue();
      assertThat(cache.put(key(2), value(1, most + 1))).isFalse();
      assertThat(cache.allocate(key(2), Long.MAX_VALUE)).isNull();
    }
  }

  @Test
  void blocksThatNeedSeveralPartsAreWhole() {
    for (int length : new int[] {65_535, 65_536, 65_537, 131_068, 200_000}) {
      try (BlockCache cache =
          BlockCache.builder(directory.resolve("" + length), 4 << 20)
              .segmentSize(1 << 20)
              .background(false)
              .encrypt(KEY)
              .open()) {
        cache.put(key(1), value(length, length));
        assertThat(Caches.holds(cache, 1, value(length, length))).as("%s", length).isTrue();
      }
    }
  }

  @Test
  void nothingIsInAFileAsItIs() throws Exception {
    try (DurableCache<String, String> cache =
        DurableCache.builder(directory, Caches.SMALL, String.class, String.class)
            .blocks(b -> b.segmentSize(Caches.SEGMENT).background(false))
            .encrypt(KEY)
            .open()) {
      for (int i = 0; i < 100; i++) {
        cache.put(SECRET + " key " + i, SECRET.repeat(20) + i);
        cache.put("half " + i, SECRET);
      }
      try (BlockInsert insert = cache.blocks().allocate(key(SECRET), 500)) {
        assertThat(insert).isNotNull();
        insert.segment().copyFrom(MemorySegment.ofArray(SECRET.getBytes(UTF_8)));
        requireNoPlaintext();
        insert.insert();
      }
      for (int i = 0; i < 100; i++) {
        assertThat(cache.getIfPresent(SECRET + " key " + i)).isEqualTo(SECRET.repeat(20) + i);
        cache.invalidate("half " + i);
      }
      try (BlockHandle handle = cache.blocks().get(key(SECRET))) {
        assertThat(handle).isNotNull();
        assertThat(handle.key()).isEqualTo(key(SECRET));
        requireNoPlaintext();
      }
    }
    requireNoPlaintext();
  }

  private void requireNoPlaintext() throws Exception {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text =
            new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThat(text.contains("nobody") || text.contains("find this") || text.contains("half "))
            .as("plaintext in %s", file)
            .isFalse();
      }
    }
  }

  /** Two caches that do the same have different files, but for zeros and the magic. */
  @Test
  void theSameEntriesGiveOtherBytesInEachCache() throws Exception {
    List<byte[]> files = new ArrayList<>();
    for (String name : List.of("a", "b")) {
      try (BlockCache cache = Caches.small(directory.resolve(name)).encrypt(KEY).open()) {
        cache.put(key(1), new byte[1000]);
      }
      files.add(Files.readAllBytes(directory.resolve(name).resolve("cache")));
    }
    int slot = 8192 + 4096 + 64 + 8;
    int same = 0;
    for (int i = 0; i < 56; i++) {
      same += files.get(0)[slot + i] == files.get(1)[slot + i] ? 1 : 0;
    }
    assertThat(same).isLessThan(10);
  }

  @Test
  void noNonceIsUsedTwice() throws Exception {
    Set<List<Byte>> nonces = new HashSet<>();
    byte[] copy = null;
    for (int opening = 0; opening < 6; opening++) {
      try (BlockCache cache = encrypted().open()) {
        cache.awaitIndexed();
        for (int i = 0; i < 20; i++) {
          cache.invalidateAll(); // so that the block is at the same place each time
          cache.put(key(1), value(1, 100));
          byte[] file = Files.readAllBytes(directory.resolve("cache"));
          int block = 8192 + 4096 + Caches.SEGMENT - 192; // of 100, 1 and 44 bytes, at the end
          List<Byte> nonce = new ArrayList<>();
          for (int at = block; at < block + 24; at++) {
            nonce.add(file[at]);
          }
          assertThat(nonces.add(nonce)).as("opening %s, put %s", opening, i).isTrue();
        }
      }
      if (opening == 2) {
        copy = Files.readAllBytes(directory.resolve("cache"));
      } else if (opening == 4) {
        Files.write(directory.resolve("cache"), copy); // a copy that goes on as well
      }
    }
  }

  @Test
  void theWrongKeyIsRefused() {
    encrypted().open().close();
    assertThatThrownBy(() -> Caches.small(directory).encrypt(OTHER).open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("EH-ENCRYPTION");
    assertThatThrownBy(() -> CacheCheck.verify(directory, OTHER, VerifyProgress.NONE))
        .isInstanceOf(EncryptionException.class);
    encrypted().open().close();
  }

  @Test
  void aMissingKeyIsRefused() {
    encrypted().open().close();
    assertThatThrownBy(() -> Caches.small(directory).open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("is encrypted: give its key");
    assertThatThrownBy(() -> CacheCheck.verify(directory)).isInstanceOf(EncryptionException.class);
  }

  @Test
  void aKeyForACacheInPlaintextIsRefused() {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key(1), value(1, 100));
    }
    assertThatThrownBy(() -> encrypted().open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("is not encrypted");
    assertThatThrownBy(() -> CacheCheck.verify(directory, KEY, VerifyProgress.NONE))
        .isInstanceOf(EncryptionException.class);
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.awaitIndexed();
      assertThat(Caches.holds(cache, 1, value(1, 100))).isTrue();
    }
  }

  @Test
  void aRefusedKeyLeavesNothingBehind() {
    Path place = directory.resolve("new/cache");
    KeyProvider refused = KeyProvider.file(directory.resolve("none.key"));
    assertThatThrownBy(() -> Caches.small(place).encrypt(refused).open())
        .isInstanceOf(EncryptionException.class);
    assertThat(directory.resolve("new")).doesNotExist();
    Caches.small(place).encrypt(KEY).open().close();
  }

  @Test
  void aMissingFileOfKeysIsNamed() throws Exception {
    encrypted().open().close();
    Files.delete(directory.resolve("keys"));
    List<ThrowingCallable> uses =
        List.of(
            () -> encrypted().open(),
            () -> Caches.small(directory).open(),
            () -> CacheCheck.verify(directory, null, VerifyProgress.NONE),
            () -> CacheCheck.verify(directory, KEY, VerifyProgress.NONE));
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use)
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining("file of keys (keys) is missing: put it back");
    }
    assertThatThrownBy(() -> EncryptedDirectory.rekey(directory, KEY, OTHER))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("the file keys there, which has their data key, is missing");
    assertThat(Files.exists(directory.resolve("keys"))).isFalse();
  }

  @Test
  void aCacheInPlaintextInItsPlaceIsRefused() throws Exception {
    encrypted().open().close();
    Path other = directory.resolve("other");
    Caches.small(other).open().close();
    Files.copy(
        other.resolve("cache"),
        directory.resolve("cache"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> encrypted().open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("has keys, but its file is not encrypted");
  }

  @Test
  void theWrappingKeyCanBeReplaced() {
    try (BlockCache cache = encrypted().open()) {
      cache.put(key(1), value(1, 100));
    }
    EncryptedDirectory.rekey(directory, KEY, OTHER);
    assertThatThrownBy(() -> encrypted().open()).isInstanceOf(EncryptionException.class);
    try (BlockCache cache = Caches.small(directory).encrypt(OTHER).open()) {
      cache.awaitIndexed();
      assertThat(Caches.holds(cache, 1, value(1, 100))).isTrue();
    }
  }

  @Test
  void aShreddedCacheIsGone() throws Exception {
    encrypted().open().close();
    byte[] file = Files.readAllBytes(directory.resolve("cache"));
    EncryptedDirectory.shred(directory);
    assertThat(directory.resolve("cache")).doesNotExist();
    assertThat(directory.resolve("keys")).doesNotExist();
    Files.write(directory.resolve("cache"), file); // it was interrupted
    EncryptedDirectory.shred(directory);
    assertThat(directory.resolve("cache")).doesNotExist();
    Caches.small(directory).open().close();
    assertThatThrownBy(() -> EncryptedDirectory.shred(directory))
        .isInstanceOf(EncryptionException.class);
  }

  @Test
  void allDirectoriesHaveOneDataKey() {
    Path second = directory.resolve("second");
    Path first = directory.resolve("first");
    for (int opening = 0; opening < 2; opening++) {
      try (BlockCache cache =
          Caches.small(first).directory(second, Caches.SMALL).encrypt(KEY).open()) {
        cache.awaitIndexed();
        for (int i = 0; i < 100; i++) {
          if (opening == 0) {
            cache.put(key(i), value(i, 1000));
          }
          assertThat(Caches.holds(cache, i, value(i, 1000))).isTrue();
        }
      }
    }
    Path foreign = directory.resolve("foreign");
    Caches.small(foreign).encrypt(KEY).open().close();
    assertThatThrownBy(
            () -> Caches.small(first).directory(foreign, Caches.SMALL).encrypt(KEY).open())
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("another data key");
  }

  /** A new file has one superblock, in the place that comes next in the files that are there. */
  @Test
  void aCrashWhileADirectoryIsAddedIsSurvived() throws Exception {
    Path first = directory.resolve("first");
    Caches.small(first).encrypt(KEY).open().close();
    for (int i = 0; i < 2; i++) {
      Path second = directory.resolve("second" + i);
      BlockCacheBuilder builder = Caches.small(first).directory(second, Caches.SMALL).encrypt(KEY);
      assertThatThrownBy(() -> builder.media(path -> endingAtMap(path, second)).open())
          .hasMessageContaining("of the test");
      assertThat(second.resolve("cache")).exists();
      try (BlockCache cache =
          Caches.small(first).directory(second, Caches.SMALL).encrypt(KEY).open()) {
        cache.invalidateAll(); // one superblock more, so that the next place is the other one
        cache.put(key(1), value(1, 100));
        assertThat(Caches.holds(cache, 1, value(1, 100))).isTrue();
      }
    }
  }

  /** Files of which one is not mapped any more: the program ends. */
  private static Medium endingAtMap(Path path, Path last) {
    return HookedFiles.open(
        path,
        call -> {
          if (call.equals("map") && path.equals(last)) {
            throw new IllegalStateException("of the test");
          }
        },
        region -> region);
  }

  @Test
  void eachDirectoryGetsANewWrappingKey() {
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    BlockCacheBuilder both = Caches.small(first).directory(second, Caches.SMALL);
    try (BlockCache cache = both.encrypt(KEY).open()) {
      cache.put(key(1), value(1, 100));
    }
    EncryptedDirectory.rekey(first, KEY, OTHER);
    for (KeyProvider one : List.of(KEY, OTHER)) {
      assertThatThrownBy(() -> both.encrypt(one).open()).isInstanceOf(EncryptionException.class);
    }
    EncryptedDirectory.rekey(second, KEY, OTHER);
    try (BlockCache cache = both.encrypt(OTHER).open()) {
      cache.awaitIndexed();
      assertThat(Caches.holds(cache, 1, value(1, 100))).isTrue();
    }
  }

  @Test
  void handlesKeepTheirBytesUntilTheyAreClosed() {
    BlockCache cache = encrypted().open();
    cache.put(key(1), value(1, 3000));
    BlockHandle handle = cache.get(key(1));
    assertThat(handle).isNotNull();
    cache.invalidate(key(1));
    for (int i = 2; i < 300; i++) {
      cache.put(key(i), value(i, 3000));
      assertThat(Caches.holds(cache, i, value(i, 3000))).isTrue();
    }
    assertThat(handle.toArray()).isEqualTo(value(1, 3000));
    assertThat(handle.segment().isReadOnly()).isTrue();
    assertThat(handle.segment().isNative()).isTrue();
    handle.close();
    assertThat(cache.stats().pinnedBytes()).isZero();
    BlockHandle open = cache.get(key(299));
    assertThat(open).isNotNull();
    MemorySegment segment = open.segment();
    cache.close();
    assertThatThrownBy(() -> segment.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void timesAreKeptAndCanBeChanged() throws Exception {
    var now = new AtomicLong(1_000_000);
    for (int opening = 0; opening < 3; opening++) {
      try (DurableCache<String, String> cache =
          DurableCache.builder(directory, Caches.SMALL, String.class, String.class)
              .expireAfterAccess(Duration.ofSeconds(1))
              .blocks(b -> b.segmentSize(Caches.SEGMENT).background(false).clock(now::get))
              .encrypt(KEY)
              .open()) {
        cache.blocks().awaitIndexed();
        if (opening == 0) {
          cache.put("a", "1");
          cache.put("b", "2");
          cache.timed().put("c", "3", Instant.MAX);
        }
        assertThat(cache.getIfPresent("a")).isEqualTo("1");
        assertThat(cache.timed().contains("b")).isEqualTo(opening < 2);
        assertThat(cache.timed().peek("c")).isNotNull();
        assertThat(cache.blocks().stats().damaged()).isZero();
        now.addAndGet(600);
      }
    }
  }

  @Test
  void listenersGetWhatEnded() {
    List<String> told = new ArrayList<>();
    try (BlockCache cache =
        encrypted()
            .removalListener((k, v, cause) -> told.add(new String(k, UTF_8) + v.length + cause))
            .open()) {
      cache.put(key("a"), new byte[5]);
      cache.put(key("a"), new byte[6]);
      cache.invalidate(key("a"));
    }
    assertThat(told).containsExactly("a5REPLACED", "a6EXPLICIT");
  }

  @Test
  void unwantedBlocksAreFoundByTheirKeys() {
    try (BlockCache cache = encrypted().open()) {
      for (int i = 0; i < 50; i++) {
        cache.put(key(i), value(i, 100));
      }
      assertThat(cache.invalidateIf(k -> k.length == 1, Long.MAX_VALUE)).isEqualTo(10);
      assertThat(cache.contains(key(9))).isFalse();
      assertThat(cache.contains(key(10))).isTrue();
    }
  }

  @Test
  void aReportHasTheKeysAndTheSizes() {
    try (BlockCache cache = encrypted().open()) {
      cache.put(key("abc"), value(1, 100));
    }
    CacheReport report = CacheCheck.verify(directory, KEY, VerifyProgress.NONE);
    assertThat(report.problems()).isEmpty();
    assertThat(report.entries()).isOne();
    assertThat(report.entryBytes()).isEqualTo(103);
    assertThat(report.formatVersion()).isEqualTo(3);
    assertThat(CacheReport.of(directory, KEY).entryBytes()).isEqualTo(103);
    List<String> keys = new ArrayList<>();
    CacheReport.forEach(
        directory,
        entry -> {
          assertThat(entry.length()).isEqualTo(100);
          return keys.add(new String(entry.key(), UTF_8));
        },
        KEY);
    assertThat(keys).containsExactly("abc");
  }

  @Test
  void segmentsThatAreCheckedAreCopies() {
    try (BlockCache cache = encrypted().checkSegments().open()) {
      try (BlockInsert insert = cache.allocate(key(1), 3)) {
        assertThat(insert).isNotNull();
        insert.segment().copyFrom(MemorySegment.ofArray(new byte[] {1, 2, 3}));
        insert.insert();
      }
      BlockHandle handle = cache.get(key(1));
      assertThat(handle).isNotNull();
      MemorySegment segment = handle.segment();
      assertThat(handle.toArray()).containsExactly(1, 2, 3);
      handle.close();
      assertThat(segment.scope().isAlive()).isFalse();
    }
  }

  @Test
  void threadsFindWhatWasPutUnderTheirKeys() throws Exception {
    try (BlockCache cache = encrypted().open();
        var threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        int t = thread;
        all.add(
            threads.submit(
                () -> {
                  var random = new Random(t);
                  for (int i = 0; i < 5000; i++) {
                    int key = random.nextInt(300);
                    byte[] found = Caches.get(cache, key);
                    if (found != null) {
                      assertThat(found).isEqualTo(value(key, 10 * key));
                    } else {
                      cache.put(key(key), value(key, 10 * key));
                    }
                    if (i % 50 == 0) {
                      cache.invalidate(key(key));
                    }
                  }
                }));
      }
      for (Future<?> each : all) {
        Limit.get(each);
      }
      assertThat(cache.stats().damaged()).isZero();
      assertThat(cache.stats().evictions()).isPositive();
    }
  }
}
