package io.everheap.cache;

import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.store.BlockStore;
import io.everheap.cache.store.Opened;
import io.everheap.cache.store.PinLedger;
import io.everheap.memory.MappedFaults;
import io.everheap.stability.Stable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A block that was found in a cache, pinned: its bytes stay where they are and as they are until
 * {@link #close}, also if the block is invalidated, replaced or evicted meanwhile. For one thread
 * at a time. After {@link #close} every method throws {@link IllegalStateException}.
 *
 * <p>In an {@linkplain BlockCacheBuilder#encrypt encrypted} cache the block is not read in place:
 * the handle has a decrypted copy in memory of this process, until it is closed.
 *
 * @since 0.9
 */
@Stable
public final class BlockHandle implements AutoCloseable {
  private final BlockCache cache;
  private final BlockStore store;
  private final int slot;
  private final PinLedger.Lease lease;
  private final int index;
  private final MemorySegment segment;
  private final @Nullable Arena own;
  private final @Nullable Opened opened; // of an encrypted cache
  private boolean closed;

  BlockHandle(
      BlockCache cache, int slot, @Nullable Opened opened, PinLedger.Lease lease, int index) {
    this.cache = cache;
    this.store = cache.store();
    this.slot = slot;
    this.lease = lease;
    this.index = index;
    this.opened = opened;
    MemorySegment memory = opened == null ? store.value(slot) : opened.value();
    if (cache.checksSegments()) {
      this.own = Arena.ofShared();
      this.segment =
          own.allocate(Math.max(1, memory.byteSize()), 64)
              .asSlice(0, memory.byteSize())
              .copyFrom(memory)
              .asReadOnly();
    } else {
      this.own = null;
      this.segment = memory;
    }
  }

  /**
   * Returns the block, in place unless the cache is encrypted.
   *
   * <p>The segment is valid until {@link #close}; the cache may then use the memory for another
   * block, which code that kept the segment would read. It throws {@link IllegalStateException}
   * when the cache is closed, and after {@link #close} if the cache was opened with {@link
   * BlockCacheBuilder#checkSegments}.
   *
   * @return a read-only segment
   */
  public MemorySegment segment() {
    requireOpen();
    return segment;
  }

  /**
   * Returns the length of the block.
   *
   * @return bytes
   */
  public long length() {
    requireOpen();
    return segment.byteSize();
  }

  /**
   * Copies bytes of the block.
   *
   * @param offset of the first one in the block
   * @param target the array that receives them
   * @param at the first index to write
   * @param length how many
   */
  public void copyTo(long offset, byte[] target, int at, int length) {
    requireOpen();
    try {
      MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, target, at, length);
      MappedFaults.arrive();
    } catch (InternalError e) {
      throw store.thrown(e);
    }
  }

  /**
   * Copies the block.
   *
   * @return a new array
   */
  public byte[] toArray() {
    requireOpen();
    try {
      byte[] bytes = segment.toArray(ValueLayout.JAVA_BYTE);
      MappedFaults.arrive();
      return bytes;
    } catch (InternalError e) {
      throw store.thrown(e);
    }
  }

  /**
   * Copies the key.
   *
   * @return a new array
   */
  public byte[] key() {
    requireOpen();
    return opened == null ? store.key(slot) : opened.key();
  }

  /**
   * Returns when the block expires.
   *
   * @return the time; empty if it does not
   */
  public Optional<Instant> expiresAt() {
    requireOpen();
    long expiry = store.expiry(slot);
    return expiry == SlotLayout.NEVER
        ? Optional.empty()
        : Optional.of(Instant.ofEpochMilli(expiry));
  }

  int slot() {
    requireOpen();
    return slot;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the handle is closed");
    }
    cache.requireOpen();
  }

  /** Gives the block back to the cache. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      lease.close(index);
      if (opened != null) {
        opened.close();
      }
      store.unpin(slot);
      if (own != null) {
        own.close();
      }
    }
  }
}
