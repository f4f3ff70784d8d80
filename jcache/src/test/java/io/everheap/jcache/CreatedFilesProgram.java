package io.everheap.jcache;

import io.everheap.encryption.KeyProvider;
import java.nio.file.Path;
import javax.cache.CacheManager;

/** Makes a plain and an encrypted cache in a directory, for {@link CreatedFilesTest}. */
public final class CreatedFilesProgram {
  private CreatedFilesProgram() {}

  /**
   * Runs.
   *
   * @param arguments the directory
   */
  public static void main(String[] arguments) {
    Path in = Path.of(arguments[0]).resolve("caches");
    try (var provider = new EverheapCachingProvider()) {
      CacheManager manager = ReleasedJCaches.manager(provider, in);
      ReleasedJCaches.any(manager, null).put("a", "b");
      ReleasedJCaches.texts(manager, KeyProvider.of(new byte[32])).put("a", 1);
    }
  }
}
