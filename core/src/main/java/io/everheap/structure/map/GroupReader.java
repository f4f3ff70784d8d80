package io.everheap.structure.map;

import io.everheap.engine.tx.Stripes;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.NodeStore;
import io.everheap.structure.common.OptimisticReads;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies a table out group by group. A group is what has the same low bits in its hash; the number
 * of groups is fixed when an iteration starts, at the largest power of two that is no more than the
 * buckets then, so a group is a bucket or two. However the table grows, a group stays the buckets
 * {@code group + i * groups}; if it was cleared and is smaller now, a group is a part of a bucket.
 * So each entry belongs to exactly one group, and one that stays is seen exactly once.
 */
public final class GroupReader {
  /** A group with more bytes is compared with the size of the heap. */
  private static final long MUCH = 1 << 20;

  private final OptimisticReads reads;
  private final HashTable table;
  private final Stripes stripes;
  private final boolean withValues;
  private final long groups;

  public GroupReader(OptimisticReads reads, HashTable table, Stripes stripes, boolean withValues) {
    this.reads = reads;
    this.table = table;
    this.stripes = stripes;
    this.withValues = withValues;
    Guard guard = new Guard(stripes, table.stripeBase());
    this.groups =
        reads.read(
            guard,
            g -> {
              table.checkAlive();
              table.checkShape();
              return Long.highestOneBit(table.buckets());
            });
  }

  public long groups() {
    return groups;
  }

  /** The entries of one group as they were at one moment. */
  static final class Group {
    final List<Encoded> keys = new ArrayList<>();

    /** As many as the keys, or none if they were not wanted. */
    final List<Encoded> values = new ArrayList<>();

    private long bytes;

    private long add(List<Encoded> to, Encoded what) {
      to.add(what);
      bytes += what.length;
      return bytes;
    }
  }

  /** Copies one group. */
  Group read(long group) {
    int base = table.stripeBase();
    int step = (int) Math.min(groups, MapLayout.STRIPES);
    int first = base + (int) (group & (step - 1));
    Guard guard = new Guard(stripes, first, base + MapLayout.STRIPES, step);
    return reads.read(guard, g -> copy(group, g));
  }

  private Group copy(long group, Guard guard) {
    Group copy = new Group();
    table.checkAlive();
    long directory = table.directory();
    long buckets = table.buckets();
    if (buckets < groups) {
      copyChain(directory, MapLayout.bucket(group, buckets), group, copy, guard);
    } else {
      for (long bucket = group; bucket < buckets; bucket += groups) {
        copyChain(directory, bucket, -1, copy, guard);
      }
    }
    return copy;
  }

  /** Copies the entries of a bucket; if {@code only} is not negative, those of that group. */
  private void copyChain(long directory, long bucket, long only, Group copy, Guard guard) {
    NodeStore nodes = table.nodes();
    long link = table.firstLink(directory, bucket);
    int steps = 0;
    while (link != 0) {
      long node = NodeLayout.node(link);
      Encoded key = nodes.key(node, table.wordKeys(), guard);
      if (only < 0 || (key.hash(table.hash()) & (groups - 1)) == only) {
        long bytes = copy.add(copy.keys, key);
        if (withValues) {
          bytes = copy.add(copy.values, nodes.value(node, guard));
        }
        if (bytes > MUCH) {
          guard.check();
          requirePlausible(bytes);
        }
      }
      link = nodes.next(node);
      table.checkChain(++steps, link, guard.isExclusive());
    }
    guard.check();
  }

  /** Damaged links may lead to the same bytes again and again. */
  private void requirePlausible(long bytes) {
    if (bytes > table.nodes().heapBytes()) {
      throw Damage.at(
          table.header(), "a part of a map with " + bytes + " bytes, more than the heap has");
    }
  }
}
