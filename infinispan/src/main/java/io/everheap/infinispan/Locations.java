package io.everheap.infinispan;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.infinispan.configuration.EverheapStoreConfiguration;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.UUID;
import org.infinispan.configuration.global.GlobalConfiguration;
import org.infinispan.persistence.PersistenceUtil;

/** Where caches are: directories of heaps, and names within a heap. Stateless. */
final class Locations {
  /** File systems allow 255 bytes; the rest is for the number that tells long names apart. */
  private static final int LONGEST = 200;

  private Locations() {}

  /** The directory of the heap of a cache. */
  static Path heap(
      GlobalConfiguration global, EverheapStoreConfiguration configuration, String cache) {
    Path base = PersistenceUtil.getLocation(global, configuration.path());
    return configuration.path() == null ? base.resolve("everheap").resolve(fileName(cache)) : base;
  }

  /** A name of a file for each name of a cache, readable where possible. */
  static String fileName(String cache) {
    String encoded = URLEncoder.encode(cache, UTF_8).replace(".", "%2E").replace("*", "%2A");
    return encoded.length() <= LONGEST
        ? encoded
        : encoded.substring(0, LONGEST) + "-" + UUID.nameUUIDFromBytes(cache.getBytes(UTF_8));
  }

  /** The entries of a segment; what is behind the name of the cache tells all names apart. */
  static String segment(String cache, int segment) {
    return prefix(cache) + "segment/" + segment;
  }

  /** The entries of a cache that is not segmented. */
  static String entries(String cache) {
    return prefix(cache) + "entries";
  }

  /** The settings that entries depend on. */
  static String settings(String cache) {
    return prefix(cache) + "settings";
  }

  /** The prepared transactions. */
  static String prepared(String cache) {
    return prefix(cache) + "prepared";
  }

  private static String prefix(String cache) {
    return "infinispan/" + cache + "/";
  }
}
