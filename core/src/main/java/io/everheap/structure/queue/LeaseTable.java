package io.everheap.structure.queue;

import io.everheap.structure.common.Guard;
import io.everheap.structure.common.OptimisticReads;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.list.TreeInserts;
import io.everheap.structure.list.TreeRemovals;
import io.everheap.structure.list.WordTree;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a work queue, sorted by the time at which they end: five words each in a {@link
 * WordTree}. An element has one from when it is leased first until it is acknowledged; one that was
 * returned has one that has ended, or ends when the element is to be seen again.
 *
 * <p>Times are nanoseconds of a clock that each process starts at zero, so they mean something in
 * one epoch only, and leases of older epochs have ended. Changes need a transaction.
 */
public final class LeaseTable {
  /** Words of a lease. */
  public static final int WORDS = 5;

  private final WordTree tree;
  private final TreeInserts inserts;
  private final TreeRemovals removals;
  private final OptimisticReads reads;
  private final StructureContext heap;

  /**
   * A lease.
   *
   * @param epoch of the log when it was given
   * @param end when it ends, in nanoseconds
   * @param position of the element
   * @param ticket which no other lease of the epoch has; 0 if the element was returned
   * @param attempts how often the element was leased
   */
  public record Entry(long epoch, long end, long position, long ticket, long attempts) {
    /** Whether the element can be leased. */
    public boolean hasEnded(long epochNow, long now) {
      return epoch != epochNow || end <= now;
    }

    private boolean isBefore(long epochOther, long endOther, long positionOther) {
      if (epoch != epochOther) {
        return epoch < epochOther;
      }
      return end != endOther ? end < endOther : position < positionOther;
    }

    /** Whether this stands before the other one in the table. */
    public boolean isBefore(Entry other) {
      return isBefore(other.epoch, other.end, other.position);
    }

    private boolean isSameLease(Entry other) {
      return epoch == other.epoch && position == other.position && ticket == other.ticket;
    }
  }

  /** The leases in a tree of a structure's header. */
  public LeaseTable(StructureContext heap, WordTree tree) {
    this.heap = heap;
    this.tree = tree;
    this.inserts = new TreeInserts(tree);
    this.removals = new TreeRemovals(tree);
    this.reads = new OptimisticReads(heap.memory(), heap.transactions());
  }

  /** How many there are, whether they have ended or not; for the writer. */
  public long size() {
    return tree.size() / WORDS;
  }

  /** The one that ends first, or null if there is none; for the writer. */
  public @Nullable Entry first() {
    return size() == 0 ? null : get(0);
  }

  /** The one at an index that exists; for the writer. */
  public Entry get(long index) {
    return get(index, tree.exclusive());
  }

  private Entry get(long index, Guard guard) {
    long at = index * WORDS;
    return new Entry(
        tree.wordAt(null, at, guard),
        tree.wordAt(null, at + 1, guard),
        tree.wordAt(null, at + 2, guard),
        tree.wordAt(null, at + 3, guard),
        tree.wordAt(null, at + 4, guard));
  }

  /** Adds a lease. */
  public void add(Entry entry) {
    long index = place(entry.epoch, entry.end, entry.position, tree.exclusive());
    long[] words = {entry.epoch, entry.end, entry.position, entry.ticket, entry.attempts};
    inserts.insert(index * WORDS, words, WORDS);
  }

  /** Removes the lease at an index. */
  public void remove(long index) {
    removals.remove(index * WORDS, WORDS);
  }

  /**
   * Finds a lease, for the writer.
   *
   * @return its index, or -1 if it is gone or ends at another time
   */
  public long find(Entry known) {
    long size = size();
    long place = place(known.epoch, known.end, known.position, tree.exclusive());
    return place < size && get(place).isSameLease(known) ? place : -1;
  }

  /** The number of leases that end before this one would, or of those that have ended. */
  private long place(long epoch, long end, long position, Guard guard) {
    long low = 0;
    long high = tree.size() / WORDS;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (get(middle, guard).isBefore(epoch, end, position)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** How many have not ended; takes no lock. */
  public long held(long epoch, long now) {
    return reads.read(
        new Guard(heap.stripes(), tree.stripe()),
        guard -> {
          tree.checkAlive();
          long ended = place(epoch, now, Long.MAX_VALUE, guard);
          return tree.size() / WORDS - ended;
        });
  }
}
