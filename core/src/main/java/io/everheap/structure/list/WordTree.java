package io.everheap.structure.list;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.GoneException;
import io.everheap.memory.Region;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.Retry;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureHeader;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of words as a counted B+-tree (an order-statistic tree whose leaves are runs of
 * words): any position is found in a few steps. This class finds; {@link TreeInserts} and {@link
 * TreeRemovals} change.
 *
 * <p>One stripe guards the whole tree. Finding may be optimistic; a word that was loaded is used
 * only to load more, so the caller validates once, at the end.
 */
public final class WordTree extends StructureHeader {
  private final long at;
  private final long nearStart;
  private final int stripe;
  private final Guard exclusive;
  private byte[] moved = {}; // what a change moves; used by the writer only

  /** The way from the root of a {@link WordTree} to a leaf. Reused; for one thread. */
  static final class Path {
    /** Addresses of the inner nodes by level; the leaf's parent has level 1. */
    final long[] nodes = new long[TreeLayout.MOST_HEIGHT + 1];

    /** Which child the way goes to, by level. */
    final int[] children = new int[TreeLayout.MOST_HEIGHT + 1];

    /** Words below the node, by level. */
    final long[] counts = new long[TreeLayout.MOST_HEIGHT + 1];

    /** Levels above the leaf. */
    int height;

    /** Reference of the leaf. */
    long leaf;

    /** Words before the leaf. */
    long start;

    /** Words in the leaf. */
    int count;

    /** Where in the leaf the word is that was looked for. */
    int position;
  }

  /**
   * The tree of a structure.
   *
   * @param reference of the structure's header, which exists
   * @param offset of the tree's words in the header's block
   */
  public WordTree(StructureContext heap, long reference, int offset) {
    this(heap, reference, offset, false);
  }

  /** The tree of a structure that is gone: {@link #checkAlive} throws. */
  public static WordTree dead(StructureContext heap, long reference) {
    return new WordTree(heap, reference, 8, true);
  }

  private WordTree(StructureContext heap, long reference, int offset, boolean dead) {
    super(heap.memory(), heap.allocator(), reference, dead);
    this.at = header + offset;
    this.nearStart = memory.extentStart(header);
    this.stripe = TreeLayout.stripe(header);
    this.exclusive = new Guard(heap.stripes(), stripe).exclusive();
  }

  Allocator allocator() {
    return allocator;
  }

  /** What readers of this tree validate. */
  public int stripe() {
    return stripe;
  }

  /** A guard that always holds, for the writer. */
  public Guard exclusive() {
    return exclusive;
  }

  /** Address of the tree's words. */
  public long at() {
    return at;
  }

  public long size() {
    return memory.getLong(at + TreeLayout.SIZE);
  }

  long root() {
    return memory.getLong(at + TreeLayout.ROOT);
  }

  long shape() {
    return memory.getLong(at + TreeLayout.SHAPE);
  }

  int height() {
    return (int) (shape() & TreeLayout.HEIGHT_MASK);
  }

  /** Whether words are values, and not references of cells. */
  public boolean words() {
    return (shape() & TreeLayout.WORDS) != 0;
  }

  /** Makes the words of an empty tree in a new header. */
  public static void init(HeapMemory memory, long at, boolean words) {
    for (int i = 0; i < TreeLayout.BYTES; i += 8) {
      memory.initLong(at + i, i == TreeLayout.SHAPE && words ? TreeLayout.WORDS : 0);
    }
  }

  /** The size, for changes of all words: it can be no more than the heap has room for. */
  public long plausibleSize() {
    long size = size();
    if (size < 0 || size > memory.getLong(HomeLayout.CAPACITY_ADDRESS) >> 3) {
      throw Damage.at(header, "a tree of " + size + " words, more than the heap has");
    }
    return size;
  }

  /** Finds a word that exists. */
  void find(long index, Path path) {
    find(index, path, exclusive);
  }

  /** Finds the leaf of a word that exists; the guard is checked where the tree makes no sense. */
  void find(long index, Path path, Guard guard) {
    long count = size();
    long start = 0;
    long node = root();
    int height = height();
    if (height > TreeLayout.MOST_HEIGHT || index < 0 || index >= count) {
      throw damage(guard, header, "a tree of height " + height + " and " + count + " words");
    }
    path.height = height;
    for (int level = height; level > 0; level--) {
      long inner = Reference.address(node);
      long children = memory.getLong(inner + TreeLayout.CHILDREN);
      if (children < 1 || children > TreeLayout.FANOUT || count <= 0) {
        throw damage(guard, inner, "a node with " + children + " children, " + count + " words");
      }
      int n = (int) children;
      long wanted = index - start;
      int child = (int) Math.max(0, Math.min(wanted * n / count, n - 1));
      while (child > 0 && memory.getLong(TreeLayout.start(inner, child)) > wanted) {
        child--;
      }
      long from = memory.getLong(TreeLayout.start(inner, child));
      long to = count;
      while (child + 1 < n) {
        to = memory.getLong(TreeLayout.start(inner, child + 1));
        if (to > wanted) {
          break;
        }
        child++;
        from = to;
        to = count;
      }
      path.nodes[level] = inner;
      path.children[level] = child;
      path.counts[level] = count;
      node = memory.getLong(TreeLayout.link(inner, child));
      start += from;
      count = to - from;
      if (from < 0 || from > wanted) {
        throw damage(guard, inner, "child " + child + " starts at " + from);
      }
    }
    long position = index - start;
    if (count > TreeLayout.LEAF_WORDS || position >= count) {
      throw damage(guard, Reference.address(node), "a leaf of " + count + " words");
    }
    path.leaf = node;
    path.start = start;
    path.count = (int) count;
    path.position = (int) position;
  }

