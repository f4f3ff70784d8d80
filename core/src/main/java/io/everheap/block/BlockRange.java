package io.everheap.block;

import io.everheap.block.store.BlockStore;
import io.everheap.engine.alloc.Reference;
import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Access to a part of a {@link Block} for a body that {@link Block#withRange} or {@link
 * Blocks#allocate(long, java.util.function.Consumer)} runs. Offsets are those of the block. The
 * access ends when the body returns or throws: then every method throws {@link
 * IllegalStateException}. Only the thread of the body may use it; in other threads writes throw
 * {@link io.everheap.error.OutsideTransactionException}.
 *
 * @since 0.9
 */
@Stable
public final class BlockRange extends BlockAccess {
  private final BlockStore store;
  private final long reference;
  private final long payload;
  private final int stripe;
  private final long offset;
  private final long length;
  private final int freshDepth;

  /** Whether stores bypass the write set, because no other thread can reach the block yet. */
  private boolean fresh;

  private boolean ended;

  BlockRange(BlockStore store, long reference, long offset, long length, boolean fresh) {
    this.store = store;
    this.reference = reference;
    this.payload = Reference.payload(reference);
    this.stripe = BlockStore.stripe(reference);
    this.offset = offset;
    this.length = length;
    this.fresh = fresh;
    this.freshDepth = store.tx.depth();
  }

  /** Offset of the first byte of the part in the block. */
  public long offset() {
    return offset;
  }

  /** Length of the part in bytes. */
  public long length() {
    return length;
  }

  void end() {
    ended = true;
  }

  @Override
  long locate(long at, long bytes) {
    if (ended) {
      throw new IllegalStateException("the range ended with the body that it was given to");
    }
    if (at < offset) {
      throw new IndexOutOfBoundsException("offset " + at + " is before the range, " + offset);
    }
    Objects.checkFromIndexSize(at - offset, bytes, length);
    return payload + at;
  }

  /**
   * Whether this store can bypass the write set: not within a nested transaction, whose rollback
   * would not undo it, and not after a nested transaction.
   */
  private boolean isFresh() {
    store.memory.requireWriter();
    fresh = fresh && store.tx.depth() == freshDepth;
    return fresh;
  }

  @Override
  long load(long at, int width) {
    long address = locate(at, width);
    store.memory.requireWriter();
    store.requireLive(reference);
    return store.bytes.get(address, width);
  }

  @Override
  void store(long at, long value, int width) {
    long address = locate(at, width);
    boolean direct = isFresh();
    store.requireLive(reference);
    if (direct) {
      store.bytes.init(address, value, width);
    } else {
      store.bytes.put(stripe, address, value, width);
    }
  }

  @Override
  void load(long at, MemorySegment target, long to, long bytes) {
    long address = locate(at, bytes);
    store.memory.requireWriter();
    store.requireLive(reference);
    store.bytes.copyOut(address, target, to, bytes);
  }

  @Override
  void store(long at, MemorySegment source, long from, long bytes) {
    long address = locate(at, bytes);
    boolean direct = isFresh();
    store.requireLive(reference);
    if (direct) {
      store.memory.initBytes(address, source, from, bytes);
    } else {
      store.bytes.copyIn(stripe, address, source, from, bytes);
    }
  }

  @Override
  void storeEverywhere(long at, long bytes, byte value) {
    long address = locate(at, bytes);
    fresh = false; // the fill goes through the write set, since it may change a part of a word
    store.requireLive(reference);
    store.bytes.fill(stripe, address, bytes, value);
  }

  @Override
  BlockStore store() {
    return store;
  }

  @Override
  long block() {
    fresh = false; // the caller stores through the write set
    return reference;
  }
}
