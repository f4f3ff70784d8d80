package io.everheap.cache;

import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.store.Draft;
import io.everheap.cache.store.PinLedger;
import io.everheap.memory.MappedFaults;
import io.everheap.stability.Stable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A block that is being filled: memory of the cache that the program writes into, for example by
 * reading a file straight into it. No lookup finds the block before {@link #insert}. For one thread
 * at a time. After {@link #insert} or {@link #close} every other method throws {@link
 * IllegalStateException}. A block with which neither is done keeps its space until the cache is
 * closed, and is counted and reported as a forgotten handle is: use it in a {@code try} with
 * resources.
 *
 * <p>In an {@linkplain BlockCacheBuilder#encrypt encrypted} cache the memory is that of this
 * process alone; {@link #insert} encrypts what it holds into the file.
 *
 * @since 0.9
 */
@Stable
public final class BlockInsert implements AutoCloseable {
  private final BlockCache cache;
  private final Draft draft;
  private final PinLedger.Lease lease;
  private final int index;
  private final MemorySegment target;
  private final MemorySegment segment;
  private final @Nullable Arena own;
  private boolean closed;

  BlockInsert(BlockCache cache, Draft draft, PinLedger.Lease lease, int index) {
    this.cache = cache;
    this.draft = draft;
    this.lease = lease;
    this.index = index;
    this.target = draft.memory();
    if (cache.checksSegments()) {
      this.own = Arena.ofShared();
      this.segment = own.allocate(Math.max(1, target.byteSize()), 64).asSlice(0, target.byteSize());
    } else {
      this.own = null;
      this.segment = target;
    }
  }

  /**
   * Returns the memory to fill. What it holds at first is undefined.
   *
   * @return a segment of the block's length, valid until {@link #insert} or {@link #close}
   */
  public MemorySegment segment() {
    requireOpen();
    return segment;
  }

  /** Publishes the block under its key, in the place of the one that is there. */
  public void insert() {
    insert(SlotLayout.NEVER);
  }

  /**
   * Publishes the block, to expire at a time.
   *
   * @param expiresAt when lookups stop finding it, by the system's clock, also after a restart;
   *     {@link Instant#MAX} for never
   */
  public void insert(Instant expiresAt) {
    insert(EntryTimes.millis(expiresAt));
  }

  void insert(long expiry) {
    requireOpen();
    if (own != null) {
      try {
        target.copyFrom(segment);
        MappedFaults.arrive();
      } catch (InternalError e) {
        throw cache.store().thrown(e);
      }
    }
    end();
    cache.store().insert(draft, expiry);
  }

  private void end() {
    closed = true;
    lease.close(index);
    if (own != null) {
      own.close();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the block was inserted or given back");
    }
    cache.requireOpen();
  }

  /** Gives the memory back unless the block was inserted. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      end();
      cache.store().abandon(draft);
    }
  }
}
