package io.everheap.structure.sorted;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.NodeLayout;
import java.util.List;

/**
 * The nodes of a tree as places in an order; see {@link SortedLayout}. Loads may be optimistic:
 * what they return, and what they throw, counts only if the guard holds. Stores need a transaction,
 * and pass the stripe of the node that they change.
 */
public final class SortedNodes {
  private final HeapMemory memory;
  private final Allocator allocator;
  private final long flags;

  /**
   * The nodes of one tree.
   *
   * @param flags that they have
   */
  public SortedNodes(HeapMemory memory, Allocator allocator, long flags) {
    this.memory = memory;
    this.allocator = allocator;
    this.flags = flags;
  }

  /** What is in one place. */
  record Place(long head, long payload, long separator) {}

  HeapMemory memory() {
    return memory;
  }

  /** Count, level and skip of a node, which are possible. */
  public long info(long node) {
    long info = memory.getLong(node + SortedLayout.INFO);
    if (SortedLayout.count(info) > SortedLayout.CAPACITY
        || SortedLayout.level(info) > SortedLayout.MAX_LEVEL
        || SortedLayout.flags(info) != flags
        || SortedLayout.skip(info) < 0) {
      throw Damage.at(node, "a node of a sorted map that says 0x" + Long.toHexString(info));
    }
    return info;
  }

  public int count(long node) {
    return SortedLayout.count(info(node));
  }

  /** The place at a position of the order. */
  public int place(long node, int position) {
    long word = memory.getLong(node + SortedLayout.ORDER + (position & ~7));
    int place = (int) (word >>> ((position & 7) << 3)) & 0xff;
    if (place >= SortedLayout.CAPACITY) {
      throw Damage.at(node, "a node of a sorted map without a place " + place);
    }
    return place;
  }

  long head(long node, int place) {
    return memory.getLong(node + SortedLayout.HEADS + 8L * place);
  }

  public long payload(long node, int place) {
    return memory.getLong(payloadAt(node, place));
  }

  long payloadAt(long node, int place) {
    return node + SortedLayout.PAYLOADS + 8L * place;
  }

  /** The separator's length or link; 0 in nodes that have none. */
  public long separator(long node, int place, long info) {
    return SortedLayout.isWide(SortedLayout.level(info), flags)
        ? memory.getLong(node + SortedLayout.SEPARATORS + 8L * place)
        : 0;
  }

  /** Address of the child at a position. */
  long child(long node, int position) {
    return Reference.address(payload(node, place(node, position)));
  }

  private static int stripe(long node) {
    return SortedLayout.stripe(node);
  }

  /** Checks that a node that is to be changed looks like one: stores must not be led astray. */
  void requireNode(long node) {
    if (!Allocator.looksLike(memory.getLong(node), BlockType.SORTED_NODE)) {
      throw Damage.at(node, "a link of a sorted map leads there, but that is no node");
    }
  }

  /** Makes a node of these places and returns its reference. */
  long create(int level, int skip, List<Place> places) {
    int bytes = SortedLayout.nodeBytes(level, flags);
    long reference = allocator.allocateRaw(BlockType.SORTED_NODE, bytes);
    long node = Reference.address(reference);
    memory.initLong(node + SortedLayout.INFO, SortedLayout.info(places.size(), level, flags, skip));
    for (int i = 0; i < SortedLayout.CAPACITY; i += 8) {
      memory.initLong(node + SortedLayout.ORDER + i, 0x0706_0504_0302_0100L + i * REPEATED);
    }
    boolean wide = SortedLayout.isWide(level, flags);
    for (int i = 0; i < SortedLayout.CAPACITY; i++) {
      Place place = i < places.size() ? places.get(i) : EMPTY;
      memory.initLong(node + SortedLayout.HEADS + 8L * i, place.head);
      memory.initLong(node + SortedLayout.PAYLOADS + 8L * i, place.payload);
      if (wide) {
        memory.initLong(node + SortedLayout.SEPARATORS + 8L * i, place.separator);
      }
    }
    return reference;
  }

  private static final long REPEATED = 0x0101_0101_0101_0101L;
  private static final Place EMPTY = new Place(0, 0, 0);

  /** Adds a place at a position of a node that is not full. */
  void insert(long node, long info, int position, Place added) {
    requireNode(node);
    int stripe = stripe(node);
    int count = SortedLayout.count(info);
    int place = place(node, count);
    long carried = place;
    for (int w = position >>> 3; w <= count >>> 3; w++) {
      int from = w == position >>> 3 ? position & 7 : 0;
      int to = w == count >>> 3 ? count & 7 : 7;
      long at = node + SortedLayout.ORDER + 8L * w;
      long old = memory.getLong(at);
      long moved = ((old << 8) & bytes(from + 1, to)) | (carried << (8 * from));
      carried = (old >>> (8 * to)) & 0xff;
      memory.putLong(stripe, at, (old & ~bytes(from, to)) | moved);
    }
    memory.putLong(stripe, node + SortedLayout.HEADS + 8L * place, added.head);
    memory.putLong(stripe, payloadAt(node, place), added.payload);
    if (SortedLayout.isWide(SortedLayout.level(info), flags)) {
      memory.putLong(stripe, node + SortedLayout.SEPARATORS + 8L * place, added.separator);
    }
    setCount(node, info, count + 1);
  }

  /** Gives the place at a position back. */
  void remove(long node, long info, int position) {
    requireNode(node);
    int stripe = stripe(node);
    int last = SortedLayout.count(info) - 1;
    long carried = place(node, position);
    for (int w = last >>> 3; w >= position >>> 3; w--) {
      int from = w == position >>> 3 ? position & 7 : 0;
      int to = w == last >>> 3 ? last & 7 : 7;
      long at = node + SortedLayout.ORDER + 8L * w;
      long old = memory.getLong(at);
      long moved = ((old >>> 8) & bytes(from, to - 1)) | (carried << (8 * to));
      carried = (old >>> (8 * from)) & 0xff;
      memory.putLong(stripe, at, (old & ~bytes(from, to)) | moved);
    }
    setCount(node, info, last);
  }

  /** The bits of bytes {@code from} to {@code to} of a word; none if {@code from} is greater. */
  private static long bytes(int from, int to) {
    return from > to ? 0 : (-1L << (8 * from)) & (-1L >>> (8 * (7 - to)));
  }

  /** The place at a position of a leaf, with another head. */
  Place leafPlace(long leaf, int position, long head) {
    return new Place(head, payload(leaf, place(leaf, position)), 0);
  }

  void setHead(long node, int position, long head) {
    memory.putLong(stripe(node), node + SortedLayout.HEADS + 8L * place(node, position), head);
  }

  void setInfo(long node, long info) {
    memory.putLong(stripe(node), node + SortedLayout.INFO, info);
  }

  /** Keeps the first places only. */
  public void setCount(long node, long info, int count) {
    memory.putLong(stripe(node), node + SortedLayout.INFO, SortedLayout.withCount(info, count));
  }

  void setPayload(long node, int position, long payload) {
    requireNode(node);
    memory.putLong(stripe(node), payloadAt(node, place(node, position)), payload);
  }

  /** The reference of a node, with the generation that its block has now. */
  long reference(long node) {
    return NodeLayout.reference(node, memory.getLong(node));
  }

  /** Frees a node, not what it leads to. */
  void free(long node) {
    allocator.free(stripe(node), reference(node), BlockType.SORTED_NODE);
  }
}
