package io.everheap.spring;

import io.everheap.support.release.Release;
import io.everheap.support.release.ReleasedCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.util.unit.DataSize;

/**
 * Makes the caches of Spring that each release leaves for the builds after it: one plain, one
 * encrypted. The file is not made again if it is there.
 */
public final class ReleasedSpringCaches {
  static final String NAME = "spring";
  static final String KEYS = "spring-keys";
  static final String PLAIN = "people";
  static final String ENCRYPTED = "secrets";

  private ReleasedSpringCaches() {}

  /**
   * Makes the file, unless it is there.
   *
   * @param arguments the directory of the release
   */
  public static void main(String[] arguments) throws IOException {
    Path to = Files.createDirectories(Path.of(arguments[0]));
    Path zip = to.resolve(NAME + ".zip");
    if (!Files.exists(zip)) {
      Path work = Files.createTempDirectory("release");
      try (EverheapCacheManager manager = manager(work, Release.keyIn(to))) {
        for (String name : List.of(PLAIN, ENCRYPTED)) {
          EverheapCache cache = cache(manager, name);
          released(cache).fill();
          keysOfParameters().forEach(cache::put);
          cache.put("null", null);
        }
      }
      Release.zip(work.resolve("caches"), zip);
      Release.write(ReleasedCache.contents(), to.resolve(KEYS + ".txt"));
    }
  }

  /** A manager of caches in a directory, beside which the key is kept as a file. */
  static EverheapCacheManager manager(Path directory, byte[] key) throws IOException {
    Path file = Files.writeString(directory.resolve("key"), HexFormat.of().formatHex(key));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    var options = new EverheapCacheOptions();
    options.setCapacity(DataSize.ofMegabytes(2));
    return EverheapCacheManager.builder(directory.resolve("caches"))
        .packages(List.of("io.everheap.spring", "io.everheap.support"))
        .defaults(options)
        .cache(ENCRYPTED, its -> its.setKey("file:" + file))
        .build();
  }

  static EverheapCache cache(EverheapCacheManager manager, String name) {
    var cache = (EverheapCache) manager.getCache(name);
    cache.getNativeCache().blocks().awaitIndexed();
    return cache;
  }

  /** Keys as Spring makes them of several parameters. */
  static Map<Object, Object> keysOfParameters() {
    return Map.of(
        SimpleKey.EMPTY,
        "no parameter",
        new SimpleKey("\u0633", 1),
        "two parameters",
        new SimpleKey(List.of(1, 2), "a"),
        "a list and a text",
        new SimpleKey("a", null),
        "a text and null");
  }

  /** The calls with which all keys are stored and checked. */
  static ReleasedCache released(EverheapCache cache) {
    return new ReleasedCache(
        any -> true,
        key -> {
          var found = cache.get(key);
          return found == null ? null : found.get();
        },
        cache::put,
        cache::evict,
        () -> cache.getNativeCache().asMap().entrySet());
  }
}
