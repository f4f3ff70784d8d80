package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.memory.crypt.EntrySealer;
import io.everheap.support.Seeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocks that handles hold while they are evicted, replaced, removed, cleared or expire. */
class PinnedBlocksTest {
  private static final long GRANULE = 64;

  /** Bytes that encryption adds to a block: nonce, tag and the length of the key. */
  private static final int SEALED = EntrySealer.BLOCK_OVERHEAD + Integer.BYTES;

  @TempDir Path directory;
  private final AtomicLong now = new AtomicLong(1_000_000);

  /** What handles hold, and how much space their blocks take. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nothing
  private record Pinned(String key, BlockHandle handle, byte[] value, long[] block) {}

  /** The blocks that a cache must have, by their keys; each is a new array. */
  private final Map<String, byte[]> there = new HashMap<>();

  /** The space of each block that is there. */
  private final Map<String, long[]> blocks = new HashMap<>();

  private final List<Pinned> pinned = new ArrayList<>();
  private int overhead; // bytes of a block beside key and value
  private final List<String> evicted = new ArrayList<>();

  private BlockCacheBuilder builder(EvictionPolicy policy) {
    return Caches.small(directory)
        .policy(policy)
        .clock(now::get)
        .removalListener(
            (k, v, cause) -> {
              if (cause == RemovalCause.SIZE) {
                evicted.add(new String(k, StandardCharsets.UTF_8));
              }
            });
  }

  private long granules(String key, byte[] value) {
    return Math.max(1, (key.length() + value.length + overhead + GRANULE - 1) / GRANULE);
  }

  private void forget(String key) {
    there.remove(key);
    long[] block = blocks.remove(key);
    if (block != null) {
      block[1] = 1; // it ended
    }
  }

  private void takeEvicted() {
    evicted.forEach(
        key -> {
          assertThat(there).containsKey(key);
          assertThat(pinned).as("a pinned block makes no room").noneMatch(p -> isPinned(p, key));
          forget(key);
        });
    evicted.clear();
  }

  private boolean isPinned(Pinned pin, String key) {
    return pin.key.equals(key) && pin.block[1] == 0;
  }

  private void requireCounts(BlockCache cache, long allFree) {
    long retiring =
        pinned.stream()
            .map(Pinned::block)
            .distinct()
            .filter(block -> block[1] == 1)
            .mapToLong(block -> block[0])
            .sum();
    CacheStats stats = cache.stats();
    assertThat(stats.entries()).isEqualTo(there.size());
    assertThat(stats.pinnedBytes()).isEqualTo(retiring * GRANULE);
    long live = blocks.values().stream().mapToLong(block -> block[0]).sum();
    // Tables of slots take whole chunks, so less is free than blocks leave.
    assertThat(stats.freeBytes()).isLessThanOrEqualTo(allFree - (live + retiring) * GRANULE);
    assertThat(stats.freeBytes()).isEqualTo(stats.capacityBytes() - stats.usedBytes());
    for (Pinned pin : pinned) {
      assertThat(pin.handle.toArray()).isEqualTo(pin.value);
    }
  }

  @ParameterizedTest
  @EnumSource(EvictionPolicy.class)
  void handlesKeepTheirBlocksWhateverHappensToTheEntries(EvictionPolicy policy) {
    anyOperations(builder(policy), 500);
  }

  @Test
  void soDoThoseOfAnEncryptedCache() {
    overhead = SEALED;
    anyOperations(builder(EvictionPolicy.S3_FIFO).encrypt(KeyProvider.of(new byte[32])), 200);
  }

