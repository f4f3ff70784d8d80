package io.everheap.cache;

import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.store.BlockStore;
import io.everheap.cache.store.Cause;
import io.everheap.cache.store.Counters;
import io.everheap.cache.store.Draft;
import io.everheap.cache.store.Opened;
import io.everheap.cache.store.PinLedger;
import io.everheap.cache.store.Upkeep;
import io.everheap.memory.MappedFaults;
import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A cache of blocks of bytes under keys of bytes, in files that outlive the process: after a {@code
 * kill -9} it serves what it held before. Blocks are read in place, and written in two steps: the
 * program fills memory of the cache, then publishes it.
 *
 * <p><b>What is served.</b> A block that is found is whole and was put under that key. Nothing is
 * served that was invalidated, replaced or expired before: not after a kill, and after a power loss
 * at most what happened since the last sync is forgotten, as if it had not happened, or nothing in
 * {@linkplain BlockCacheBuilder#strict strict} mode and on persistent memory. A damaged block is a
 * miss.
 *
 * <p>In an {@linkplain BlockCacheBuilder#encrypt encrypted} cache each block is encrypted before it
 * is stored, and a lookup decrypts it into memory of the handle.
 *
 * <p><b>Capacity.</b> The files never take more than the capacity, everything included. What does
 * not fit is refused and counted; blocks that handles hold make no room.
 *
 * <p>Any thread may use a cache. Lookups take no lock and write nothing to the files. After {@link
 * #close} everything throws {@link IllegalStateException}. After a failure of the files' medium
 * lookups go on, and everything else throws {@link io.everheap.error.MediumException} until the
 * cache is opened again.
 *
 * @since 0.9
 */
@Stable
public final class BlockCache implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(BlockCache.class.getName());

  private final BlockStore store;
  private final PinLedger ledger;
  private final @Nullable Upkeep upkeep;
  private final boolean checksSegments;
  private final AtomicInteger cursor = new AtomicInteger();
  private volatile boolean closed;

  BlockCache(
      BlockStore store,
      long interval,
      boolean background,
      boolean checksSegments,
      boolean tracePins) {
    this.store = store;
    this.ledger = new PinLedger(tracePins);
    this.checksSegments = checksSegments;
    this.upkeep = background ? new Upkeep(store, interval, this::lookForLeaks) : null;
    if (upkeep != null) {
      upkeep.start();
    }
  }

  /**
   * Opens a cache with the defaults, or makes it.
   *
   * @param directory made if it is missing
   * @param capacity the most bytes that the cache takes there
   * @return the cache
   */
  public static BlockCache open(Path directory, long capacity) {
    return builder(directory, capacity).open();
  }

  /**
   * Prepares to open a cache.
   *
   * @param directory made if it is missing
   * @param capacity the most bytes that the cache takes there
   * @return what sets the options
   */
  public static BlockCacheBuilder builder(Path directory, long capacity) {
    return new BlockCacheBuilder(directory, capacity);
  }

  BlockStore store() {
    return store;
  }

  boolean checksSegments() {
    return checksSegments;
  }

  /**
   * Looks a block up and pins it.
   *
   * @param key its key
   * @return the block, to be closed; {@code null} if there is none
   */
  public @Nullable BlockHandle get(byte[] key) {
    requireOpen();
    if (store.isSealed()) {
      return opened(key, true);
    }
    int slot = store.get(key, store.hash(key));
    return slot < 0 ? null : handle(slot, null);
  }

  /** Looks a block up without counting that as a use. */
  @Nullable BlockHandle peek(byte[] key) {
    requireOpen();
    if (store.isSealed()) {
      return opened(key, false);
    }
    int slot = store.peek(key, store.hash(key));
    return slot < 0 ? null : handle(slot, null);
  }

  private @Nullable BlockHandle opened(byte[] key, boolean isUse) {
    Opened opened = store.open(key, store.hash(key), isUse);
    return opened == null ? null : handle(opened.slot(), opened);
  }

  private BlockHandle handle(int slot, @Nullable Opened opened) {
    try {
      return ledger.add(slot, (lease, index) -> new BlockHandle(this, slot, opened, lease, index));
    } catch (Throwable t) {
      if (opened != null) {
        opened.close();
      }
      store.unpin(slot);
      throw t;
    }
  }

  /**
   * Tells whether there is a block, without counting that as a use.
   *
   * @param key its key
   * @return whether a lookup would find it
   */
  public boolean contains(byte[] key) {
    requireOpen();
    int slot = store.peek(key, store.hash(key));
    if (slot >= 0) {
      store.unpin(slot);
    }
    return slot >= 0;
  }

  /**
   * Takes memory for a block, evicting others until it fits.
   *
   * @param key of the block; copied
   * @param length of the block, in bytes
   * @return the memory, to be inserted or closed; {@code null} if it cannot fit, because it is
   *     larger than a segment, or because handles hold what would make room; counted as a reject
   */
  public @Nullable BlockInsert allocate(byte[] key, long length) {
    Draft draft = draft(key, length);
    if (draft == null) {
      return null;
    }
    try {
      return ledger.add(draft.slot(), (lease, index) -> new BlockInsert(this, draft, lease, index));
    } catch (Throwable t) {
      store.abandon(draft);
      throw t;
    }
  }

  private @Nullable Draft draft(byte[] key, long length) {
    requireOpen();
    return store.allocate(key.clone(), store.hash(key), length);
  }

  /**
   * Puts a block, in the place of the one under its key.
   *
   * @param key of the block
   * @param value its bytes
   * @return whether it was put; if it did not fit, what was under the key is gone all the same
   */
  public boolean put(byte[] key, byte[] value) {
    return put(key, MemorySegment.ofArray(value), SlotLayout.NEVER);
  }

  /**
   * Puts a block, in the place of the one under its key.
   *
   * @param key of the block
   * @param value its bytes
   * @return whether it was put; if it did not fit, what was under the key is gone all the same
   */
  public boolean put(byte[] key, MemorySegment value) {
    return put(key, value, SlotLayout.NEVER);
  }

  boolean put(byte[] key, MemorySegment value, long expiry) {
    Draft draft = draft(key, value.byteSize());
    if (draft == null) {
      invalidate(key); // what is there is old
      return false;
    }
    try {
      draft.memory().copyFrom(value);
      MappedFaults.arrive();
    } catch (InternalError e) {
      store.abandon(draft);
      throw store.thrown(e);
    } catch (Throwable t) {
      store.abandon(draft);
      throw t;
    }
    store.insert(draft, expiry);
    return true;
  }

  /**
   * Removes the block of a key. The removal survives a kill when this returns, and a power loss in
   * strict mode and on persistent memory.
   *
   * @param key of the block
   * @return whether there was one, as far as the blocks of earlier openings are known
   */
  public boolean invalidate(byte[] key) {
    requireOpen();
    return store.remove(key, store.hash(key), Cause.EXPLICIT);
  }

  /** Removes all blocks that were put before; durable in any mode when this returns. */
  public void invalidateAll() {
    requireOpen();
    store.removeAll();
  }

  /**
   * Removes the blocks whose keys a program no longer wants, a part at a time: looks at blocks,
   * beginning where the last call ended, and removes those with such keys. Waits until the blocks
   * of earlier openings are known.
   *
   * @param unwanted is asked for each key
   * @param budget about how many blocks to look at; {@link Long#MAX_VALUE} for all
   * @return how many were removed
   */
  public long invalidateIf(Predicate<byte[]> unwanted, long budget) {
    requireOpen();
    Objects.requireNonNull(unwanted, "unwanted");
    store.awaitIndexed();
    long[] looked = new long[2];
    for (int i = 0; i < store.segments() && looked[0] < budget; i++) {
      int segment = Math.floorMod(cursor.getAndIncrement(), store.segments());
      boolean _ =
          store.visit(
              segment,
              (slot, key) -> {
                looked[0]++;
                if (unwanted.test(key) && store.remove(slot, Cause.EXPLICIT)) {
                  looked[1]++;
                }
                return true;
              });
    }
    return looked[1];
  }

  /**
   * Returns the token that the present blocks were put under.
   *
   * @return the token, 0 if none was ever set
   */
  public long generation() {
    requireOpen();
    return store.token();
  }

  /**
   * Sets the token, and removes all blocks if it is another one; durable in any mode.
   *
   * @param token what the blocks to come are valid for
   */
  public void generation(long token) {
    requireOpen();
    store.token(token);
  }

  /** Makes everything durable that happened before. */
  public void sync() {
    requireOpen();
    boolean _ = store.sync();
  }

  /**
   * Tells whether the blocks of earlier openings are known; until then some are misses.
   *
   * @return {@code true} when they are
   */
  public boolean isIndexed() {
    requireOpen();
    return store.isIndexed();
  }

  /** Waits until the blocks of earlier openings are known. */
  public void awaitIndexed() {
    requireOpen();
    store.awaitIndexed();
  }

  /** Removes the blocks whose time is over. Happens by itself from time to time. */
  public void expire() {
    requireOpen();
    long _ = store.expire();
  }

  /**
   * Returns figures of this cache.
   *
   * @return what happened since it was opened, and where its space is
   */
  public CacheStats stats() {
    return stats(0, 0, 0);
  }

  CacheStats stats(long loads, long loadFailures, long loadNanos) {
    requireOpen();
    Counters counters = store.counters();
    BlockStore.Usage usage = store.usage();
    long free = usage.free() + usage.fresh();
    return new CacheStats(
        counters.hits.sum(),
        counters.misses.sum(),
        loads,
        loadFailures,
        loadNanos,
        counters.inserts.sum(),
        counters.rejects.sum(),
        counters.ended(Cause.SIZE).sum(),
        counters.ended(Cause.EXPIRED).sum(),
        counters.ended(Cause.EXPLICIT).sum(),
        counters.ended(Cause.REPLACED).sum(),
        counters.recovered.sum(),
        counters.damaged.sum(),
        counters.leaks.sum(),
        usage.entries(),
        usage.fileBytes(),
        usage.fileBytes() - free * SegmentLayout.GRANULE,
        usage.retiring() * SegmentLayout.GRANULE,
        free * SegmentLayout.GRANULE,
        usage.longest() * SegmentLayout.GRANULE,
        usage.memory());
  }

  /** Counts and reports handles, and allocated blocks, that became garbage without being closed. */
  void lookForLeaks() {
    ledger.turnOver();
    ledger.poll(
        (slot, place) -> {
          store.counters().leaks.increment();
          LOG.log(
              System.Logger.Level.WARNING,
              "a handle or an allocated block of a cache was never closed; it keeps its space until"
                  + " the cache is closed; open the cache with tracePins() to see where it was made",
              place);
        });
  }

  /**
   * Returns why the cache refuses changes; for health checks.
   *
   * @return the exception that a change would get: {@link io.everheap.error.MediumException} after
   *     a failure, {@link IllegalStateException} after {@link #close}; null if it accepts changes
   */
  public @Nullable RuntimeException writeRefusal() {
    return store.refusal();
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the cache is closed");
    }
  }

  /**
   * Makes everything durable and closes the cache; what it holds is there when it is opened again.
   * Segments of handles throw {@link IllegalStateException} from now on. Idempotent; a call while
   * another thread closes the cache waits for that.
   */
  @Override
  public void close() {
    closed = true;
    if (upkeep != null) {
      upkeep.close();
    }
    store.close();
  }
}