  private static RuntimeException damage(Guard guard, long at, String what) {
    guard.check();
    return Damage.at(at, what);
  }

  /** A word that exists, for the writer. */
  public long get(long index) {
    return wordAt(null, index, exclusive);
  }

  /** The extent of the header, to be asked for after the stripe's version. */
  Region near() {
    return memory.extent(header);
  }

  /**
   * The word at an index that exists: what {@link #find} does, without garbage.
   *
   * @param near the extent of the header, for readers that are not the writer: most words are
   *     there, and a guess that a branch checks costs less than asking for the extent at every step
   * @param guard to be checked where the tree makes no sense; without one the caller tries again
   */
  public long wordAt(@Nullable Region near, long index, @Nullable Guard guard) {
    long count = load(near, at + TreeLayout.SIZE);
    long node = load(near, at + TreeLayout.ROOT);
    int height = (int) (load(near, at + TreeLayout.SHAPE) & TreeLayout.HEIGHT_MASK);
    if (load(near, header) != headerWord || index < 0 || index >= count) {
      throw nonsense(guard, header, index, count);
    }
    long wanted = index;
    for (; height > 0; height--) {
      long inner = Reference.address(node);
      int n = (int) load(near, inner + TreeLayout.CHILDREN);
      if (n < 1 || n > TreeLayout.FANOUT || count <= 0) {
        throw nonsense(guard, inner, wanted, count);
      }
      int child = (int) Math.max(0, Math.min(wanted * n / count, n - 1));
      long from = load(near, TreeLayout.start(inner, child));
      while (from > wanted && child > 0) {
        from = load(near, TreeLayout.start(inner, --child));
      }
      long to = count;
      while (child + 1 < n) {
        to = load(near, TreeLayout.start(inner, child + 1));
        if (to > wanted) {
          break;
        }
        child++;
        from = to;
        to = count;
      }
      node = load(near, TreeLayout.link(inner, child));
      wanted -= from;
      count = to - from;
    }
    if (wanted < 0 || wanted >= count || wanted >= TreeLayout.LEAF_WORDS) {
      throw nonsense(guard, Reference.address(node), wanted, count);
    }
    return load(near, TreeLayout.word(node, wanted));
  }

  private static RuntimeException nonsense(
      @Nullable Guard guard, long node, long index, long count) {
    return guard == null
        ? Retry.INSTANCE
        : damage(guard, node, "a node of a tree with word " + index + " of " + count);
  }

  private long load(@Nullable Region near, long address) {
    if (near == null) {
      return memory.getLong(address);
    }
    long offset = address - nearStart;
    return offset >= 0 && offset <= near.size() - Long.BYTES
        ? near.getLong(offset)
        : memory.getCommitted(address);
  }

  // ---- For changes ----------------------------------------------------------------------------

  void put(long address, long value) {
    memory.putLong(stripe, address, value);
  }

  /** Room of a leaf that is about to be changed: stores must not be led astray. */
  int room(long leaf) {
    long size = -1;
    if (Allocator.looksLike(memory.getLong(Reference.address(leaf)), BlockType.TREE_LEAF)) {
      try {
        size = allocator.size(leaf);
      } catch (GoneException e) {
        // named below
      }
    }
    if (size < 0) {
      throw Damage.at(Reference.address(leaf), "a tree leads there, but that is no leaf");
    }
    return (int) Math.min(size >> 3, TreeLayout.LEAF_WORDS);
  }

  /** Children of an inner node that is about to be changed. */
  int children(long node) {
    if (!Allocator.looksLike(memory.getLong(node), BlockType.TREE_INNER)) {
      throw Damage.at(node, "a tree leads there, but that is no inner node");
    }
    long children = memory.getLong(node + TreeLayout.CHILDREN);
    if (children < 1 || children > TreeLayout.FANOUT) {
      throw Damage.at(node, "a node with " + children + " children");
    }
    return (int) children;
  }

  /** Moves words within a leaf that has the room for them. */
  void move(long leaf, int from, int to, int count) {
    if (count > 0) {
      byte[] bytes = moved;
      int length = count << 3;
      if (bytes.length < length) {
        bytes = new byte[TreeLayout.LEAF_WORDS << 3];
        moved = bytes;
      }
      memory.copyOut(TreeLayout.word(leaf, from), bytes, 0, length);
      memory.putBytes(stripe, TreeLayout.word(leaf, to), bytes, 0, length);
    }
  }

  public void setSize(long size) {
    put(at + TreeLayout.SIZE, size);
  }

  public void setRoot(long root, int height) {
    put(at + TreeLayout.ROOT, root);
    put(at + TreeLayout.SHAPE, (shape() & ~TreeLayout.HEIGHT_MASK) | height);
  }

  public void setLast(long leaf, long start) {
    if (memory.getLong(at + TreeLayout.LAST) != leaf) {
      put(at + TreeLayout.LAST, leaf);
    }
    if (lastStart() != start) {
      put(at + TreeLayout.LAST_START, start);
    }
  }

  /** The last leaf, or 0. */
  long last() {
    return memory.getLong(at + TreeLayout.LAST);
  }

  /** Words before the last leaf. */
  long lastStart() {
    return memory.getLong(at + TreeLayout.LAST_START);
  }

  /** Adds to the starts of all that comes after the path. */
  void addToStarts(Path path, int fromLevel, long delta) {
    for (int level = fromLevel; level <= path.height; level++) {
      long node = path.nodes[level];
      int n = children(node);
      for (int i = path.children[level] + 1; i < n; i++) {
        long slot = TreeLayout.start(node, i);
        put(slot, memory.getLong(slot) + delta);
      }
    }
  }
}
