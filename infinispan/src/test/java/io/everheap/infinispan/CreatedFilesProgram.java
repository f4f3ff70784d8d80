package io.everheap.infinispan;

import java.nio.file.Path;
import org.infinispan.manager.DefaultCacheManager;

/** Makes a cache with a store in a directory, for {@link CreatedFilesTest}. */
public final class CreatedFilesProgram {
  private CreatedFilesProgram() {}

  /**
   * Runs.
   *
   * @param arguments the directory
   */
  public static void main(String[] arguments) throws Exception {
    Path in = Path.of(arguments[0]);
    for (String name :
        new String[] {ReleasedInfinispanCaches.SEGMENTED, ReleasedInfinispanCaches.UNSEGMENTED}) {
      try (DefaultCacheManager manager = ReleasedInfinispanCaches.manager()) {
        ReleasedInfinispanCaches.cache(manager, in.resolve(name), name).put("a", "b");
      }
    }
  }
}
