package io.everheap.structure.sorted;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.memory.Region;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Retry;
import org.jspecify.annotations.Nullable;

/**
 * Where a reader stands in a tree of committed nodes: a leaf, and the two nodes above it. It gets
 * there hand over hand (Leis et al., The ART of Practical Synchronization, DaMoN 2016): a node is
 * the right one if, after its version was sampled, the node above was still unchanged. So what was
 * read of the leaf counts if {@link #holds} afterwards.
 *
 * <p>From leaf to leaf the way leads over a node above both. While that one is unchanged, so is the
 * range of keys that its children divide among them; whatever happened below it, the leaf that was
 * left had all entries up to where the next one begins.
 *
 * <p>The header's version is part of it: what a whole tree leads to is freed under no stripes.
 *
 * <p>Methods that walk may say false, or throw: then the general way, {@link SortedTree#read},
 * finds out why. Used by one thread, outside transactions.
 */
public final class SortedSpot {
  private final SortedTree tree;
  private final SortedSearch search;
  private final HeapMemory memory;
  private final Stripes stripes;

  private long headerVersion;

  // The node that was entered last: the leaf, when a walk ends.
  private long node; // 0: nowhere
  private Region region;
  private long at; // where the node is in the region
  private long info;
  private int stripe;
  private long version;
  private int position;

  // The two nodes above it, or 0, and the positions in them that led down.
  private long above;
  private long aboveVersion;
  private int aboveAt;
  private long top;
  private long topVersion;
  private int topAt;
  private boolean complete; // there are no others above these

  public SortedSpot(SortedTree tree, SortedSearch search, HeapMemory memory, Stripes stripes) {
    this.tree = tree;
    this.search = search;
    this.memory = memory;
    this.stripes = stripes;
    this.region = memory.extent(tree.header());
  }

  /**
   * Goes to the entry nearest to a key; see {@link SortedTree#seek}.
   *
   * @return whether that worked; if so, it stands nowhere if there is no such entry
   */
  public boolean seek(@Nullable Encoded bound, boolean inclusive, boolean descending) {
    if (!descend(bound, descending)) {
      return false;
    }
    if (node == 0) {
      return true;
    }
    if (bound == null) {
      position = descending ? count() - 1 : 0;
    } else {
      int found = find(bound);
      if (descending) {
        position = found < 0 ? -2 - found : inclusive ? found : found - 1;
      } else {
        position = found < 0 ? -1 - found : inclusive ? found : found + 1;
      }
    }
    // A position behind all entries leads away from the leaf, and is not looked at again.
    return (isPosition(position) || holds()) && settle(descending);
  }

  /** Goes on to the next leaf that has entries if it stands beyond the end of its leaf. */
  public boolean settle(boolean descending) {
    while (!isPosition(position)) {
      if (!next(descending ? -1 : 1)) {
        return false;
      }
      if (node == 0) {
        return true;
      }
      position = descending ? count() - 1 : 0;
      if (!isPosition(position) && !holds()) {
        return false;
      }
    }
    return true;
  }

  /** The position in the leaf. */
  public int position() {
    return position;
  }

  public void setPosition(int newPosition) {
    position = newPosition;
  }

  /** The key at a position compared with another one. */
  public int compare(int where, Encoded key) {
    int place = SortedSearch.place(region, at, where);
    return key.bytes == null
        ? Long.compareUnsigned(SortedSearch.head(region, at, place), key.word)
        : search.compareKey(SortedSearch.payload(region, at, place), key, 0);
  }

  /** Stands nowhere from now on. */
  public void forget() {
    node = 0;
  }

  public boolean isSomewhere() {
    return node != 0;
  }

  Region region() {
    return region;
  }

  long at() {
    return at;
  }

  /** Entries of the leaf. */
  public int count() {
    return SortedLayout.count(info);
  }

  /** Whether all that was read of the leaf, and the way to it, is the state of one moment. */
  public boolean holds() {
    return stripes.valid(stripe, version) && stripes.valid(tree.headerStripe(), headerVersion);
  }

  /** Asks for the leaf's extent anew, after a time in which it may have been mapped anew. */
  public void resume() {
    region = memory.extent(node);
    at = memory.offset(node);
  }

