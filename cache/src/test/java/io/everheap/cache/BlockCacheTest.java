package io.everheap.cache;

import static io.everheap.cache.Caches.get;
import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.support.Limit;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cache of blocks in one process. */
class BlockCacheTest {
  @TempDir Path directory;

  @Test
  void aBlockIsFoundUnderItsKey() {
    try (BlockCache cache = Caches.small(directory).open()) {
      assertThat(cache.put(key("a"), value(1, 1000))).isTrue();
      assertThat(get(cache, "a")).isEqualTo(value(1, 1000));
      assertThat(get(cache, "b")).isNull();
      assertThat(cache.stats().hits()).isEqualTo(1);
      assertThat(cache.stats().misses()).isEqualTo(1);
    }
  }

  @Test
  void emptyKeysAndValuesAreBlocksToo() {
    try (BlockCache cache = Caches.small(directory).open()) {
      assertThat(cache.put(key(""), value(1, 0))).isTrue();
      assertThat(get(cache, "")).isEmpty();
    }
  }

  @Test
  void aBlockIsFilledInPlace() {
    try (BlockCache cache = Caches.small(directory).open()) {
      try (BlockInsert insert = cache.allocate(key("a"), 100)) {
        insert.segment().fill((byte) 7);
        assertThat(get(cache, "a")).isNull();
        insert.insert();
        assertThatThrownBy(insert::segment).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(insert::insert).isInstanceOf(IllegalStateException.class);
      }
      assertThat(get(cache, "a")).hasSize(100).containsOnly(7);
    }
  }

