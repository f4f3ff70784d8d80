package io.everheap.cache;

import static io.everheap.cache.Caches.get;
import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.cache.format.FileLayout;
import io.everheap.error.ForeignException;
import io.everheap.error.LockedException;
import io.everheap.error.MediumException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cache that is opened again. */
@Campaign
class ReopenedCacheTest {
  @TempDir Path directory;

  @Test
  void blocksAreThereAgain() {
    int count = 0;
    try (BlockCache cache = Caches.small(directory).open()) {
      for (; count < 2000; count++) {
        cache.put(key(count), value(count, count % 300));
      }
      cache.invalidate(key(7));
      cache.put(key(8), value(-8, 100));
      assertThat(cache.stats().evictions()).isZero();
    }
    try (BlockCache cache = Caches.small(directory).open()) {
      assertThat(cache.isIndexed()).isFalse();
      assertThat(get(cache, 1)).as("before it was looked for").isNull();
      cache.awaitIndexed();
      assertThat(cache.stats().recovered()).isEqualTo(count - 1);
      for (int i = 0; i < count; i++) {
        byte[] expected = i == 7 ? null : i == 8 ? value(-8, 100) : value(i, i % 300);
        assertThat(get(cache, i)).as("block " + i).isEqualTo(expected);
      }
      assertThat(cache.stats().damaged()).isZero();
    }
  }

  @Test
  void spaceIsTheSameAfterManyOpenings() {
    Random random = new Random(1);
    for (int round = 0; round < 3; round++) {
      CacheStats before;
      try (BlockCache cache = Caches.small(directory).open()) {
        for (int i = 0; i < 1000; i++) {
          int key = random.nextInt(500);
          if (random.nextInt(4) == 0) {
            cache.invalidate(key(key));
          } else {
            assertThat(cache.put(key(key), value(key, random.nextInt(3000)))).isTrue();
          }
        }
        cache.awaitIndexed();
        before = cache.stats();
      }
      try (BlockCache again = Caches.small(directory).open()) {
        again.awaitIndexed();
        assertThat(again.stats().entries()).isEqualTo(before.entries());
        assertThat(again.stats().freeBytes()).isEqualTo(before.freeBytes());
      }
    }
  }