  private void anyOperations(BlockCacheBuilder builder, int steps) {
    Random random = new Random(Seeds.seed());
    try (BlockCache cache = builder.open()) {
      cache.awaitIndexed();
      long allFree = cache.stats().freeBytes();
      for (int step = 0; step < steps; step++) {
        String key = "k" + random.nextInt(40);
        switch (random.nextInt(14)) {
          case 0, 1, 2, 3 -> put(cache, key, value(step, size(random)), Instant.MAX);
          case 4, 5, 6 -> pin(cache, key);
          case 7, 8, 9 -> {
            if (!pinned.isEmpty()) {
              pinned.remove(random.nextInt(pinned.size())).handle.close();
            }
          }
          case 10 -> {
            assertThat(cache.invalidate(key(key))).isEqualTo(there.containsKey(key));
            forget(key);
          }
          case 11 -> {
            put(cache, key, value(step, size(random)), Instant.ofEpochMilli(now.get() + 1));
            if (there.containsKey(key)) {
              now.addAndGet(1);
              cache.expire();
              forget(key);
            }
          }
          case 12 -> {
            if (random.nextInt(20) == 0) {
              cache.invalidateAll();
              List.copyOf(there.keySet()).forEach(this::forget);
            }
          }
          default -> {
            char last = (char) ('0' + random.nextInt(10));
            long removed = cache.invalidateIf(its -> its[its.length - 1] == last, Long.MAX_VALUE);
            List<String> unwanted =
                there.keySet().stream()
                    .filter(its -> its.charAt(its.length() - 1) == last)
                    .toList();
            assertThat(removed).isEqualTo(unwanted.size());
            unwanted.forEach(this::forget);
          }
        }
        requireCounts(cache, allFree);
      }
      there.forEach((key, value) -> assertThat(Caches.get(cache, key)).isEqualTo(value));
      pinned.forEach(pin -> pin.handle.close());
      pinned.clear();
      requireCounts(cache, allFree);
      cache.invalidateAll();
      List.copyOf(there.keySet()).forEach(this::forget);
      requireCounts(cache, allFree);
      for (int i = 0; i < 8; i++) { // all of each segment is free again
        assertThat(cache.put(key("large" + i), new byte[55_000])).isTrue();
      }
      assertThat(evicted).isEmpty();
    }
  }

