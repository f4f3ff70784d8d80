package io.everheap.benchmarks.store;

import io.everheap.benchmarks.result.Case;
import java.util.List;

/** Stores of Infinispan, behind a cache that holds a tenth of the records. */
public final class InfinispanPeers {
  private static final String PACKAGE = "io.everheap.benchmarks.peers.";
  private static final String CACHE = "infinispan-core";
  private static final List<Mode> FILES = List.of(Mode.PROCESS, Mode.POWER);

  /** Infinispan's own needs on this release of Java. */
  private static final List<String> OPTIONS =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

  /** All, this library's first. */
  public static final List<Peer> ALL =
      List.of(
          peer(
              Case.EVERHEAP,
              "CachedEverheapBinding",
              FILES,
              "EverheapStore. P: durability=ASYNC, sync-interval=10. S: durability=SYNC"),
          peer(
              "no-store",
              "StorelessBinding",
              List.of(Mode.VOLATILE),
              "a cache of all records without a store: what Infinispan itself takes"),
          peer(
              "floor",
              "CachedFloorBinding",
              List.of(Mode.VOLATILE),
              "a store that keeps marshalled values in a map of the Java heap: the least that a"
                  + " store does, and loses all with the process"),
          peer(
              "file",
              "CachedFileBinding",
              List.of(Mode.PROCESS),
              "SingleFileStore, which never syncs, so there is no S"),
          peer(
              "soft-index",
              "CachedSoftBinding",
              FILES,
              "SoftIndexFileStore. P: syncWrites=false. S: syncWrites=true"),
          peer(
              "rocksdb",
              "CachedRocksDbBinding",
              List.of(Mode.PROCESS),
              "RocksDBStore 16.0.7, which has no setting to sync its writes, so there is no S"));

  /** Stores of a transactional, pessimistic cache. */
  public static final List<Entrant> BANKS =
      List.of(
          bank(Case.EVERHEAP, "BankEverheapBinding"),
          bank("file", "BankFileBinding"),
          bank("soft-index", "BankSoftBinding"));

  private InfinispanPeers() {}

  private static Peer peer(String name, String binding, List<Mode> modes, String how) {
    return new Peer(name, PACKAGE + binding, modes, false, false, CACHE, OPTIONS, how);
  }

  private static Entrant bank(String name, String binding) {
    Peer same = ALL.stream().filter(p -> p.name().equals(name)).findFirst().orElseThrow();
    Peer bank =
        new Peer(
            name,
            PACKAGE + binding,
            List.of(Mode.PROCESS),
            true,
            false,
            CACHE,
            OPTIONS,
            same.how());
    return new Entrant(bank, Mode.PROCESS);
  }
}