  @Test
  void memoryThatIsNotInsertedIsGivenBack() {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key("b"), value(2, 10));
      long free = cache.stats().freeBytes();
      try (BlockInsert insert = cache.allocate(key("a"), 100)) {
        assertThat(cache.stats().freeBytes()).isLessThan(free);
        assertThat(insert.segment().byteSize()).isEqualTo(100);
      }
      assertThat(cache.stats().freeBytes()).isEqualTo(free);
      assertThat(get(cache, "a")).isNull();
    }
  }

  @Test
  void aNewBlockTakesThePlaceOfTheOldOne() {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key("a"), value(1, 1000));
      cache.put(key("a"), value(2, 500));
      assertThat(get(cache, "a")).isEqualTo(value(2, 500));
      assertThat(cache.stats().entries()).isEqualTo(1);
      assertThat(cache.stats().replacements()).isEqualTo(1);
    }
  }

  @Test
  void anInvalidatedBlockIsGone() {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key("a"), value(1, 1000));
      assertThat(cache.invalidate(key("a"))).isTrue();
      assertThat(cache.invalidate(key("a"))).isFalse();
      assertThat(get(cache, "a")).isNull();
    }
  }

  @Test
  void aPinnedBlockStaysAsItIs() {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key("a"), value(1, 20_000));
      try (BlockHandle pinned = cache.get(key("a"))) {
        cache.put(key("a"), value(2, 20_000));
        assertThat(cache.stats().pinnedBytes()).isGreaterThanOrEqualTo(20_000);
        for (int i = 0; i < 200; i++) {
          cache.put(key(i), value(i, 20_000));
        }
        assertThat(pinned.toArray()).isEqualTo(value(1, 20_000));
      }
      assertThat(cache.stats().pinnedBytes()).isZero();
    }
  }

  @Test
  void whatPinsHoldMakesNoRoom() {
    try (BlockCache cache = Caches.small(directory).open()) {
      List<BlockHandle> pins = new ArrayList<>();
      int put = 0;
      while (cache.put(key(put), value(put, 15_000))) {
        pins.add(cache.get(key(put++)));
      }
      assertThat(put).isBetween(24, 8 * 4);
      assertThat(cache.stats().rejects()).isEqualTo(1);
      for (int i = 0; i < put; i++) {
        assertThat(pins.get(i).toArray()).isEqualTo(value(i, 15_000));
        pins.get(i).close();
      }
      assertThat(cache.put(key(put), value(put, 15_000))).isTrue();
    }
  }

  @Test
  void theLargestFreeBlockIsThatOfAnEmptySegment() {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.awaitIndexed();
      CacheStats empty = cache.stats();
      assertThat(empty.fragmentation()).isLessThan(1);
      int largest = Math.toIntExact(empty.largestFreeBytes());
      assertThat(cache.put(key(""), new byte[largest])).isTrue();
      assertThat(cache.put(key(1), new byte[100])).isTrue();
      assertThat(cache.stats().largestFreeBytes()).isEqualTo(largest);
      assertThat(cache.stats().evictions()).isZero();
    }
  }

  @Test
  void whatIsLargerThanASegmentIsRefused() {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key("a"), value(1, 10));
      assertThat(cache.put(key("a"), new byte[Caches.SEGMENT])).isFalse();
      assertThat(cache.stats().rejects()).isEqualTo(1);
      assertThat(get(cache, "a")).as("the old value").isNull();
      assertThat(cache.put(key("b"), value(1, Caches.SEGMENT - 4096 - 64 - 1))).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(EvictionPolicy.class)
  void theFilesNeverExceedTheCapacity(EvictionPolicy policy) throws Exception {
    try (BlockCache cache = Caches.small(directory).policy(policy).open()) {
      for (int i = 0; i < 5000; i++) {
        int length = new java.util.Random(i).nextInt(i % 50 == 0 ? 40_000 : 2000);
        assertThat(cache.put(key(i), value(i, length))).isTrue();
        assertThat(get(cache, i)).isEqualTo(value(i, length));
      }
      CacheStats stats = cache.stats();
      assertThat(stats.evictions()).isPositive();
      assertThat(stats.entries()).isPositive();
      assertThat(stats.usedBytes()).isLessThanOrEqualTo(stats.capacityBytes());
      assertThat(stats.capacityBytes()).isLessThanOrEqualTo(Caches.SMALL);
      assertThat(Files.size(directory.resolve("cache"))).isEqualTo(stats.capacityBytes());
    }
  }

  @Test
  void smallBlocksFillWhatLargeOnesLeft() {
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int i = 0; i < 100; i++) {
        cache.put(key("large" + i), value(i, 30_000));
      }
      for (int i = 0; i < 20_000; i++) {
        assertThat(cache.put(key(i), value(i, 50))).isTrue();
      }
      long small = cache.stats().entries();
      assertThat(small).as("entries of 128 bytes with their slots").isGreaterThan(3000);
      for (int i = 0; i < 100; i++) {
        assertThat(cache.put(key("large" + i), value(i, 30_000))).isTrue();
      }
      assertThat(cache.stats().entries()).isLessThan(small / 2);
    }
  }

  @Test
  void allBlocksAreInvalidatedAtOnce() {
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int i = 0; i < 100; i++) {
        cache.put(key(i), value(i, 500));
      }
      cache.invalidateAll();
      for (int i = 0; i < 100; i++) {
        assertThat(get(cache, i)).isNull();
      }
      assertThat(cache.stats().entries()).isZero();
      cache.put(key(1), value(1, 500));
      assertThat(get(cache, 1)).isNotNull();
    }
  }

  @Test
  void blocksAreInvalidatedByTheirKeys() {
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int i = 0; i < 100; i++) {
        cache.put(key(i), value(i, 500));
      }
      assertThat(cache.invalidateIf(key -> key.length == 1, Long.MAX_VALUE)).isEqualTo(10);
      assertThat(get(cache, 9)).isNull();
      assertThat(get(cache, 10)).isNotNull();
    }
  }

  @Test
  void anotherGenerationIsEmpty() {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key("a"), value(1, 10));
      cache.generation(cache.generation());
      assertThat(get(cache, "a")).isNotNull();
      cache.generation(5);
      assertThat(get(cache, "a")).isNull();
      cache.put(key("a"), value(2, 10));
    }
    try (BlockCache cache = Caches.small(directory).generation(5).open()) {
      cache.awaitIndexed();
      assertThat(get(cache, "a")).isEqualTo(value(2, 10));
    }
    try (BlockCache cache = Caches.small(directory).generation(6).open()) {
      cache.awaitIndexed();
      assertThat(get(cache, "a")).isNull();
    }
    try (BlockCache cache = Caches.small(directory).open()) {
      assertThat(cache.generation()).isEqualTo(6);
      cache.awaitIndexed();
      assertThat(get(cache, "a")).isNull();
    }
  }

  @Test
  void blocksExpire() {
    AtomicLong now = new AtomicLong(1_000_000);
    try (BlockCache cache = Caches.small(directory).clock(now::get).open()) {
      try (BlockInsert insert = cache.allocate(key("a"), 10)) {
        insert.insert(Instant.ofEpochMilli(1_000_100));
      }
      try (BlockInsert insert = cache.allocate(key("b"), 10)) {
        insert.insert(Instant.ofEpochMilli(1_000_100));
      }
      cache.awaitIndexed();
      now.set(1_000_099);
      assertThat(get(cache, "a")).isNotNull();
      now.set(1_000_100);
      assertThat(get(cache, "a")).isNull();
      assertThat(cache.stats().entries()).isEqualTo(1);
      cache.expire();
      assertThat(cache.stats().entries()).isZero();
      now.set(1_000_000);
      assertThat(get(cache, "a")).as("after the clock went back").isNull();
    }
  }

  @Test
  void removalsAreTold() {
    List<String> told = new ArrayList<>();
    BlockRemovalListener listener =
        (key, value, cause) ->
            told.add(
                new String(key, java.nio.charset.StandardCharsets.UTF_8)
                    + " "
                    + value.length
                    + " "
                    + cause);
    try (BlockCache cache = Caches.small(directory).removalListener(listener).open()) {
      cache.put(key("a"), value(1, 10));
      cache.put(key("a"), value(1, 20));
      cache.invalidate(key("a"));
      assertThat(told).containsExactly("a 10 REPLACED", "a 20 EXPLICIT");
      told.clear();
      for (int i = 0; i < 100; i++) {
        cache.put(key(i), value(i, 30_000));
      }
      assertThat(told).contains("0 30000 SIZE").hasSize((int) cache.stats().evictions());
    }
  }

  @Test
  void handlesAreRefusedAfterTheyAreClosed() {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key("a"), value(1, 10));
      BlockHandle handle = cache.get(key("a"));
      handle.close();
      handle.close();
      assertThatThrownBy(handle::segment).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(handle::toArray).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(handle::length).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void nothingIsReadWhenTheCacheIsClosed() {
    BlockCache cache = Caches.small(directory).open();
    cache.put(key("a"), value(1, 10));
    BlockHandle handle = cache.get(key("a"));
    MemorySegment segment = handle.segment();
    BlockInsert insert = cache.allocate(key("b"), 10);
    MemorySegment target = insert.segment();
    cache.close();
    cache.close();
    assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> target.set(ValueLayout.JAVA_BYTE, 0, (byte) 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(handle::toArray).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cache.get(key("a"))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> cache.put(key("a"), value(1, 1)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(cache::stats).isInstanceOf(IllegalStateException.class);
    handle.close();
    insert.close();
  }

  @Test
  void checkedSegmentsThrowAfterTheirHandleIsClosed() {
    try (BlockCache cache = Caches.small(directory).checkSegments().open()) {
      BlockInsert insert = cache.allocate(key("a"), 10);
      MemorySegment target = insert.segment();
      target.fill((byte) 3);
      insert.insert();
      assertThatThrownBy(() -> target.fill((byte) 4)).isInstanceOf(IllegalStateException.class);
      BlockHandle handle = cache.get(key("a"));
      MemorySegment segment = handle.segment();
      assertThat(segment.get(ValueLayout.JAVA_BYTE, 9)).isEqualTo((byte) 3);
      handle.close();
      assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 9))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void forgottenHandlesAreCounted() {
    try (BlockCache cache = Caches.small(directory).tracePins().open()) {
      cache.put(key("a"), value(1, 10));
      forget(cache);
      awaitLeaks(cache);
      assertThat(cache.stats().leakedPins()).isEqualTo(2);
    }
  }

  @Test
  void forgottenInsertsAreCounted() {
    try (BlockCache cache = Caches.small(directory).tracePins().open()) {
      allocate(cache);
      awaitLeaks(cache);
      assertThat(cache.stats().leakedPins()).isEqualTo(2);
      assertThat(cache.stats().entries()).isEqualTo(33);
    }
  }

  private static void awaitLeaks(BlockCache cache) {
    Limit.until(
        "two leaks are found",
        () -> {
          System.gc();
          cache.lookForLeaks();
          return cache.stats().leakedPins() >= 2;
        });
  }

  /** Of 100 blocks 33 are inserted, 65 given back, and two forgotten. */
  private static void allocate(BlockCache cache) {
    for (int i = 0; i < 100; i++) {
      BlockInsert insert = cache.allocate(key(i), 10);
      if (i % 3 == 1) {
        insert.insert();
      } else if (i % 52 != 8) {
        insert.close();
      }
    }
  }

  private static void forget(BlockCache cache) {
    for (int i = 0; i < 100; i++) {
      BlockHandle handle = cache.get(key("a"));
      if (i % 50 != 7) {
        handle.close();
      }
    }
  }

  @Test
  void aSegmentIsForReading() {
    try (BlockCache cache = Caches.small(directory).open()) {
      cache.put(key("a"), value(1, 10));
      try (BlockHandle handle = cache.get(key("a"))) {
        assertThat(handle.segment().isReadOnly()).isTrue();
        assertThat(handle.key()).isEqualTo(key("a"));
        assertThat(handle.expiresAt()).isEmpty();
      }
    }
  }

  @Test
  void aLengthBeyondAllSegmentsIsRefused() {
    try (BlockCache cache = Caches.small(directory).open()) {
      for (long length : new long[] {Long.MAX_VALUE, Integer.MAX_VALUE, 1L << 32}) {
        assertThat(cache.allocate(key(1), length)).isNull();
      }
      assertThat(cache.stats().rejects()).isEqualTo(3);
    }
  }

  @Test
  void aBlockMayExpireNever() {
    try (BlockCache cache = Caches.small(directory).open();
        BlockInsert insert = cache.allocate(key(1), 10)) {
      insert.insert(Instant.MAX);
      try (BlockHandle found = cache.get(key(1))) {
        assertThat(found.expiresAt()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(EvictionPolicy.class)
  void theMemoryOfTheOrderCounts(EvictionPolicy policy) {
    try (BlockCache cache = Caches.small(directory).policy(policy).open()) {
      long before = cache.stats().memoryBytes();
      for (int i = 0; i < 2000; i++) {
        cache.put(key(i), value(i, 10));
      }
      // 4 bytes of pins, 8 of the index, 8 of links.
      assertThat(cache.stats().memoryBytes() - before).isGreaterThanOrEqualTo(20 * 2000);
    }
  }
}