  private static int size(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextInt(60);
      case 1 -> 20_000 + random.nextInt(20_000);
      default -> random.nextInt(9000);
    };
  }

  private void put(BlockCache cache, String key, byte[] value, Instant expiry) {
    try (BlockInsert insert = cache.allocate(key(key), value.length)) {
      takeEvicted();
      if (insert == null) {
        return; // pins are in the way; the old block stays
      }
      insert.segment().copyFrom(java.lang.foreign.MemorySegment.ofArray(value));
      insert.insert(expiry);
    }
    forget(key);
    there.put(key, value);
    blocks.put(key, new long[] {granules(key, value), 0});
  }

  private void pin(BlockCache cache, String key) {
    BlockHandle handle = cache.get(key(key));
    assertThat(handle == null).isEqualTo(!there.containsKey(key));
    if (handle != null) {
      pinned.add(new Pinned(key, handle, there.get(key), blocks.get(key)));
    }
  }

  // ---- One block -----------------------------------------------------------------------------

  /** How an entry ends. */
  enum End {
    REPLACED,
    REMOVED,
    REMOVED_BY_KEY,
    CLEARED,
    ANOTHER_GENERATION,
    EXPIRED;

    void happen(BlockCache cache, AtomicLong now) {
      switch (this) {
        case REPLACED -> cache.put(key("a"), value(2, 100));
        case REMOVED -> cache.invalidate(key("a"));
        case REMOVED_BY_KEY ->
            cache.invalidateIf(its -> Arrays.equals(its, key("a")), Long.MAX_VALUE);
        case CLEARED -> cache.invalidateAll();
        case ANOTHER_GENERATION -> cache.generation(5);
        case EXPIRED -> {
          now.addAndGet(100);
          cache.expire();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void theSpaceOfABlockIsFreeWhenTheLastOfItsHandlesIsClosed(End end) {
    try (BlockCache cache = builder(EvictionPolicy.S3_FIFO).open()) {
      cache.awaitIndexed();
      cache.put(key("other"), value(3, 10));
      long free = cache.stats().freeBytes();
      try (BlockInsert insert = cache.allocate(key("a"), 1000)) {
        insert.segment().fill((byte) 7);
        insert.insert(Instant.ofEpochMilli(now.get() + 100));
      }
      long block = free - cache.stats().freeBytes();
      assertThat(block).isEqualTo(16 * GRANULE); // 1001 bytes
      BlockHandle first = cache.get(key("a"));
      BlockHandle second = cache.get(key("a"));
      BlockHandle third = cache.get(key("a"));
      third.close();
      assertThat(cache.stats().pinnedBytes()).as("it is an entry still").isZero();
      end.happen(cache, now);
      long replaced = end == End.REPLACED ? 2 * GRANULE : 0;
      long other = end == End.CLEARED || end == End.ANOTHER_GENERATION ? GRANULE : 0;
      assertThat(cache.stats().pinnedBytes()).isEqualTo(block);
      assertThat(cache.stats().freeBytes()).isEqualTo(free - block - replaced + other);
      first.close();
      first.close(); // once more: nothing happens
      assertThat(cache.stats().pinnedBytes()).isEqualTo(block);
      assertThat(second.toArray()).hasSize(1000).containsOnly(7);
      second.close();
      assertThat(cache.stats().pinnedBytes()).isZero();
      assertThat(cache.stats().freeBytes()).isEqualTo(free - replaced + other);
      if (end == End.REPLACED) {
        assertThat(Caches.get(cache, "a")).isEqualTo(value(2, 100));
      } else {
        assertThat(Caches.get(cache, "a")).isNull();
      }
    }
  }

  @Test
  void twoVersionsOfOneKeyArePinnedEachByItself() {
    try (BlockCache cache = builder(EvictionPolicy.LRU).open()) {
      cache.awaitIndexed();
      cache.put(key("a"), value(1, 63)); // one granule
      BlockHandle one = cache.get(key("a"));
      cache.put(key("a"), value(2, 64)); // two granules
      BlockHandle two = cache.get(key("a"));
      cache.put(key("a"), value(3, 10));
      assertThat(cache.stats().pinnedBytes()).isEqualTo(3 * GRANULE);
      assertThat(one.toArray()).isEqualTo(value(1, 63));
      assertThat(two.toArray()).isEqualTo(value(2, 64));
      one.close();
      assertThat(cache.stats().pinnedBytes()).isEqualTo(2 * GRANULE);
      assertThat(two.toArray()).isEqualTo(value(2, 64));
      two.close();
      assertThat(cache.stats().pinnedBytes()).isZero();
      assertThat(cache.stats().entries()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(EvictionPolicy.class)
  void aPinnedBlockStaysAndTheOthersMakeRoom(EvictionPolicy policy) {
    try (BlockCache cache = builder(policy).open()) {
      cache.awaitIndexed();
      cache.put(key("first"), value(0, 10_000));
      BlockHandle handle = cache.get(key("first"));
      for (int i = 1; i < 200; i++) {
        assertThat(cache.put(key(i), value(i, 10_000))).isTrue();
      }
      assertThat(evicted).isNotEmpty().doesNotContain("first");
      assertThat(Caches.get(cache, "first")).isEqualTo(value(0, 10_000));
      List<BlockHandle> others = new ArrayList<>();
      for (int i = 1; i < 200; i++) {
        BlockHandle other = cache.get(key(i));
        if (other != null) {
          others.add(other);
        }
      }
      evicted.clear();
      assertThat(cache.put(key("new"), value(0, 10_000))).as("all are pinned").isFalse();
      handle.close();
      assertThat(cache.put(key("new"), value(0, 10_000))).isTrue();
      assertThat(evicted).as("it is an entry like others").containsExactly("first");
      others.forEach(BlockHandle::close);
    }
  }

  @Test
  void aSegmentWithAPinnedBlockGivesOutWhatIsBesideIt() {
    try (BlockCache cache = builder(EvictionPolicy.LRU).open()) {
      cache.awaitIndexed();
      List<BlockHandle> handles = new ArrayList<>();
      int put = 0;
      while (evicted.isEmpty()) {
        cache.put(key(put), value(put, 12_000));
        put++;
      }
      for (int i = 0; i < put; i++) {
        BlockHandle handle = i % 3 == 0 ? cache.get(key(i)) : null;
        if (handle != null) {
          handles.add(handle);
        }
      }
      assertThat(cache.allocate(key("whole"), 55_000)).as("no segment is without pins").isNull();
      assertThat(cache.stats().rejects()).isEqualTo(1);
      try (BlockInsert insert = cache.allocate(key("beside"), 20_000)) {
        assertThat(insert).isNotNull();
      }
      for (BlockHandle handle : handles) {
        assertThat(handle.toArray()).hasSize(12_000);
        handle.close();
      }
      try (BlockInsert insert = cache.allocate(key("whole"), 55_000)) {
        assertThat(insert).isNotNull();
      }
    }
  }

  @Test
  void memoryThatIsGivenOutIsNoRoomForOthers() {
    try (BlockCache cache = builder(EvictionPolicy.S3_FIFO).open()) {
      cache.awaitIndexed();
      List<BlockInsert> inserts = new ArrayList<>();
      BlockInsert insert = cache.allocate(key(0), 25_000);
      while (insert != null) {
        inserts.add(insert);
        insert = cache.allocate(key(inserts.size()), 25_000);
      }
      assertThat(inserts).hasSize(16); // two in each of eight segments
      assertThat(cache.stats().entries()).isZero();
      assertThat(cache.stats().pinnedBytes()).isZero();
      inserts.removeFirst().close();
      inserts.add(cache.allocate(key("again"), 25_000));
      assertThat(inserts.getLast()).isNotNull();
      inserts.forEach(BlockInsert::close);
      assertThat(cache.put(key("a"), new byte[55_000])).isTrue();
    }
  }
}
