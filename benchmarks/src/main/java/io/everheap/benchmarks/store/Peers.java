package io.everheap.benchmarks.store;

import io.everheap.benchmarks.result.Case;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The stores that can be measured, and how each is run. */
public final class Peers {
  private static final String OWN = "io.everheap.benchmarks.store.";
  private static final String OTHERS = "io.everheap.benchmarks.peers.";

  /** What Chronicle asks for on this release of Java; its documentation lists them. */
  private static final List<String> CHRONICLE =
      List.of(
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
          "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
          "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
          "-Dchronicle.analytics.disable=true",
          "-Dchronicle.announcer.disable=true",
          "-Ddisable.announcement=true");

  private static final List<String> UTIL =
      List.of(
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");

  private static final List<Mode> FILES = List.of(Mode.PROCESS, Mode.POWER);

  /** All, this library first. */
  public static final List<Peer> ALL =
      List.of(
          own(
              Case.EVERHEAP,
              "EverheapBinding",
              List.of(Mode.PROCESS, Mode.POWER, Mode.EMULATED),
              true,
              false,
              "DurableMap<String, byte[][]>: the fields of a record, by a codec of the benchmark's."
                  + " P: Durability.async(10 ms). S: Durability.SYNC. Emulated persistent memory:"
                  + " SYNC on it"),
          own(
              Case.EVERHEAP + "-objects",
              "EverheapObjectsBinding",
              List.of(Mode.PROCESS, Mode.POWER, Mode.EMULATED),
              true,
              false,
              "DurableMap<String, DurableRecord>: durable objects with a property for each of up to"
                  + " ten fields, configured as everheap"),
          own(
              Case.EVERHEAP + "-blocks",
              "EverheapBlocksBinding",
              List.of(Mode.PROCESS, Mode.POWER, Mode.EMULATED),
              true,
              false,
              "DurableMap<String, Long> of handles of blocks, fields overwritten in place,"
                  + " configured as everheap"),
          own(
              Case.EVERHEAP + "-sorted",
              "EverheapSortedBinding",
              List.of(Mode.PROCESS, Mode.POWER, Mode.EMULATED),
              true,
              true,
              "DurableSortedMap<String, byte[]>, configured as everheap"),
          own(
              Case.EVERHEAP + "-store",
              "EverheapStoreBinding",
              List.of(Mode.PROCESS, Mode.POWER, Mode.EMULATED),
              true,
              false,
              "ShardedMap<String, byte[][]> of a store of four shards for each processor,"
                  + " configured as everheap"),
          own(
              "chm",
              "HashMapBinding",
              List.of(Mode.VOLATILE),
              false,
              false,
              "ConcurrentHashMap<String, byte[]>: the ceiling"),
          own(
              "skiplist",
              "SkipListBinding",
              List.of(Mode.VOLATILE),
              false,
              true,
              "ConcurrentSkipListMap<String, byte[]>: the ceiling of ordered maps"),
          own(
              "llpl",
              "LlplBinding",
              List.of(Mode.PROCESS, Mode.EMULATED),
              true,
              false,
              "a hash map of blocks in LLPL's TransactionalHeap, fields overwritten in place,"
                  + " PMEM_IS_PMEM_FORCE=1. P: in an ordinary file, which is never synced"),
          other(
              "chronicle",
              "ChronicleBinding",
              List.of(Mode.PROCESS),
              false,
              false,
              "chronicle-map",
              CHRONICLE,
              "ChronicleMap<String, byte[]>, createPersistedTo, sized for 1.3 times the records"),
          other(
              "mapdb",
              "MapDbBinding",
              List.of(Mode.RELAXED, Mode.POWER),
              true,
              true,
              "mapdb",
              List.of(),
              "BTreeMap with values outside its nodes. V: memory-mapped file without transactions,"
                  + " which a kill leaves unusable. S: write-ahead log, a commit for each write;"
                  + " a commit syncs, so there is no P"),
          other(
              "mvstore",
              "MvStoreBinding",
              List.of(Mode.RELAXED, Mode.PROCESS, Mode.POWER),
              true,
              true,
              "h2-mvstore",
              List.of(),
              "MVMap, 256 MB page cache. V: commits by itself, once a second. P: commit() after"
                  + " each write. S: commit() and sync()"),
          other(
              "rocksdb",
              "RocksDbBinding",
              FILES,
              true,
              true,
              "rocksdbjni",
              List.of(),
              "256 MB block cache, 10-bit Bloom filters, no compression. P: write-ahead log without"
                  + " sync. S: WriteOptions.setSync(true)"),
          other(
              "lmdb",
              "LmdbBinding",
              FILES,
              true,
              true,
              "lmdbjava",
              UTIL,
              "a transaction for each write. P: MDB_NOSYNC. S: the default. MDB_NORDAHEAD where memory"
                  + " is limited"),
          other(
              "xodus",
              "XodusBinding",
              FILES,
              true,
              true,
              "xodus-environment",
              List.of(),
              "an exclusive transaction for each write, 25 % of the Java heap as log cache."
                  + " P: logDurableWrite=false. S: logDurableWrite=true"),
          other(
              "eclipsestore",
              "EclipseStoreBinding",
              List.of(Mode.PROCESS),
              true,
              false,
              "storage-embedded",
              UTIL,
              "hash buckets of objects in the Java heap; each write stores the object that changed;"
                  + " EclipseStore does not sync its files, so there is no S"),
          other(
              "infinispan-file",
              "InfinispanFileBinding",
              List.of(Mode.PROCESS),
              false,
              false,
              "infinispan-core",
              List.of(),
              "an embedded local cache of unlimited size that writes through to a SingleFileStore;"
                  + " it never syncs, so there is no S"),
          other(
              "infinispan-soft",
              "InfinispanSoftBinding",
              FILES,
              false,
              false,
              "infinispan-core",
              List.of(),
              "an embedded local cache of unlimited size that writes through to a"
                  + " SoftIndexFileStore. P: syncWrites=false. S: syncWrites=true"));

  private Peers() {}

  /** The names of all. */
  public static Set<String> names() {
    return ALL.stream().map(Peer::name).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Peer own(
      String name, String binding, List<Mode> modes, boolean pairs, boolean ordered, String how) {
    return new Peer(name, OWN + binding, modes, pairs, ordered, null, List.of(), how);
  }

  private static Peer other(
      String name,
      String binding,
      List<Mode> modes,
      boolean pairs,
      boolean ordered,
      String artifact,
      List<String> options,
      String how) {
    return new Peer(name, OTHERS + binding, modes, pairs, ordered, artifact, options, how);
  }
}
