package io.everheap.store;

import io.everheap.HeapAnchor;
import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.error.ClosedException;
import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.error.StoppedException;
import io.everheap.memory.Closing;
import io.everheap.memory.Medium;
import io.everheap.report.VerifyProgress;
import io.everheap.stability.Stable;
import io.everheap.store.Caller.Inside;
import io.everheap.store.Changes.Change;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Maps whose entries are spread over several heaps, the shards, by a hash of their keys. Writers of
 * different shards run in parallel; those of one shard that wait together commit together, for one
 * fence or one shared sync. Reads run in the caller's thread and take no lock.
 *
 * <pre>{@code
 * try (ShardedStore store = ShardedStore.builder(Path.of("bank")).shards(4).open()) {
 *   ShardedMap<String, Long> accounts = store.map("accounts", String.class, Long.class);
 *   accounts.put("alice", 100L);
 *   accounts.setAsync("bob", 50L).thenRun(...);
 *   store.batch().put(accounts, "alice", 90L).put(accounts, "bob", 60L).commit();
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads, virtual ones included. A function or codec that runs inside a
 * write, and the body of {@link #read}, must not write to the store.
 *
 * @since 0.9
 */
@SuppressWarnings("ReferenceEquality") // of lists that are replaced, not changed
@Stable
public final class ShardedStore implements AutoCloseable {
  /** Attempts of {@link #read} without the turns of writers. */
  private static final int READ_ATTEMPTS = 16;

  /** Guards the number of shards and the catalog; taken before the turns. */
  final Object structure = new Object();

  private final ShardedStoreBuilder builder;
  private final Medium medium;
  private final UUID id;
  private final int version;
  private final Catalog catalog = new Catalog(this);
  private final Batches batches = new Batches(this);
  private final Resharding resharding = new Resharding(this);
  private final AtomicLong moves = new AtomicLong();

  private final Caller caller = new Caller();

  /** All that are open, at least those of the placement; replaced, not changed. */
  private volatile List<Shard> shards;

  /** As the file has it; guarded by {@link #structure}. */
  private Descriptor descriptor;

  private volatile @Nullable Placement placement; // null if closed or stopped
  private volatile boolean placing;
  private volatile @Nullable Throwable stopped;
  private boolean closed; // wholly; guarded by structure

  ShardedStore(
      ShardedStoreBuilder builder, Medium medium, Descriptor descriptor, List<Shard> shards) {
    this.builder = builder;
    this.medium = medium;
    this.id = descriptor.id();
    this.version = descriptor.version();
    this.descriptor = descriptor;
    this.shards = List.copyOf(shards);
    this.placement = new Placement(descriptor.shards(), descriptor.target());
  }

  /** Opens a store, or makes one with four shards for each processor, at most 32. */
  public static ShardedStore open(Path directory) {
    return builder(directory).open();
  }

  /** Whether a directory holds a store, which may be open. */
  public static boolean exists(Path directory) {
    return Files.isRegularFile(directory.resolve(Descriptor.FILE))
        && !Files.exists(directory.resolve("heap"));
  }

  /** Settings for opening a store. */
  public static ShardedStoreBuilder builder(Path directory) {
    return new ShardedStoreBuilder(directory);
  }

  static int checked(int shards) {
    if (shards < 1 || shards > Descriptor.MAX_SHARDS) {
      throw new IllegalArgumentException(
          "a store has 1 to " + Descriptor.MAX_SHARDS + " shards, not " + shards);
    }
    return shards;
  }

  /** The map with this name; made if there is none. */
  public <K, V> ShardedMap<K, V> map(String name, Class<K> key, Class<V> value) {
    CodecRegistry codecs = builder.codecs;
    return map(name, codecs.forClass(key), codecs.forClass(value));
  }

  /**
   * The map with this name, with the given codecs.
   *
   * @throws io.everheap.error.SchemaMismatchException if it has other types
   */
  public <K, V> ShardedMap<K, V> map(String name, Codec<K> key, Codec<V> value) {
    KeyCodec<K> keys = KeyCodec.hashed(key);
    require(name, new Catalog.Types(false, keys.name, value.name()));
    return new ShardedMap<>(this, name, keys, value, false);
  }

  /** The sorted map with this name; made if there is none. */
  public <K, V> ShardedSortedMap<K, V> sortedMap(String name, Class<K> key, Class<V> value) {
    CodecRegistry codecs = builder.codecs;
    return sortedMap(name, codecs.forClass(key), codecs.forClass(value));
  }

  /**
   * The sorted map with this name, with the given codecs.
   *
   * @throws io.everheap.error.SchemaMismatchException if it has other types
   * @throws IllegalArgumentException if the codec of the keys is neither built in nor an {@link
   *     io.everheap.codec.OrderedCodec}
   */
  public <K, V> ShardedSortedMap<K, V> sortedMap(String name, Codec<K> key, Codec<V> value) {
    KeyCodec<K> keys = KeyCodec.sorted(key);
    require(name, new Catalog.Types(true, keys.name, value.name()));
    return new ShardedSortedMap<>(this, name, keys, value);
  }

  private void require(String name, Catalog.Types types) {
    Objects.requireNonNull(name, "name");
    placement();
    synchronized (structure) {
      catalog.require(name, types);
    }
  }

  /** The names of all maps. */
  public Set<String> names() {
    placement();
    return catalog.all().keySet();
  }

  /** A new batch, which is empty. */
  public StoreBatch batch() {
    return new StoreBatch(this);
  }

  void commit(List<Change> changes) {
    requireWritable();
    batches.commit(changes);
  }

  /**
   * Runs {@code body}, which only reads this store, so that all its reads see the store as it was
   * at one moment, each batch wholly or not at all. The body may run several times, and may see
   * different moments in runs whose result is dropped. If writers keep interrupting it, it runs
   * while they wait.
   */
  public <T extends @Nullable Object> T read(Supplier<T> body) {
    if (caller.isInside(Inside.READ)) {
      return body.get();
    }
    if (caller.isInside(Inside.FUNCTION)) {
      throw new IllegalStateException("ShardedStore.read inside of a write of the store");
    }
    for (int i = 0; i < READ_ATTEMPTS; i++) {
      List<Shard> all = shards;
      long[] versions = versions(all);
      if (versions.length == 0) {
        Thread.onSpinWait();
        continue;
      }
      try {
        T result = caller.run(Inside.READ, body);
        if (unchanged(all, versions)) {
          return result;
        }
      } catch (RuntimeException e) {
        if (unchanged(all, versions)) {
          throw e;
        }
      }
    }
    return readInTurn(body);
  }

  private <T extends @Nullable Object> T readInTurn(Supplier<T> body) {
    while (true) {
      List<Shard> all = shards;
      List<T> result = new ArrayList<>();
      boolean read =
          Shard.inTurns(
              all, // the list is replaced in the turns of all
              () -> all == shards && result.add(caller.run(Inside.READ, body)));
      if (read) {
        return result.getFirst();
      }
    }
  }

  /** The versions of shards; empty if a writer has a turn. */
  private static long[] versions(List<Shard> all) {
    long[] versions = new long[all.size()];
    for (int i = 0; i < versions.length; i++) {
      versions[i] = all.get(i).version();
      if ((versions[i] & 1) != 0) {
        return new long[0];
      }
    }
    return versions;
  }

  private boolean unchanged(List<Shard> all, long[] versions) {
    java.lang.invoke.VarHandle.loadLoadFence();
    for (int i = 0; i < versions.length; i++) {
      if (all.get(i).version() != versions[i]) {
        return false;
      }
    }
    return all == shards;
  }

  /** Waits until everything that was written is durable. */
  public void sync() {
    placement();
    shards.forEach(shard -> shard.heap.sync());
  }

  /** Runs a checkpoint of each shard. */
  public void checkpoint() {
    placement();
    shards.forEach(shard -> shard.heap.checkpoint());
  }

  /** The number of shards; while it changes, that which it changes to. */
  public int shardCount() {
    return placement().to();
  }

  /** Changes the number of shards; see {@link #reshard(int, ReshardProgress)}. */
  public void reshard(int number) {
    reshard(number, ReshardProgress.NONE);
  }

  /**
   * Changes the number of shards while the store is used; returns when all keys are in their
   * places. After a crash the next opening goes on with it. The directories of shards that are not
   * used any more stay and are used again when the number grows.
   *
   * @param number 1 to 256
   */
  public void reshard(int number, ReshardProgress progress) {
    requireWritable();
    resharding.run(checked(number), Objects.requireNonNull(progress, "progress"));
  }

  /** Sizes and counts. */
  public StoreStats stats() {
    Placement now = placement();
    List<Shard> all = shards;
    long[] sums = {0, 0};
    for (Shard shard : all) {
      long[] counts = shard.batches();
      sums[0] += counts[0];
      sums[1] += counts[1];
    }
    return new StoreStats(
        id,
        version,
        now.from(),
        now.to(),
        resharding.moved(),
        sums[1],
        sums[0],
        all.stream().map(shard -> shard.heap.stats()).toList());
  }

  /** Like {@link #verify(VerifyProgress)}, without reports of the progress. */
  public StoreReport verify() {
    return verify(VerifyProgress.NONE);
  }

  /**
   * Verifies each heap, and that each key is in the shard where it belongs, also while the store is
   * written to and the number of shards changes.
   *
   * @param progress called by this thread
   */
  public StoreReport verify(VerifyProgress progress) {
    return new StoreVerification(this, Objects.requireNonNull(progress, "progress")).run();
  }

  /**
   * The directories of the shards that hold the keys of a store, which may be open: each is that of
   * a heap.
   *
   * @throws EverheapException if there is no store in the directory, or its descriptor is damaged
   */
  public static List<Path> shardDirectories(Path directory) {
    return Opening.directories(directory);
  }

  /**
   * Makes a full backup of all shards as they are at one moment; like {@link StoreBackups#take}.
   *
   * @throws EverheapException if a page is damaged, or there is no space
   */
  public StoreBackup backup(Path backups) {
    return StoreBackups.in(backups).take(this);
  }

  /**
   * Restores a store from the newest backup in a directory into a new or empty one; like {@link
   * StoreBackups#restore}.
   *
   * @throws EverheapException if the backup is damaged or not complete
   */
  public static void restore(Path backups, Path target) {
    StoreBackups all = StoreBackups.in(backups);
    all.restore(all.newest(), target);
  }

  /**
   * Takes an anchor of this store, to be kept elsewhere; first waits until all that was committed
   * is durable. The shards may be at different moments in it, if others write to them.
   *
   * @return an anchor that this store has from now on
   */
  public StoreAnchor anchor() {
    int used = placement().shards();
    return new StoreAnchor(
        id, shards.stream().limit(used).map(shard -> HeapAnchor.of(shard.heap)).toList());
  }

  /** The id that the store and all of its shards have. */
  public UUID id() {
    return id;
  }

  /** The directory. */
  public Path directory() {
    return builder.directory;
  }

  /** Closes all shards; idempotent. After a failure it can be called again. */
  @Override
  public void close() {
    if (shards.stream().anyMatch(Shard::isOwned) || caller.isInside()) {
      throw new IllegalStateException("close inside a write or a read of the store");
    }
    resharding.stop();
    synchronized (structure) {
      if (closed) {
        return;
      }
      Closing ending = new Closing();
      if (placement != null && !builder.readOnly) {
        ending.then(batches::endAll); // outcomes that stay are removed by the next opening
      }
      Closing closing = new Closing();
      closing.then(() -> Shard.inTurns(shards, () -> closeAll(closing, ending)));
      if (!closing.hasError()) { // else a shard may still write
        closing.then(medium::close);
      }
      ending.then(closing::end).end();
      closed = true;
    }
  }

  private boolean closeAll(Closing closing, Closing ending) {
    Placement last = placement;
    if (last != null && !builder.readOnly && isWritable(last)) {
      ending.then(() -> renewIfPossible());
    }
    placement = null;
    stopped = null;
    shards.reversed().forEach(shard -> closing.then(shard::close));
    return true;
  }

  private boolean isWritable(Placement last) {
    return shards.stream()
        .limit(last.shards())
        .allMatch(shard -> shard.heap.writeRefusal() == null);
  }

  /** Where keys are; changes in the turns of all shards only. */
  Placement placement() {
    Placement now = placement;
    if (now == null) {
      throw unusable();
    }
    return now;
  }

  private EverheapException unusable() {
    Throwable cause = stopped;
    String location = builder.directory.toString();
    return cause == null ? ClosedException.heap(location) : StoppedException.heap(location, cause);
  }

  /**
   * Refuses everything until the store is opened again, because a batch or a move is unfinished.
   */
  void stop(Throwable cause) {
    if (placement != null) {
      stopped = cause;
      placement = null;
    }
  }

  /** Refuses a write inside of {@link #read} or of a function that runs inside a write. */
  void requireWritable() {
    caller.requireWritable();
  }

  Caller caller() {
    return caller;
  }

  Shard shard(int index) {
    return shards.get(index);
  }

  List<Shard> shards() {
    return shards;
  }

  Catalog catalog() {
    return catalog;
  }

  Batches batches() {
    return batches;
  }

  Resharding resharding() {
    return resharding;
  }

  /** A number that is another one after keys moved. */
  long moves() {
    return moves.get();
  }

  void countMove() {
    moves.incrementAndGet();
  }

  /** Opens shards up to a number, with parts of all maps; guarded by {@link #structure}. */
  void grow(int number) {
    List<Shard> all = new ArrayList<>(shards);
    all.addAll(new Opening(builder).more(medium, id, all.size(), number));
    List<Shard> grown = List.copyOf(all);
    // First: what is open is closed with the store, whatever follows.
    Shard.inTurns(shards, () -> shards = grown);
    for (Shard shard : all) {
      catalog.prepare(shard); // it may have been unused while maps were made
    }
  }

  /** Makes another placement durable, and valid; guarded by {@link #structure}. */
  void place(Placement next) {
    placing = true; // before any turn is taken: what is queued behind one of them sees it
    try {
      Shard.inTurns(
          shards,
          () -> {
            placement();
            renew(next);
            return true;
          });
    } finally {
      placing = false;
    }
  }

  /**
   * Moves the store to its next session, unless the disk is full: then a program can still open the
   * store and remove entries. Called when it is opened and closed.
   */
  void renewIfPossible() {
    try {
      renew(placement());
    } catch (DiskFullException e) {
      System.getLogger(ShardedStore.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the shards of {0} stay in their session, since the disk is full",
              this);
    }
  }

  /** Makes a placement durable and valid; in the turns of all, or before others use the store. */
  private void renew(Placement next) {
    Session.renew(
        medium,
        descriptor,
        next,
        shards.subList(0, next.shards()),
        changed -> {
          descriptor = changed;
          placement = next;
        });
  }

  /** Whether a write that was queued under this placement may find another one. */
  boolean isLeft(Placement queued) {
    return placing || placement != queued;
  }

  @Override
  public String toString() {
    return "ShardedStore[" + builder.directory + "]";
  }
}