  @Test
  void whatIsPutWhileBlocksAreRecoveredWins() {
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int i = 0; i < 100; i++) {
        cache.put(key(i), value(i, 100));
      }
    }
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key(1), value(-1, 50));
      cache.invalidate(key(2));
      cache.put(key(3), value(-3, 50));
      cache.invalidate(key(3));
      cache.awaitIndexed();
      assertThat(get(cache, 1)).isEqualTo(value(-1, 50));
      assertThat(get(cache, 2)).isNull();
      assertThat(get(cache, 3)).isNull();
      assertThat(cache.stats().entries())
          .as("but for those with the same bits")
          .isBetween(90L, 98L);
    }
  }

  @Test
  void whatIsRemovedOfASegmentThatIsBeingReadTakesNothingElseWithIt() {
    int count = 2000; // several segments, with tables of several chunks
    int gone = 50; // leave room in the segment that is read first
    long left;
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int i = 0; i < count; i++) {
        cache.put(key(i), value(i, 20));
      }
      for (int i = 0; i < gone; i++) {
        cache.invalidate(key(i));
      }
      assertThat(cache.stats().evictions()).isZero();
    }
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int i = count - 10; i < count; i++) {
        cache.put(key(i), value(-i, 20)); // those of a segment that are found first
      }
      assertThat(cache.isIndexed()).isFalse();
      cache.awaitIndexed();
      Set<Long> hidden = bits(cache, Caches.SMALL, IntStream.range(count - 10, count));
      for (int i = gone; i < count; i++) {
        byte[] expected = value(i < count - 10 ? i : -i, 20);
        if (i >= count - 10 || !hidden.contains(bit(cache, Caches.SMALL, i))) {
          assertThat(get(cache, i)).as("block " + i).isEqualTo(expected);
        }
      }
      assertThat(cache.stats().damaged()).isZero();
      left = cache.stats().entries();
    }
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.awaitIndexed();
      assertThat(cache.stats().entries()).isEqualTo(left);
    }
  }

  @Test
  void whatOtherThreadsPutWhileASegmentIsReadTakesNoPlaceInIt() throws InterruptedException {
    int count = 30_000;
    int gone = 100; // leave some room in the segment that is read first
    int step = 70; // keys of all segments
    for (int round = 0; round < 3; round++) {
      Path own = directory.resolve("round" + round);
      try (BlockCache cache = open(own)) {
        for (int i = 0; i < count; i++) {
          cache.put(key(i), value(i, 20));
        }
        for (int i = 0; i < gone; i++) {
          cache.invalidate(key(i));
        }
        assertThat(cache.stats().evictions()).isZero();
      }
      try (BlockCache cache = open(own)) {
        Thread recovery = Thread.ofPlatform().start(cache::awaitIndexed);
        for (int i = count - 1; i >= gone; i -= step) {
          cache.put(key(i), value(-i, 20));
        }
        Limit.join(recovery);
        cache.awaitIndexed();
        IntPredicate isPut = i -> (count - 1 - i) % step == 0;
        Set<Long> hidden = bits(cache, 8 << 20, IntStream.range(gone, count).filter(isPut));
        for (int i = gone; i < count; i++) {
          byte[] expected = value(isPut.test(i) ? -i : i, 20);
          if (isPut.test(i) || !hidden.contains(bit(cache, 8 << 20, i))) {
            assertThat(get(cache, i)).as("block " + i).isEqualTo(expected);
          }
        }
        assertThat(cache.stats().damaged()).isZero();
      }
    }
  }

  /** Seven segments of 1 MiB, without threads. */
  private static BlockCache open(Path directory) {
    return BlockCache.builder(directory, 8 << 20)
        .segmentSize(1 << 20)
        .onFile()
        .background(false)
        .open();
  }

  /** The bits of the map of removals that are set for some keys; others may share them. */
  private static Set<Long> bits(BlockCache cache, long capacity, IntStream keys) {
    return keys.mapToObj(i -> bit(cache, capacity, i)).collect(Collectors.toSet());
  }

  private static long bit(BlockCache cache, long capacity, int key) {
    long bits = FileLayout.removalBytes(capacity) * Byte.SIZE;
    return Math.unsignedMultiplyHigh(cache.store().hash(key(key)), bits);
  }

  @Test
  void removalsDuringARecoveryThatDidNotEndAreKept() {
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int i = 0; i < 100; i++) {
        cache.put(key(i), value(i, 1000));
      }
    }
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.invalidate(key(2));
      cache.put(key(3), value(-3, 50));
      cache.invalidate(key(3));
    }
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.awaitIndexed();
      assertThat(get(cache, 2)).isNull();
      assertThat(get(cache, 3)).isNull();
      assertThat(cache.stats().entries())
          .as("but for those with the same bits")
          .isBetween(90L, 98L);
    }
  }

  @Test
  void whatExpiredMeanwhileIsNotServed() {
    AtomicLong now = new AtomicLong(1_000_000);
    try (BlockCache cache = Caches.small(directory).clock(now::get).open()) {
      try (BlockInsert insert = cache.allocate(key("a"), 10)) {
        insert.insert(java.time.Instant.ofEpochMilli(2_000_000));
      }
    }
    now.set(1_999_999);
    try (BlockCache cache = Caches.small(directory).clock(now::get).open()) {
      cache.awaitIndexed();
      assertThat(get(cache, "a")).isNotNull();
    }
    now.set(2_000_000);
    try (BlockCache cache = Caches.small(directory).clock(now::get).open()) {
      cache.awaitIndexed();
      assertThat(get(cache, "a")).isNull();
    }
  }

  @Test
  void aDamagedValueIsAMiss() throws IOException {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key("a"), value(1, 5000));
      cache.put(key("b"), value(2, 5000));
    }
    damage(find(value(1, 5000)) + 100);
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.awaitIndexed();
      assertThat(get(cache, "a")).isNull();
      assertThat(get(cache, "b")).isEqualTo(value(2, 5000));
      assertThat(cache.stats().damaged()).isEqualTo(1);
      assertThat(cache.put(key("a"), value(3, 5000))).isTrue();
      assertThat(get(cache, "a")).isEqualTo(value(3, 5000));
    }
  }

  @Test
  void aDamagedSlotIsAMiss() throws IOException {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key("a"), value(1, 5000));
      cache.put(key("b"), value(2, 5000));
    }
    damage(8192 + 4096 + 64 + 8);
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.awaitIndexed();
      assertThat(cache.stats().entries()).isEqualTo(1);
      assertThat(cache.stats().damaged()).isEqualTo(1);
    }
  }

  @Test
  void aDamagedSegmentHeaderLosesTheSegment() throws IOException {
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int i = 0; i < 20; i++) {
        cache.put(key(i), value(i, 10_000));
      }
    }
    damage(8192 + 4096);
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.awaitIndexed();
      assertThat(cache.stats().damaged()).isEqualTo(1);
      assertThat(cache.stats().entries()).isBetween(10L, 15L);
      for (int i = 0; i < 100; i++) {
        assertThat(cache.put(key(i), value(-i, 10_000))).isTrue();
        assertThat(get(cache, i)).isEqualTo(value(-i, 10_000));
      }
    }
  }

  @Test
  void aForeignFileIsRefusedAndLeftAlone() throws IOException {
    Files.write(directory.resolve("cache"), value(1, 20_000));
    assertThatThrownBy(() -> Caches.small(directory).open())
        .isInstanceOf(ForeignException.class)
        .hasMessageContaining(directory.toRealPath().resolve("cache").toString());
    assertThat(Files.readAllBytes(directory.resolve("cache"))).isEqualTo(value(1, 20_000));
  }

  @Test
  void aCacheIsOpenOnce() {
    try (BlockCache cache = Caches.small(directory).open()) {
      assertThatThrownBy(() -> Caches.small(directory).open()).isInstanceOf(LockedException.class);
      assertThat(cache.isIndexed()).isFalse();
    }
  }

  @Test
  void aCacheWhoseFileWasRemovedRefusesChanges() throws IOException {
    try (BlockCache cache = BlockCache.builder(directory, Caches.SMALL).onFile().open()) {
      cache.put(key("a"), value(1, 10));
      Files.delete(directory.resolve("cache"));
      Limit.until("a change is refused", () -> isRefused(() -> cache.put(key("a"), value(2, 10))));
      assertThat(get(cache, "a")).isEqualTo(value(2, 10));
    }
  }

  private static boolean isRefused(Runnable change) {
    try {
      change.run();
      return false;
    } catch (MediumException e) {
      return true;
    }
  }

  @Test
  void theCapacityMayChange() {
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int i = 0; i < 40; i++) {
        cache.put(key(i), value(i, 10_000));
      }
    }
    long half = 8192 + 4096 + 4L * Caches.SEGMENT;
    long kept;
    try (BlockCache cache = BlockCache.builder(directory, half).onFile().background(false).open()) {
      cache.awaitIndexed();
      kept = cache.stats().entries();
      assertThat(kept).isBetween(16L, 24L);
      assertThat(cache.stats().capacityBytes()).isEqualTo(half);
    }
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.awaitIndexed();
      assertThat(cache.stats().entries()).isEqualTo(kept);
      for (int i = 0; i < 100; i++) {
        assertThat(cache.put(key(i), value(-i, 10_000))).isTrue();
      }
    }
  }

  @Test
  void aCacheOfSeveralDirectoriesIsOne(@TempDir Path other) {
    long capacity = 8192 + 4096 + 4L * Caches.SEGMENT;
    var builder =
        BlockCache.builder(directory, capacity)
            .segmentSize(Caches.SEGMENT)
            .directory(other, capacity)
            .onFile()
            .background(false);
    try (BlockCache cache = builder.open()) {
      for (int i = 0; i < 30; i++) {
        cache.put(key(i), value(i, 10_000));
      }
      assertThat(cache.stats().capacityBytes()).isEqualTo(2 * capacity);
    }
    try (BlockCache cache = builder.open()) {
      cache.awaitIndexed();
      for (int i = 0; i < 30; i++) {
        assertThat(Caches.holds(cache, i, value(i, 10_000))).isTrue();
      }
    }
  }

  @Test
  void aDirectoryThatWasLeftOutComesBackEmpty(@TempDir Path other) {
    long capacity = 8192 + 4096 + 4L * Caches.SEGMENT;
    var one =
        BlockCache.builder(directory, capacity)
            .segmentSize(Caches.SEGMENT)
            .onFile()
            .background(false);
    var both =
        BlockCache.builder(directory, capacity)
            .segmentSize(Caches.SEGMENT)
            .directory(other, capacity)
            .onFile()
            .background(false);
    try (BlockCache cache = both.open()) {
      cache.awaitIndexed();
      for (int i = 0; i < 30; i++) {
        cache.put(key(i), value(i, 10_000));
      }
    }
    long kept;
    try (BlockCache cache = one.open()) {
      cache.awaitIndexed();
      kept = cache.stats().entries();
      assertThat(kept).isBetween(10L, 20L);
      for (int i = 0; i < 30; i++) {
        cache.invalidate(key(i));
      }
    }
    try (BlockCache cache = both.open()) {
      cache.awaitIndexed();
      assertThat(cache.stats().entries()).isZero();
    }
  }

  @Test
  void theIndexTakesLittleMemory(@TempDir Path large) {
    try (BlockCache cache = BlockCache.builder(large, 64 << 20).onFile().background(false).open()) {
      byte[] value = value(1, 16);
      int next = 0;
      while (cache.stats().evictions() == 0) {
        for (int i = 0; i < 10_000; i++) {
          cache.put(key(next++), value);
        }
        CacheStats stats = cache.stats();
        if (next >= 100_000 && stats.evictions() == 0) {
          assertThat(stats.entries()).isEqualTo(next);
          assertThat(stats.memoryBytes()).as("of %s", next).isLessThanOrEqualTo(24L * next);
        }
      }
      assertThat(next).isGreaterThan(300_000);
      CacheStats full = cache.stats();
      assertThat(full.memoryBytes())
          .as("with what is remembered of evicted ones, 8 bytes for each place of a power of two")
          .isLessThanOrEqualTo(33 * full.entries());
    }
  }

  private void damage(long offset) throws IOException {
    try (var file = new RandomAccessFile(directory.resolve("cache").toFile(), "rw")) {
      file.seek(offset);
      int old = file.read();
      file.seek(offset);
      file.write(old ^ 0x10);
    }
  }

  private long find(byte[] value) throws IOException {
    byte[] all = Files.readAllBytes(directory.resolve("cache"));
    for (int i = 0; i + value.length <= all.length; i += 64) {
      if (all[i] == value[0]
          && java.util.Arrays.equals(all, i, i + value.length, value, 0, value.length)) {
        return i;
      }
    }
    throw new AssertionError("the value is not in the file");
  }

  @Test
  void directoriesThatChangedOneWithoutTheOtherAreEmptied(@TempDir Path second) {
    BlockCacheBuilder one = Caches.small(directory);
    BlockCacheBuilder other = Caches.small(second);
    for (int openings = 1; openings <= 2; openings++) { // of the other directory
      try (BlockCache cache = Caches.small(directory).directory(second, Caches.SMALL).open()) {
        for (int i = 0; i < 30; i++) {
          cache.put(key(i), value(i, 10_000));
        }
      }
      try (BlockCache cache = one.open()) {
        cache.awaitIndexed();
        for (int i = 0; i < 30; i++) {
          cache.invalidate(key(i));
          cache.put(key("one"), value(i, 100));
          cache.sync(); // so that this directory has the newest superblock
        }
      }
      for (int i = 0; i < openings; i++) {
        try (BlockCache cache = other.open()) {
          cache.awaitIndexed();
          cache.put(key("other"), value(i, 100));
        }
      }
      try (BlockCache cache = Caches.small(directory).directory(second, Caches.SMALL).open()) {
        cache.awaitIndexed();
        for (int i = 0; i < 30; i++) {
          assertThat(get(cache, i)).as("block %s, which was removed", i).isNull();
        }
        assertThat(get(cache, "one")).as("what the other directory does not know").isNull();
        assertThat(cache.put(key(1), value(1, 100))).isTrue();
      }
    }
  }
}
