package io.everheap.benchmarks.cache;

import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.store.Entrant;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.Peer;
import java.util.List;
import java.util.Set;

/** The caches that can be measured, and how each is run. */
public final class CachePeers {
  static final String OBJECTS = Case.EVERHEAP + "-durable";
  static final String AOT = Case.EVERHEAP + "+aot";
  static final String TIERS = Case.EVERHEAP + "+caffeine";
  static final String CAFFEINE = "caffeine";
  static final String CACHE2K = "cache2k";
  static final String OHC = "ohc";
  static final String EHCACHE_OFF_HEAP = "ehcache-offheap";
  static final String EHCACHE_DISK = "ehcache-disk";

  private static final String OWN = "io.everheap.benchmarks.cache.";
  private static final String OTHERS = "io.everheap.benchmarks.peers.";

  /** All, this library first. */
  public static final List<Peer> ALL =
      List.of(
          own(
              Case.EVERHEAP,
              "BlockCacheBinding",
              "BlockCache that holds all blocks, in a file, with the defaults; blocks are read in"
                  + " place"),
          own(
              OBJECTS,
              "DurableCacheBinding",
              "DurableCache<Long, byte[]>, in a file, with the defaults"),
          own(
              AOT,
              "BlockCacheBinding",
              "the same in a JVM with an AOT cache, which an earlier one left that was killed likewise"),
          other(
              TIERS,
              "CaffeineOverEverheapBinding",
              Mode.PROCESS,
              "caffeine",
              List.of(),
              "Caffeine in front of a BlockCache that holds all blocks; a block that only the latter"
                  + " has is copied to the Java heap"),
          other(
              CAFFEINE,
              "CaffeineBinding",
              Mode.VOLATILE,
              "caffeine",
              List.of(),
              "maximumSize, with the defaults"),
          other(
              CACHE2K,
              "Cache2kBinding",
              Mode.VOLATILE,
              "cache2k-core",
              List.of(),
              "entryCapacity, eternal"),
          other(
              OHC,
              "OhcBinding",
              Mode.OFF_HEAP,
              "ohc-core",
              List.of("--sun-misc-unsafe-memory-access=allow"),
              "the linked implementation, with the defaults and 1.3 times the room; values are read in"
                  + " place with getDirect"),
          other(
              EHCACHE_OFF_HEAP,
              "EhcacheOffHeapBinding",
              Mode.OFF_HEAP,
              "ehcache",
              List.of("-XX:MaxDirectMemorySize=8g"),
              "the off-heap tier alone, with 1.5 times the room"),
          other(
              EHCACHE_DISK,
              "EhcacheDiskBinding",
              Mode.RELAXED,
              "ehcache",
              List.of("-XX:MaxDirectMemorySize=8g"),
              "a heap tier in front of a persistent disk tier with 1.5 times the room; it keeps"
                  + " nothing if it is not closed, so it is V"));

  private CachePeers() {}

  /** The names of those that are other libraries'. */
  static Set<String> names() {
    return Set.of(CAFFEINE, CACHE2K, OHC, EHCACHE_OFF_HEAP, EHCACHE_DISK);
  }

  /** Those of some names that were asked for; this library's always, if Caffeine is not in it. */
  static List<Entrant> wanted(Run run, String... names) {
    Set<String> asked = run.settings().peers();
    Set<String> some = Set.of(names);
    return ALL.stream()
        .filter(peer -> some.contains(peer.name()))
        .filter(
            peer ->
                peer.artifact() == null
                    || asked.contains(peer.name().equals(TIERS) ? CAFFEINE : peer.name()))
        .map(peer -> new Entrant(peer, peer.modes().getFirst()))
        .toList();
  }

  private static Peer own(String name, String binding, String how) {
    return new Peer(name, OWN + binding, List.of(Mode.PROCESS), false, false, null, List.of(), how);
  }

  private static Peer other(
      String name, String binding, Mode mode, String artifact, List<String> options, String how) {
    return new Peer(name, OTHERS + binding, List.of(mode), false, false, artifact, options, how);
  }
}
