package io.everheap.cache;

import io.everheap.cache.codec.CacheCodecs;
import io.everheap.codec.Codecs;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.codec.derived.DerivedCodecs;
import io.everheap.encryption.KeyProvider;
import io.everheap.support.release.Release;
import io.everheap.support.release.ReleasedCache;
import io.everheap.support.release.ReleasedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the caches that each release leaves for the builds after it: plain and encrypted, closed
 * and killed. A file that is there is not made again.
 */
public final class ReleasedCaches {
  static final String KEYS = "keys";
  static final int BLOCKS = 40;
  static final int REPLACED = 3;
  static final int REMOVED = 4;
  static final long GENERATION = 7;

  private static final long CAPACITY = 1 << 20;

  private final Path to;
  private final Path work;

  private ReleasedCaches(Path to) throws IOException {
    this.to = Files.createDirectories(to);
    this.work = Files.createTempDirectory("release");
  }

  /**
   * Makes those that are missing.
   *
   * @param arguments the directory of the release
   */
  public static void main(String[] arguments) throws IOException {
    var caches = new ReleasedCaches(Path.of(arguments[0]));
    KeyProvider key = KeyProvider.of(Release.keyIn(caches.to));
    caches.make("plain", null);
    caches.make("encrypted", key);
  }

  private void make(String kind, @Nullable KeyProvider key) throws IOException {
    for (boolean closed : new boolean[] {true, false}) {
      Path zip = to.resolve(kind + (closed ? "-closed" : "-killed") + ".zip");
      if (!Files.exists(zip)) {
        Path directory = work.resolve(kind + closed);
        try (BlockCache blocks = blocks(directory, key);
            DurableCache<Object, Object> any = any(directory, key);
            DurableCache<List<Long>, ReleasedKey.Route> lists = lists(directory, key)) {
          fill(blocks);
          released(any).fill();
          any.blocks().sync(); // else an open under another boot of the kernel drops the entries
          fill(lists);
          if (!closed) {
            Release.zip(directory, zip);
          }
        }
        if (closed) {
          Release.zip(directory, zip);
        }
      }
    }
    Path contents = to.resolve(KEYS + ".txt");
    if (!Files.exists(contents)) {
      Release.write(ReleasedCache.contents(), contents);
    }
  }

  // ---- The caches ---------------------------------------------------------------------------

  private static void settings(BlockCacheBuilder builder, @Nullable KeyProvider key) {
    builder.segmentSize(Caches.SEGMENT).onFile().background(false);
    if (key != null) {
      builder.encrypt(key);
    }
  }

  /** A cache of blocks of bytes, with a generation. */
  static BlockCache blocks(Path directory, @Nullable KeyProvider key) {
    BlockCacheBuilder builder =
        BlockCache.builder(directory.resolve("blocks"), CAPACITY).generation(GENERATION);
    settings(builder, key);
    return builder.open();
  }

  /** A cache of any keys and values. */
  static DurableCache<Object, Object> any(Path directory, @Nullable KeyProvider key) {
    ClassLoader loader = ReleasedCaches.class.getClassLoader();
    return DurableCache.builder(
            directory.resolve("any"),
            CAPACITY,
            CacheCodecs.keys(Object.class, loader, Caches.OWN),
            CacheCodecs.values(Object.class, loader, Caches.OWN))
        .blocks(blocks -> settings(blocks, key))
        .open();
  }

  /** A cache with codecs of lists and records. */
  static DurableCache<List<Long>, ReleasedKey.Route> lists(
      Path directory, @Nullable KeyProvider key) {
    return DurableCache.builder(
            directory.resolve("lists"),
            CAPACITY,
            DerivedCodecs.list(Codecs.LONG),
            new CodecRegistry().forClass(ReleasedKey.Route.class))
        .blocks(blocks -> settings(blocks, key))
        .open();
  }

  /** The calls with which all keys are stored and checked. */
  static ReleasedCache released(DurableCache<Object, Object> cache) {
    return new ReleasedCache(
        key -> true,
        cache::getIfPresent,
        cache::put,
        cache::invalidate,
        () -> cache.asMap().entrySet());
  }

  // ---- What is in them ----------------------------------------------------------------------

  private static void fill(BlockCache cache) {
    for (int i = 0; i < BLOCKS; i++) {
      cache.put(Caches.key(i), Caches.value(i, i * 50));
    }
    cache.put(Caches.key(REPLACED), Caches.value(-1, 100));
    cache.invalidate(Caches.key(REMOVED));
    cache.sync();
  }

  private static void fill(DurableCache<List<Long>, ReleasedKey.Route> cache) {
    for (long i = 0; i < 10; i++) {
      cache.put(List.of(i, -i), route(i));
    }
    cache.blocks().sync();
  }

  static ReleasedKey.Route route(long i) {
    return new ReleasedKey.Route(
        List.of(new ReleasedKey.Point((int) i, "\u0633" + i)), ReleasedKey.Shade.DARK);
  }
}
