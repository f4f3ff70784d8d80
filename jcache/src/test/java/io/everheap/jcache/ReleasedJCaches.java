package io.everheap.jcache;

import io.everheap.encryption.KeyProvider;
import io.everheap.support.release.Release;
import io.everheap.support.release.ReleasedCache;
import io.everheap.support.release.ReleasedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Makes the caches of JCache that each release leaves for the builds after it. A file that is there
 * is not made again.
 */
public final class ReleasedJCaches {
  static final String KEYS = "jcache-keys";
  static final String PLAIN = "jcache";
  static final String ENCRYPTED = "jcache-encrypted";

  /** The number of entries of the caches whose keys have a type. */
  static final int ENTRIES = 10;

  private ReleasedJCaches() {}

  /**
   * Makes those that are missing.
   *
   * @param arguments the directory of the release
   */
  public static void main(String[] arguments) throws IOException {
    Path to = Files.createDirectories(Path.of(arguments[0]));
    make(to.resolve(PLAIN + ".zip"), null);
    make(to.resolve(ENCRYPTED + ".zip"), KeyProvider.of(Release.keyIn(to)));
    Path contents = to.resolve(KEYS + ".txt");
    if (!Files.exists(contents)) {
      Release.write(ReleasedCache.contents(), contents);
    }
  }

  private static void make(Path zip, @Nullable KeyProvider key) throws IOException {
    if (Files.exists(zip)) {
      return;
    }
    Path directory = Files.createTempDirectory("release");
    try (var provider = new EverheapCachingProvider()) {
      CacheManager manager = manager(provider, directory);
      released(any(manager, key)).fill();
      Cache<String, Integer> texts = texts(manager, key);
      Cache<ReleasedKey.Point, ReleasedKey.Shade> records = records(manager, key);
      Cache<ReleasedKey.Shade, String> enums = enums(manager, key);
      for (int i = 0; i < ENTRIES; i++) {
        texts.put(text(i), i);
        records.put(new ReleasedKey.Point(i, text(i)), ReleasedKey.Shade.DARK);
      }
      enums.put(ReleasedKey.Shade.LIGHT, "light");
      enums.put(ReleasedKey.Shade.DARK, "dark");
    }
    Release.zip(directory, zip);
  }

  static CacheManager manager(EverheapCachingProvider provider, Path directory) {
    return provider.getCacheManager(null, null, Caches.properties(directory));
  }

  static Cache<Object, Object> any(CacheManager manager, @Nullable KeyProvider key) {
    return cache(manager, "any", Object.class, Object.class, key);
  }

  static Cache<String, Integer> texts(CacheManager manager, @Nullable KeyProvider key) {
    return cache(manager, "\u0645\u062a\u0646", String.class, Integer.class, key);
  }

  static Cache<ReleasedKey.Point, ReleasedKey.Shade> records(
      CacheManager manager, @Nullable KeyProvider key) {
    return cache(manager, "records", ReleasedKey.Point.class, ReleasedKey.Shade.class, key);
  }

  static Cache<ReleasedKey.Shade, String> enums(CacheManager manager, @Nullable KeyProvider key) {
    return cache(manager, "enums", ReleasedKey.Shade.class, String.class, key);
  }

  private static <K, V> Cache<K, V> cache(
      CacheManager manager,
      String name,
      Class<K> keys,
      Class<V> values,
      @Nullable KeyProvider key) {
    var configuration =
        EverheapConfiguration.of(new MutableConfiguration<K, V>().setTypes(keys, values));
    return manager.createCache(
        name, key == null ? configuration : configuration.withBlocks(b -> b.encrypt(key)));
  }

  static String text(int i) {
    return "\u06f0\u06f1 text " + i;
  }

  /** The calls with which all keys are stored and checked. */
  static ReleasedCache released(Cache<Object, Object> cache) {
    return new ReleasedCache(
        key -> true,
        cache::get,
        cache::put,
        cache::remove,
        () -> {
          var entries = new java.util.ArrayList<java.util.Map.Entry<?, ?>>();
          cache.forEach(
              entry -> entries.add(java.util.Map.entry(entry.getKey(), entry.getValue())));
          return entries;
        });
  }
}
