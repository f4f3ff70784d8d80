package io.everheap.structure.map;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.DiskFullException;
import io.everheap.error.FullException;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;

/**
 * Growth of a table by one bucket at a time: an insert that leaves more entries than buckets splits
 * one bucket, so no insert ever pays for all. Only the arrays that lead to the buckets are now and
 * then copied: a first segment below 512 buckets, and the directory, eight bytes for 512 buckets.
 */
public final class TableGrowth {
  /** More than one, so that a table catches up. */
  private static final int MAX_SPLITS = 2;

  private final HashTable table;
  private final HeapMemory memory;
  private final Allocator allocator;

  TableGrowth(HashTable table, HeapMemory memory, Allocator allocator) {
    this.table = table;
    this.memory = memory;
    this.allocator = allocator;
  }

  /**
   * Splits a bucket if there are more entries than buckets, and another one if it could not do so
   * before. A heap without space for more buckets takes the entry all the same.
   *
   * @param count of entries, the inserted one included
   */
  void afterInsert(long count, long buckets) {
    long enough = Math.min(Math.min(count, buckets + MAX_SPLITS), MapLayout.MAX_BUCKETS);
    for (long added = buckets; added < enough && tryMakeRoom(added); added++) {
      split(added);
    }
  }

  /**
   * Adds buckets up to a number, at most as many as a segment has.
   *
   * @return whether more are to be added
   */
  boolean grow(long wanted, long buckets) {
    long end = Math.min(wanted, MapLayout.MAX_BUCKETS);
    long now = Math.min(end, buckets + MapLayout.SEGMENT_BUCKETS);
    for (long added = buckets; added < now; added++) {
      if (!makeRoom(added)) {
        return false; // the directory is as large as a block can be
      }
      split(added);
    }
    return now < end;
  }

  private boolean tryMakeRoom(long added) {
    try {
      return makeRoom(added);
    } catch (FullException | DiskFullException e) {
      return false; // whatever was changed before is a valid table
    }
  }

  /** Makes a place for bucket number {@code added}; false when the directory cannot grow. */
  private boolean makeRoom(long added) {
    if (added < MapLayout.SEGMENT_BUCKETS) {
      if (added == MapLayout.segmentCapacity(0, added)) {
        doubleFirstSegment(added);
      }
      return true;
    }
    if ((added & (MapLayout.SEGMENT_BUCKETS - 1)) != 0) {
      return true;
    }
    long index = added >>> MapLayout.SEGMENT_SHIFT;
    long directory = table.directory();
    long capacity = table.sizeOf(directory, BlockType.MAP_DIRECTORY) >> 3;
    if (index > capacity) {
      throw Damage.at(
          table.header(), "a map of " + added + " buckets, more than its directory has");
    }
    if (index == capacity) {
      if (capacity << 4 > allocator.maxBlock()) {
        return false;
      }
      directory = doubleDirectory(directory, capacity);
    }
    long segment = allocator.allocate(BlockType.MAP_SEGMENT, MapLayout.SEGMENT_BUCKETS * 8L);
    // Readers load this entry only for the new bucket, whose stripes the split touches.
    memory.putLong(Stripes.NONE, MapLayout.segmentSlot(directory, added), segment);
    return true;
  }

  private void doubleFirstSegment(long capacity) {
    long old = memory.getLong(MapLayout.segmentSlot(table.directory(), 0));
    if (table.sizeOf(old, BlockType.MAP_SEGMENT) < capacity * 8) {
      throw Damage.at(table.header(), "a map whose first segment is none");
    }
    long segment = allocator.allocate(BlockType.MAP_SEGMENT, capacity * 16);
    copyWords(Reference.payload(old), Reference.payload(segment), capacity);
    memory.putLong(table.stripeBase(), MapLayout.segmentSlot(table.directory(), 0), segment);
    table.touchAll();
    allocator.free(table.stripeBase(), old);
  }

  private long doubleDirectory(long old, long capacity) {
    long directory = allocator.allocate(BlockType.MAP_DIRECTORY, capacity * 16);
    copyWords(Reference.payload(old), Reference.payload(directory), capacity);
    memory.putLong(table.stripeBase(), table.header() + MapLayout.DIRECTORY, directory);
    table.touchAll();
    allocator.free(table.stripeBase(), old);
    return directory;
  }

  private void copyWords(long from, long to, long words) {
    for (long i = 0; i < words; i++) {
      memory.initLong(to + (i << 3), memory.getLong(from + (i << 3)));
    }
  }

  /** Adds bucket number {@code added} and moves to it what belongs there. */
  private void split(long added) {
    long bit = Long.highestOneBit(added);
    long source = added - bit;
    int stripe = table.stripe(source);
    table.touchSharers(source, bit);
    memory.putLong(stripe, table.header() + MapLayout.BUCKETS, added + 1);
    long directory = table.directory();
    long from = table.segment(directory, source);
    boolean together = source >>> MapLayout.SEGMENT_SHIFT == added >>> MapLayout.SEGMENT_SHIFT;
    long to = together ? from : table.segment(directory, added);
    long keepTail = MapLayout.bucketSlot(from, source);
    long moveTail = MapLayout.bucketSlot(to, added);
    long link = memory.getLong(keepTail);
    long keepLink = link; // what the tails hold now
    long moveLink = 0;
    int steps = 0;
    while (link != 0) {
      long node = NodeLayout.node(link);
      table.nodes().requireNode(node);
      long next = table.nodes().next(node);
      if ((table.hashOf(node) & bit) == 0) {
        store(stripe, keepTail, keepLink, link);
        keepTail = node + NodeLayout.NEXT;
        keepLink = next;
      } else {
        store(stripe, moveTail, moveLink, link);
        moveTail = node + NodeLayout.NEXT;
        moveLink = next;
      }
      link = next;
      table.checkChain(++steps, next, true);
    }
    store(stripe, keepTail, keepLink, 0);
    store(stripe, moveTail, moveLink, 0);
  }

  private void store(int stripe, long slot, long present, long wanted) {
    if (present != wanted) {
      table.requireSlot(slot);
      memory.putLong(stripe, slot, wanted);
    }
  }
}
