package io.everheap.cache;

import java.io.ObjectInputFilter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Caches, keys and values for tests. */
final class Caches {
  static final int SEGMENT = 64 << 10;
  static final long SMALL = 8192 + 4096 + 8L * SEGMENT;

  /** Allows the classes of the tests to be serialized. */
  static final ObjectInputFilter OWN = ObjectInputFilter.Config.createFilter("io.everheap.**");

  private Caches() {}

  /** Eight segments of 64 KiB, without threads. */
  static BlockCacheBuilder small(Path directory) {
    return BlockCache.builder(directory, SMALL).segmentSize(SEGMENT).onFile().background(false);
  }

  static byte[] key(Object key) {
    return key.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Bytes that tell the seed that they were made from. */
  static byte[] value(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static byte @Nullable [] get(BlockCache cache, Object key) {
    try (BlockHandle handle = cache.get(key(key))) {
      return handle == null ? null : handle.toArray();
    }
  }

  static boolean holds(BlockCache cache, Object key, byte[] value) {
    return Arrays.equals(get(cache, key), value);
  }
}
