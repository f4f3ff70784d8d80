package io.everheap.infinispan;

import io.everheap.support.release.Release;
import io.everheap.support.release.ReleasedCache;
import io.everheap.support.release.ReleasedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.infinispan.Cache;
import org.infinispan.commons.marshall.JavaSerializationMarshaller;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;

/**
 * Makes the heaps of Infinispan's caches that each release leaves for the builds after it: one
 * whose cache has a map for each segment, and one whose cache has one map. A file that is there is
 * not made again.
 */
public final class ReleasedInfinispanCaches {
  static final String KEYS = "infinispan-keys";
  static final String SEGMENTED = "infinispan-segmented";
  static final String UNSEGMENTED = "infinispan-unsegmented";

  private ReleasedInfinispanCaches() {}

  /**
   * Makes those that are missing.
   *
   * @param arguments the directory of the release
   */
  public static void main(String[] arguments) throws IOException {
    Path to = Files.createDirectories(Path.of(arguments[0]));
    for (String name : List.of(SEGMENTED, UNSEGMENTED)) {
      Path zip = to.resolve(name + ".zip");
      if (!Files.exists(zip)) {
        Path work = Files.createTempDirectory("release");
        try (DefaultCacheManager manager = manager()) {
          released(cache(manager, work.resolve("heap"), name)).fill();
        }
        Release.zip(work.resolve("heap"), zip);
      }
    }
    Path contents = to.resolve(KEYS + ".txt");
    if (!Files.exists(contents)) {
      Release.write(ReleasedCache.contents(), contents);
    }
  }

  /** A manager whose keys and values are marshalled by serialization. */
  static DefaultCacheManager manager() {
    var global = new GlobalConfigurationBuilder().nonClusteredDefault();
    global
        .serialization()
        .marshaller(new JavaSerializationMarshaller())
        .allowList()
        .addRegexp(".*");
    return new DefaultCacheManager(global.build());
  }

  static Cache<Object, Object> cache(DefaultCacheManager manager, Path heap, String name) {
    var configuration =
        Managers.cache(
            store ->
                store.path(heap.toString()).logSize(16 << 20).segmented(name.equals(SEGMENTED)));
    configuration.clustering().hash().numSegments(4);
    return Managers.define(manager, "any", configuration.build());
  }

  /** Whether equal keys find an entry: what is within a record is the marshaller's. */
  private static boolean isFound(ReleasedKey key) {
    boolean hasEnum =
        key.form() == ReleasedKey.Form.STABLE_BYTES || key.name().equals("HashSet of enums");
    boolean isRecordOfOthers = key.key() instanceof Record && !key.equal().isEmpty();
    return !hasEnum && !isRecordOfOthers;
  }

  /**
   * The calls with which all keys are stored and checked. Infinispan finds the segment of a key by
   * its hash code, and those of enums differ from process to process.
   */
  static ReleasedCache released(Cache<Object, Object> cache) {
    return new ReleasedCache(
        ReleasedInfinispanCaches::isFound, cache::get, cache::put, cache::remove, cache::entrySet);
  }
}
