package io.everheap.cache;

import static io.everheap.cache.Caches.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.support.Limit;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lookups, which read an entry before they pin it. */
class LookupTest {
  private static final int READERS = 3;
  private static final int KEYS = 200;

  @TempDir Path directory;

  @Test
  void keysOfAllLengthsAreToldApart() {
    int longest = 140;
    try (BlockCache cache = Caches.small(directory).open()) {
      for (int length = 0; length <= longest; length++) {
        cache.put(value(length, length), value(length, 10 + length));
      }
      for (int length = 0; length <= longest; length++) {
        byte[] key = value(length, length);
        try (BlockHandle handle = cache.get(key)) {
          assertThat(handle).as("length %s", length).isNotNull();
          assertThat(handle.toArray()).isEqualTo(value(length, 10 + length));
          assertThat(handle.key()).isEqualTo(key);
        }
        for (int i = 0; i < length; i++) {
          byte[] other = key.clone();
          other[i] ^= 1;
          assertThat(cache.contains(other)).as("length %s, byte %s", length, i).isFalse();
        }
      }
    }
  }

  /** In an encrypted cache, whose keys are compared by their hashes until one is decrypted. */
  @Test
  void aKeyWithTheHashOfAnotherOneIsAMiss() {
    BlockCacheBuilder builder = Caches.small(directory).encrypt(KeyProvider.of(new byte[32]));
    try (BlockCache cache = builder.open()) {
      cache.put(key(1), block(1, 1));
      long hash = cache.store().hash(key(1));
      assertThat(cache.store().open(key(2), hash, true)).isNull();
      assertThat(cache.stats().misses()).isOne();
      try (BlockHandle handle = cache.get(key(1))) {
        assertThat(handle).isNotNull();
        assertThat(isOf(handle, 1)).isTrue();
      }
      cache.invalidate(key(1));
      assertThat(cache.stats().pinnedBytes()).isZero();
    }
  }

  @Test
  void anEntryWhoseSlotIsUsedForOthersIsNeverTakenForThem() throws Exception {
    try (BlockCache cache = Caches.small(directory).open();
        ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
      byte[] lasting = key(-1);
      cache.put(lasting, block(-1, 0));
      AtomicBoolean done = new AtomicBoolean();
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(threads.submit(() -> read(cache, done)));
      }
      for (int round = 1; round <= 60_000; round++) {
        int key = round % KEYS;
        if (round % 3 == 0) {
          cache.invalidate(key(key)); // the next put takes its slot
        } else {
          cache.put(key(key), block(key, round));
        }
        cache.put(lasting, block(-1, round));
      }
      done.set(true);
      for (Future<?> reader : readers) {
        Limit.get(reader);
      }
    }
  }

  /** Two slots take turns, so a lookup meets the same slot with and without an entry. */
  @Test
  void aKeyThatIsReplacedIsNeverAbsent() throws Exception {
    try (BlockCache cache = Caches.small(directory).open();
        ExecutorService threads = Executors.newFixedThreadPool(READERS)) {
      byte[] key = key(1);
      byte[] block = block(1, 1);
      cache.put(key, block);
      AtomicBoolean done = new AtomicBoolean();
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(threads.submit(() -> misses(cache, key, done)));
      }
      for (int round = 1; round <= 300_000; round++) {
        cache.put(key, block);
      }
      done.set(true);
      for (Future<Integer> reader : readers) {
        assertThat(Limit.get(reader)).isZero();
      }
    }
  }

  private static int misses(BlockCache cache, byte[] key, AtomicBoolean done) {
    int misses = 0;
    while (!done.get()) {
      misses += cache.contains(key) ? 0 : 1;
    }
    return misses;
  }

  private static boolean read(BlockCache cache, AtomicBoolean done) {
    for (int i = 0; !done.get(); i++) {
      int key = i % KEYS;
      try (BlockHandle handle = cache.get(key(key))) {
        assertThat(handle == null || isOf(handle, key)).as("key %s", key).isTrue();
      }
      try (BlockHandle handle = cache.get(key(-1))) {
        assertThat(handle).as("it is replaced, and never absent").isNotNull();
        assertThat(isOf(handle, -1)).isTrue();
      }
    }
    return true;
  }

  private static boolean isOf(BlockHandle handle, int key) {
    byte[] found = handle.toArray();
    return Arrays.equals(found, block(key, ByteBuffer.wrap(found).getInt(4)));
  }

  private static byte[] key(int key) {
    return ByteBuffer.allocate(12).putInt(4, key).array();
  }

  /** Tells the key, and the round in which it was put. */
  private static byte[] block(int key, int round) {
    ByteBuffer block = ByteBuffer.allocate(8 + Math.floorMod(round, 100));
    block.putInt(key).putInt(round);
    while (block.hasRemaining()) {
      block.put((byte) (key + round));
    }
    return block.array();
  }
}
