package io.everheap.infinispan;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.Undecodable;
import io.everheap.infinispan.configuration.EverheapStoreConfiguration;
import io.everheap.stability.Evolving;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Single;
import jakarta.transaction.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.infinispan.commons.configuration.ConfiguredBy;
import org.infinispan.commons.executors.NonBlockingResource;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.time.TimeService;
import org.infinispan.commons.util.IntSet;
import org.infinispan.marshall.persistence.PersistenceMarshaller;
import org.infinispan.persistence.spi.InitializationContext;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.infinispan.persistence.spi.NonBlockingStore;
import org.infinispan.persistence.spi.PersistenceException;
import org.infinispan.util.concurrent.BlockingManager;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * A store of Infinispan whose entries are in a {@link Heap}. A write whose stage completed survives
 * {@code kill -9}, and power loss as the configured durability says; a batch, a {@link #clear} and
 * a transaction happen wholly or not at all.
 *
 * <p>Threads. A heap is memory, so what is read or written runs in the thread of the caller, except
 * on Infinispan's non-blocking threads: writes, which may wait for another one or for space in the
 * log, and reads of a heap that is larger than the machine's memory, go to a blocking thread there.
 * With durability SYNC a blocking thread syncs for all writes that were committed meanwhile, and
 * completes them.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 * @since 0.9
 */
@ConfiguredBy(EverheapStoreConfiguration.class)
@Evolving
public class EverheapStore<K, V> implements NonBlockingStore<K, V> {
  private static final int PURGED_AT_ONCE = 256;
  private static final long PURGED_BYTES_AT_ONCE = 1 << 20;

  /** Of a commit that {@link SharedSync} makes durable. */
  private static final Durability UNSYNCED = Durability.async(Duration.ofHours(1));

  private @Nullable Open open;

  /** Made by Infinispan. */
  public EverheapStore() {}

  /** What there is between start and stop. */
  private final class Open {
    final BlockingManager blocking;
    final TimeService time;
    final CacheInHeap cache;
    final KeyForms keys;
    final Unmarshalling<K, V> entries;
    final ResidentMemory resident;

    /** Null if a commit is as durable as it has to be when it returns. */
    final @Nullable SharedSync sync;

    /**
     * Completes reads of a cache that passivates; null for other caches. Infinispan puts an entry
     * that was read into its data container, which may evict another one. Done in the thread that
     * uses the cache, this met evictions of other threads. Writes complete where they are made: an
     * entry that was removed is then less likely to come back from an eviction.
     */
    private final @Nullable Executor completing;

    Open(InitializationContext context) {
      blocking = context.getBlockingManager();
      completing =
          context.getCache().getCacheConfiguration().persistence().passivation()
              ? context.getNonBlockingExecutor()
              : null;
      PersistenceMarshaller marshaller = context.getPersistenceMarshaller();
      time = context.getTimeService();
      cache = CacheInHeap.open(context);
      keys = new KeyForms(cache, marshaller);
      entries =
          new Unmarshalling<>(
              cache,
              keys,
              context.getMarshallableEntryFactory(),
              marshaller.mediaType().toString());
      try {
        resident = new ResidentMemory(cache.heap());
        sync =
            cache.needsSync()
                ? new SharedSync(cache.heap(), blocking.asExecutor("everheap-sync"))
                : null;
      } catch (RuntimeException | Error e) {
        cache.close(); // a stop does not know of it
        throw e;
      }
    }

    <T extends @Nullable Object> CompletionStage<T> read(Supplier<T> body) {
      CompletionStage<T> read =
          resident.fits() || !onNonBlockingThread() ? inline(body) : elsewhere(body);
      return completing == null ? read : read.thenApplyAsync(value -> value, completing);
    }

    <T extends @Nullable Object> CompletionStage<T> write(Supplier<T> body) {
      if (!onNonBlockingThread()) {
        return commit(body, false);
      }
      return blocking
          .supplyBlocking(() -> commit(body, true), "everheap-write")
          .thenCompose(stage -> stage);
    }

    /**
     * Commits in this thread.
     *
     * @param maySync whether it may also wait for the disk
     */
    private <T extends @Nullable Object> CompletionStage<T> commit(
        Supplier<T> body, boolean maySync) {
      if (sync == null) {
        return inline(() -> cache.heap().transact(body::get));
      }
      try {
        return sync.complete(cache.heap().transact(UNSYNCED, body::get), maySync);
      } catch (Throwable t) {
        return failed(t);
      }
    }

    private <T extends @Nullable Object> CompletionStage<T> elsewhere(Supplier<T> body) {
      return blocking.supplyBlocking(body, "everheap-read");
    }

    private <T extends @Nullable Object> CompletionStage<T> inline(Supplier<T> body) {
      try {
        return CompletableFuture.completedFuture(body.get());
      } catch (Throwable t) {
        return failed(t);
      }
    }

    <T> Publisher<T> publisher(Publisher<T> all) {
      return resident.fits() ? all : blocking.blockingPublisher(all);
    }
  }

  private static boolean onNonBlockingThread() {
    return Thread.currentThread().getThreadGroup() instanceof NonBlockingResource;
  }

  private static <T> CompletionStage<T> failed(Throwable cause) {
    return CompletableFuture.failedFuture(
        cause instanceof PersistenceException
            ? cause
            : new PersistenceException("an operation of the store failed", cause));
  }

  private Open open() {
    Open is = open;
    if (is == null) {
      throw new PersistenceException("the store is not started");
    }
    return is;
  }

  @Override
  public Set<Characteristic> characteristics() {
    return EnumSet.of(
        Characteristic.BULK_READ,
        Characteristic.EXPIRATION,
        Characteristic.SEGMENTABLE,
        Characteristic.TRANSACTIONAL);
  }

  @Override
  public CompletionStage<Void> start(InitializationContext context) {
    return context
        .getBlockingManager()
        .runBlocking(() -> open = new Open(context), "everheap-start");
  }

  @Override
  public CompletionStage<Void> stop() {
    Open is = open;
    if (is == null) { // it did not start
      return CompletableFuture.completedFuture(null);
    }
    open = null;
    return is.blocking.runBlocking(is.cache::close, "everheap-stop");
  }

  @Override
  public CompletionStage<Void> destroy() {
    Open is = open;
    if (is == null) {
      return CompletableFuture.completedFuture(null);
    }
    open = null;
    return is.blocking.runBlocking(is.cache::destroy, "everheap-destroy");
  }

  /** Also looks whether the heap still fits into memory: Infinispan asks from time to time. */
  @Override
  public CompletionStage<Boolean> isAvailable() {
    Open is = open;
    if (is == null || !is.cache.heap().isOpen()) {
      return CompletableFuture.completedFuture(false);
    }
    is.resident.look();
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public CompletionStage<MarshallableEntry<K, V>> load(int segment, Object key) {
    Open is = open();
    return is.read(() -> is.entries.load(is.cache.segment(segment), key, is.time.wallClockTime()));
  }

  @Override
  public CompletionStage<Boolean> containsKey(int segment, Object key) {
    Open is = open();
    return is.read(
        () -> {
          StoredEntry stored = is.cache.segment(segment).get(is.keys.key(key));
          return stored != null && !stored.isExpired(is.time.wallClockTime());
        });
  }

  @Override
  public CompletionStage<Void> write(
      int segment, MarshallableEntry<? extends K, ? extends V> entry) {
    Open is = open();
    ByteBuffer key = is.keys.key(entry);
    StoredEntry stored = StoredEntry.of(entry);
    return is.write(
        () -> {
          is.cache.segment(segment).put(key, stored);
          return null;
        });
  }

  @Override
  public CompletionStage<Boolean> delete(int segment, Object key) {
    Open is = open();
    ByteBuffer bytes = is.keys.key(key);
    return is.write(() -> is.cache.segment(segment).remove(bytes, is.time.wallClockTime()));
  }

  @Override
  public CompletionStage<Void> clear() {
    Open is = open();
    return is.write(
        () -> {
          is.cache.segments().forEach(Segment::clear);
          return null;
        });
  }

  @Override
  public CompletionStage<Void> addSegments(IntSet segments) {
    return CompletableFuture.completedFuture(null); // every segment is there from the start
  }

  @Override
  public CompletionStage<Void> removeSegments(IntSet segments) {
    Open is = open();
    return is.write(
        () -> {
          is.cache.segments(segments).forEach(Segment::clear);
          return null;
        });
  }

  /** The heap, for tests. */
  Heap heap() {
    return open().cache.heap();
  }

  // ---- Many entries -------------------------------------------------------------------------

  @Override
  public CompletionStage<Void> batch(
      int publisherCount,
      Publisher<SegmentedPublisher<Object>> removePublisher,
      Publisher<SegmentedPublisher<MarshallableEntry<K, V>>> writePublisher) {
    Open is = open();
    return changes(publisherCount, removePublisher, writePublisher)
        .thenCompose(
            changes ->
                changes.isEmpty()
                    ? CompletableFuture.completedFuture(null)
                    : is.write(
                        () -> {
                          is.cache.apply(changes);
                          return null;
                        }));
  }

  /**
   * Collects what two publishers have: first the entries that are written, then the keys that are
   * removed. Both publishers are subscribed to before either has to answer, and as many of their
   * parts as there can be, since Infinispan answers none before.
   */
  private CompletionStage<List<Change>> changes(
      int publisherCount,
      Publisher<SegmentedPublisher<Object>> removePublisher,
      Publisher<SegmentedPublisher<MarshallableEntry<K, V>>> writePublisher) {
    Open is = open();
    int parts = Math.max(1, publisherCount);
    Single<List<Change>> writes =
        Flowable.fromPublisher(writePublisher)
            .flatMap(
                part ->
                    Flowable.fromPublisher(part)
                        .map(e -> new Change(part.getSegment(), is.keys.key(e), StoredEntry.of(e))),
                parts)
            .toList();
    Single<List<Change>> removals =
        Flowable.fromPublisher(removePublisher)
            .flatMap(
                part ->
                    Flowable.fromPublisher(part)
                        .map(key -> new Change(part.getSegment(), is.keys.key(key), null)),
                parts)
            .toList();
    return Single.zip(
            writes,
            removals,
            (first, second) -> {
              List<Change> all = new ArrayList<>(first);
              all.addAll(second);
              return all;
            })
        .toCompletionStage();
  }

  @Override
  public CompletionStage<Long> size(IntSet segments) {
    Open is = open();
    return is.read(
        () -> {
          long now = is.time.wallClockTime();
          return is.cache.segments(segments).mapToLong(segment -> segment.size(now)).sum();
        });
  }

  @Override
  public CompletionStage<Long> approximateSize(IntSet segments) {
    Open is = open();
    return is.read(() -> is.cache.segments(segments).mapToLong(Segment::sizeWithExpired).sum());
  }

  @Override
  public Publisher<MarshallableEntry<K, V>> publishEntries(
      IntSet segments, @Nullable Predicate<? super K> filter, boolean includeValues) {
    Open is = open();
    Flowable<MarshallableEntry<K, V>> all =
        Flowable.defer(
            () -> {
              long now = is.time.wallClockTime();
              return Flowable.fromStream(is.cache.segments(segments))
                  .concatMapIterable(segment -> () -> segment.iterator(is.entries::leaveOut))
                  .filter(keyed -> !keyed.entry().isExpired(now))
                  .mapOptional(keyed -> is.entries.readable(keyed, includeValues))
                  .filter(entry -> filter == null || filter.test(entry.getKey()));
            });
    return is.publisher(all);
  }

  @Override
  public Publisher<K> publishKeys(IntSet segments, @Nullable Predicate<? super K> filter) {
    return Flowable.fromPublisher(publishEntries(segments, filter, false))
        .map(MarshallableEntry::getKey);
  }

  @Override
  public Publisher<MarshallableEntry<K, V>> purgeExpired() {
    Open is = open();
    Flowable<Segment.Keyed> purged =
        Flowable.defer(
            () -> {
              long now = is.time.wallClockTime();
              return Flowable.fromStream(is.cache.segments())
                  .filter(segment -> segment.hasExpired(now))
                  .concatMap(segment -> purge(is, segment, now))
                  .concatMapIterable(some -> some, 1); // what is purged and not taken is in memory
            });
    return Flowable.fromPublisher(is.blocking.blockingPublisher(purged))
        .mapOptional(keyed -> is.entries.readable(keyed, true));
  }

  /**
   * Iterates over the stored entries that cannot be read: the class of the key or the value is
   * missing, or refuses the bytes. {@code load} throws for them. Iterations, preload and state
   * transfer leave them out; an iteration over keys leaves out only keys that cannot be read. The
   * entries stay in the store until they expire, this iterator removes them, or a put with {@code
   * Flag.IGNORE_RETURN_VALUES} replaces them, which does not load the old value.
   *
   * <p>Positions are keys, or the marshalled bytes of a key that cannot be read. The bytes are
   * those of the value, or of such a key, whose value is {@link Undecodable#value}. {@code remove}
   * of the iterator removes the entry from the store in a transaction, unless a writer replaced it
   * since {@code next}. The iterator reads all entries and waits for other writers. So do not use
   * it in Infinispan's non-blocking threads.
   *
   * @return weakly consistent
   */
  public Iterator<Undecodable> undecodable() {
    return open().entries.undecodable();
  }

  /** Removes the expired entries of a segment, some in each transaction. */
  private Flowable<List<Segment.Keyed>> purge(Open is, Segment segment, long now) {
    return Flowable.generate(
        some -> {
          List<Segment.Keyed> removed =
              is.cache
                  .heap()
                  .transact(() -> segment.purge(now, PURGED_AT_ONCE, PURGED_BYTES_AT_ONCE));
          some.onNext(removed);
          if (!segment.hasExpired(now)) {
            some.onComplete();
          }
        });
  }

  // ---- Transactions in two phases -----------------------------------------------------------

  @Override
  public CompletionStage<Void> prepareWithModifications(
      Transaction transaction,
      int publisherCount,
      Publisher<SegmentedPublisher<Object>> removePublisher,
      Publisher<SegmentedPublisher<MarshallableEntry<K, V>>> writePublisher) {
    Open is = open();
    return changes(publisherCount, removePublisher, writePublisher)
        .thenCompose(
            changes -> {
              byte[] bytes = Change.encode(changes);
              String id = is.cache.prepared().begin(transaction);
              return is.write(
                  () -> {
                    is.cache.prepared().keep(id, bytes);
                    return null;
                  });
            });
  }

  @Override
  public CompletionStage<Void> commit(Transaction transaction) {
    Open is = open();
    String id = is.cache.prepared().end(transaction);
    return id == null ? CompletableFuture.completedFuture(null) : decide(is, id, true);
  }

  @Override
  public CompletionStage<Void> rollback(Transaction transaction) {
    Open is = open();
    String id = is.cache.prepared().end(transaction);
    return id == null ? CompletableFuture.completedFuture(null) : decide(is, id, false);
  }

  /**
   * The transactions that were prepared and neither committed nor rolled back: those that are
   * running, and those that were when an earlier process ended. Infinispan forgets the latter, so
   * the program has to decide them, by {@link #commit(String)} or {@link #rollback(String)}.
   */
  public List<PreparedTransaction> prepared() {
    return open().cache.prepared().list();
  }

  /** Commits a transaction of {@link #prepared()}; does nothing if there is no such one. */
  public CompletionStage<Void> commit(String id) {
    return decide(open(), id, true);
  }

  /** Rolls a transaction of {@link #prepared()} back; does nothing if there is no such one. */
  public CompletionStage<Void> rollback(String id) {
    return decide(open(), id, false);
  }

  private CompletionStage<Void> decide(Open is, String id, boolean commit) {
    byte[] prepared = commit ? is.cache.prepared().get(id) : null;
    List<Change> changes = new ArrayList<>();
    if (prepared != null) {
      for (Change change : Change.decode(prepared)) { // maybe of an earlier build
        changes.add(change.withKey(is.keys.present(change.key())));
      }
    }
    return is.write(
        () -> {
          if (is.cache.prepared().take(id) != null) {
            is.cache.apply(changes);
          }
          return null;
        });
  }
}
