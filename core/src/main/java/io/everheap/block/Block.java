package io.everheap.block;

import io.everheap.block.store.BlockStore;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.bytes.HeapBytes;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * An accessor to a block of memory in a heap. A block may have any number of accessors. They keep
 * no state of the block except its size, which never changes, and check at each access that the
 * block still exists. So a free that is rolled back leaves every accessor valid; after one that
 * commits, every accessor throws {@link io.everheap.error.GoneException}, even if the space is in
 * use again.
 *
 * <p>A <em>compact</em> accessor omits that check when it reads, which saves some nanoseconds:
 * after its block was freed, it returns arbitrary values, though never from outside of the block's
 * former place. Its writes are checked like those of all accessors.
 *
 * <p>Safe for use by many threads.
 *
 * @since 0.9
 */
@Stable
public class Block extends BlockAccess {
  /** Optimistic attempts before a load takes the general path. */
  private static final int MAX_ATTEMPTS = 64;

  final BlockStore store;
  private final boolean compact;

  // The block; only a cursor changes these fields.
  private long reference;
  private long payload;
  private long size;
  private int stripe;

  Block(BlockStore store, boolean compact) {
    this.store = store;
    this.compact = compact;
  }

  Block(BlockStore store, boolean compact, long reference, long size) {
    this(store, compact);
    place(reference, size);
  }

  final void place(long newReference, long newSize) {
    reference = newReference;
    payload = Reference.payload(newReference);
    size = newSize;
    stripe = BlockStore.stripe(newReference);
  }

  /**
   * The handle: a number that the program or other blocks of the heap can keep, valid until the
   * block is freed. Never 0.
   */
  public final long handle() {
    return store.handle(reference);
  }

  /** The size in bytes, exactly as it was allocated. */
  public final long size() {
    return size;
  }

  /** Whether this accessor reads without a check that the block exists. */
  public final boolean isCompact() {
    return compact;
  }

  /** Whether the block exists: it is not freed, and a cursor stands at one. */
  public final boolean isValid() {
    return size >= 0 && store.isThere(reference);
  }

  /**
   * Frees the block, in the running transaction or one of its own. All accessors to it throw from
   * then on, unless the transaction is rolled back.
   *
   * @throws io.everheap.error.GoneException if it was freed before
   */
  public final void free() {
    store.transact(
        () -> {
          locate(0, 0);
          store.allocator.free(stripe, reference);
        });
  }

  /**
   * Runs a body that writes to a part of the block many times, as one transaction or as a part of
   * the running one: the block is checked and the transaction entered once, and the writes take one
   * log record. If the body throws, none of its writes stays.
   *
   * @param offset of the first byte of the part
   * @param length of the part in bytes
   * @param body receives access to the part, at the same offsets as in the block; the access ends
   *     when the body returns or throws
   * @throws IndexOutOfBoundsException if the part does not lie in the block
   */
  public final void withRange(long offset, long length, Consumer<? super BlockRange> body) {
    Objects.requireNonNull(body, "body");
    locate(offset, length);
    store.transact(
        () -> {
          store.requireLive(reference);
          BlockRange range = new BlockRange(store, reference, offset, length, false);
          try {
            body.accept(range);
          } finally {
            range.end();
          }
        });
  }

  /**
   * Like {@link #getLong} with acquire semantics: later reads of this thread see everything that
   * was committed before the transaction that stored the value.
   *
   * <p>Every commit is a release, so there is no other kind of write.
   */
  public final long getLongAcquire(long offset) {
    long value = getLong(offset);
    VarHandle.acquireFence();
    return value;
  }

  /** Like {@link #getInt} with the semantics of {@link #getLongAcquire}. */
  public final int getIntAcquire(long offset) {
    int value = getInt(offset);
    VarHandle.acquireFence();
    return value;
  }

  @Override
  final long load(long offset, int width) {
    long at = locate(offset, width);
    Transactions tx = store.tx;
    if (!tx.isWriter()) {
      if (compact && HeapBytes.inOneWord(at, width)) {
        try {
          long value = store.bytes.get(at, width);
          tx.checkRead();
          return value;
        } catch (CorruptException | IllegalStateException e) {
          return store.read(stripe, () -> get(at, width));
        }
      }
      for (int i = 0; i < MAX_ATTEMPTS; i++) {
        long version = store.stripes.sample(stripe);
        if ((version & 1) != 0) {
          Thread.onSpinWait();
          continue;
        }
        long value;
        try {
          value = get(at, width);
        } catch (RuntimeException e) {
          break; // a commit may have intervened; otherwise the general path throws it again
        }
        if (store.stripes.valid(stripe, version)) {
          tx.checkRead();
          return value;
        }
      }
    }
    return store.read(stripe, () -> get(at, width));
  }

  private long get(long at, int width) {
    if (!compact) {
      store.requireLive(reference);
    }
    return store.bytes.get(at, width);
  }

  @Override
  final void store(long offset, long value, int width) {
    long at = locate(offset, width);
    Transactions tx = store.tx;
    if (tx.isWriter() && HeapBytes.inOneWord(at, width)) {
      store.requireLive(reference);
      store.bytes.put(stripe, at, value, width);
      return;
    }
    boolean ok = false;
    tx.begin();
    try {
      store.requireLive(reference);
      store.bytes.put(stripe, at, value, width);
      ok = true;
    } catch (InternalError e) {
      throw tx.faulted(e);
    } finally {
      tx.lock.endsDue++;
      tx.end(ok);
    }
  }

  @Override
  @SuppressWarnings("CheckReturnValue")
  final void load(long offset, MemorySegment target, long at, long length) {
    long from = locate(offset, length);
    store.read(
        stripe,
        () -> {
          store.requireLive(reference);
          store.bytes.copyOut(from, target, at, length);
          return 0;
        });
  }

  @Override
  final void store(long offset, MemorySegment source, long at, long length) {
    long to = locate(offset, length);
    store.transact(
        () -> {
          store.requireLive(reference);
          store.bytes.copyIn(stripe, to, source, at, length);
        });
  }

  @Override
  final void storeEverywhere(long offset, long length, byte value) {
    long to = locate(offset, length);
    store.transact(
        () -> {
          store.requireLive(reference);
          store.bytes.fill(stripe, to, length, value);
        });
  }

  @Override
  final BlockStore store() {
    return store;
  }

  @Override
  final long block() {
    return reference;
  }

  @Override
  final long locate(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, size);
    return payload + offset;
  }

  /** Whether the other one is an accessor to the same block of the same heap. */
  @Override
  public final boolean equals(Object other) {
    return other instanceof Block that
        && reference == that.reference
        && store.heap.equals(that.store.heap);
  }

  @Override
  public final int hashCode() {
    return Long.hashCode(reference);
  }

  @Override
  public String toString() {
    return "Block[" + Reference.describe(reference) + ", " + size + " bytes]";
  }
}