  /**
   * Goes down from the root.
   *
   * @param key to whose leaf to go, or null for an end of the tree
   * @param last which end
   * @return whether that worked; if so, it stands somewhere unless the tree is empty
   */
  boolean descend(@Nullable Encoded key, boolean last) {
    node = 0;
    top = 0;
    above = 0;
    complete = true;
    stripe = tree.headerStripe();
    headerVersion = stripes.sample(stripe);
    version = headerVersion;
    if ((version & 1) != 0) {
      return false;
    }
    long header = tree.header();
    Region near = memory.extent(header);
    long start = memory.offset(header);
    if (near.getLong(start) != tree.headerWord()) {
      return false;
    }
    long root = Reference.address(near.getLong(start + SortedLayout.ROOT));
    if (root == 0) {
      return stripes.valid(stripe, version);
    }
    if (!enter(root, -1)) {
      return false;
    }
    while (SortedLayout.level(info) > 0) {
      int where;
      if (key == null) {
        where = last ? SortedLayout.count(info) - 1 : 0;
      } else if (key.bytes == null) {
        where = SortedSearch.child(region, at, SortedLayout.count(info), key.word);
      } else {
        where = search.child(region, at, node, info, key);
      }
      if (!down(where)) {
        return false;
      }
    }
    return true;
  }

  /** The position of a key in the leaf; if it is not there, {@code -1 - position} of the next. */
  private int find(Encoded key) {
    return key.bytes == null
        ? SortedSearch.find(region, at, SortedLayout.count(info), key.word)
        : search.find(region, at, info, key);
  }

  /**
   * Whether the leaf has a key.
   *
   * @throws Retry if that cannot be said
   */
  boolean has(Encoded key) {
    boolean found = find(key) >= 0;
    if (!holds()) {
      throw Retry.INSTANCE;
    }
    return found;
  }

  /** Goes to the child at a position. */
  private boolean down(int where) {
    complete &= top == 0;
    top = above;
    topVersion = aboveVersion;
    topAt = aboveAt;
    above = node;
    aboveVersion = version;
    aboveAt = where;
    return enter(child(where), SortedLayout.level(info));
  }

  /**
   * Goes to a node that the node where this stands, or the header, leads to.
   *
   * @param level of the node where this stands, or -1 for the header
   */
  private boolean enter(long child, int level) {
    int below = SortedLayout.stripe(child);
    long sampled = stripes.sample(below);
    if ((sampled & 1) != 0 || !stripes.valid(stripe, version)) {
      return false;
    }
    node = child;
    stripe = below;
    version = sampled;
    resume();
    info = region.getLong(at + SortedLayout.INFO);
    return search.isPossible(info, level);
  }

  /**
   * Goes to the leaf beside.
   *
   * @param step 1 or -1
   * @return whether that worked; if so, it stands nowhere if there is no such leaf
   */
  boolean next(int step) {
    if (above == 0) {
      node = 0;
      return stripes.valid(tree.headerStripe(), headerVersion);
    }
    if (!up(above, aboveVersion)) {
      return false;
    }
    int where = aboveAt + step;
    if (!isPosition(where)) {
      if (top == 0) {
        node = 0;
        return true;
      }
      if (!up(top, topVersion)) {
        return false;
      }
      where = topAt + step;
      if (!isPosition(where)) {
        node = 0;
        return complete;
      }
      topAt = where;
      if (!enter(child(where), 2)) {
        return false;
      }
      above = node;
      aboveVersion = version;
      where = step > 0 ? 0 : SortedLayout.count(info) - 1;
    }
    aboveAt = where;
    return enter(child(where), 1);
  }

  /** Stands on a node again on which it stood before; false if that has changed. */
  private boolean up(long to, long sampled) {
    node = to;
    stripe = SortedLayout.stripe(to);
    version = sampled;
    resume();
    info = region.getLong(at + SortedLayout.INFO);
    return holds();
  }

  private boolean isPosition(int where) {
    return where >= 0 && where < SortedLayout.count(info);
  }

  /** Address of the child at a position. */
  private long child(int where) {
    int place = SortedSearch.place(region, at, where);
    return Reference.address(SortedSearch.payload(region, at, place));
  }
}
