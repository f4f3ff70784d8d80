package io.everheap.engine;

import io.everheap.engine.alloc.HomeGrowth;
import io.everheap.engine.event.Recording;
import io.everheap.engine.event.Recording.GrowEvent;
import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Room;
import io.everheap.engine.tx.Transactions;
import io.everheap.engine.tx.WriterLock;
import io.everheap.error.FullException;
import org.jspecify.annotations.Nullable;

/**
 * Grows and shrinks the home image and its file. A growth adds a 32nd of the size: large enough
 * that growths are rare, small enough that little of the file is unused. Guarded by the writer
 * lock; {@link #allocated} and {@link #growths} may be read without it.
 */
final class HomeSize implements HomeGrowth {
  private static final long PARTS = 32;
  private static final long MIN_STEP = 4L << 20;
  private static final long MAX_STEP = 256L << 20;

  private final Home home;
  private final @Nullable CheckedPages checked;
  private final ChangedPages changes;
  private final SuperblockStore superblocks;
  private final HeapMemory memory;
  private final WriterLock lock;
  private final HeapState state;
  private final Room room;
  private final long limit;
  private long growths;

  /**
   * The end of the file's allocated space. Higher than the capacity after the rollback of a growth,
   * and while a lower capacity is not durable: then writing zeros there would destroy bytes that
   * recovery after a crash may need.
   */
  private long allocated;

  HomeSize(
      Home home,
      @Nullable CheckedPages checked,
      ChangedPages changes,
      SuperblockStore superblocks,
      Transactions transactions,
      HeapState state,
      long maxCapacity,
      long allocated) {
    this.home = home;
    this.checked = checked;
    this.changes = changes;
    this.superblocks = superblocks;
    this.memory = transactions.memory();
    this.lock = transactions.lock;
    this.room = transactions.room();
    this.state = state;
    this.limit = maxCapacity & -HomeLayout.CHUNK_SIZE;
    this.allocated = allocated;
  }

  /** The end of the file's allocated space. */
  long allocated() {
    return allocated;
  }

  /** Whether one more growth would reach the limit. */
  boolean isNearlyFull() {
    return step(allocated) >= limit - allocated;
  }

  private static long step(long capacity) {
    return Math.clamp(capacity / PARTS, MIN_STEP, MAX_STEP);
  }

  /** The number of growths since the heap was opened. */
  long growths() {
    return growths;
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public long grow(long minimumCapacity) {
    if (minimumCapacity > limit) {
      room.want(); // for the next transaction
      throw FullException.heap(limit, minimumCapacity, "HeapBuilder.maxSize");
    }
    long capacity = memory.getLong(HomeLayout.CAPACITY_ADDRESS);
    long wanted = Math.min(limit, Math.max(minimumCapacity, capacity + step(capacity)));
    long rounded = (wanted + HomeLayout.CHUNK_SIZE - 1) & -HomeLayout.CHUNK_SIZE;
    long grown = Math.min(rounded, limit);
    if (grown > allocated) {
      GrowEvent event = Recording.isOn() ? new GrowEvent() : null;
      if (event != null) {
        event.begin();
      }
      extend(Math.max(capacity, allocated), grown);
      if (event != null) {
        event.capacity = grown;
        event.commit();
      }
    }
    return grown;
  }

  private void extend(long from, long to) {
    home.writeZeros(from, to);
    if (checked != null) {
      checked.clear(from, to, superblocks::sync);
    }
    changes.addZeros(from, to, superblocks::sync); // a backup may have other pages there
    superblocks.syncFile(); // a failure poisons: it may concern a page of a checkpoint
    home.map(to);
    allocated = to;
    growths++;
  }

  /** Grows the file, as the log of another heap says. */
  void follow(long capacity) {
    if (capacity > limit) {
      throw FullException.heap(limit, capacity, "HeapBuilder.maxSize");
    }
    if (capacity > allocated) {
      extend(Math.max(memory.getCommitted(HomeLayout.CAPACITY_ADDRESS), allocated), capacity);
    }
  }

  /** Truncates the file; the caller has made sure that both superblocks have this capacity. */
  void cut(long capacity) {
    allocated = capacity; // first: if this fails half-way, growth writes the space again
    try {
      home.truncate(capacity, state.whyPoisoned);
      if (checked != null) {
        checked.truncate(capacity);
      }
    } catch (RuntimeException | Error e) {
      if (e instanceof Error || home.isUnmapped()) {
        lock.broken = e; // it is unknown which extents are mapped
      }
      throw e;
    }
  }
}
