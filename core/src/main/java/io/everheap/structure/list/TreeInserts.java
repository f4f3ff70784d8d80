package io.everheap.structure.list;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.Damage;

/**
 * Inserts words into a {@link WordTree}, inside a transaction. At the end it costs two words, and
 * now and then a leaf; elsewhere what follows in the leaf moves, and the starts of what follows in
 * each node above. A step either stores words or makes room, so that each step is simple.
 */
public final class TreeInserts {
  private final WordTree tree;
  private final HeapMemory memory;
  private final Allocator allocator;
  private final WordTree.Path path = new WordTree.Path();
  private final long[] one = new long[1];

  // A leaf that was looked at, and its room. A reference never names another block, even
  // after a rollback, so this stays right when leaves are freed.
  private long knownLeaf = Reference.NULL;
  private int knownRoom;

  public TreeInserts(WordTree tree) {
    this.tree = tree;
    this.memory = tree.memory();
    this.allocator = tree.allocator();
  }

  /**
   * Adds a word at the end if the last leaf has room; returns whether it did. A failure between its
   * two stores changes nothing: words behind the end of a leaf mean nothing.
   *
   * @param most the most words that the tree may have then
   */
  public boolean tryAppend(long word, long most) {
    long size = tree.size();
    long last = tree.last();
    long position = size - tree.lastStart();
    if (last == Reference.NULL || position <= 0 || position >= room(last) || size >= most) {
      return false;
    }
    tree.put(TreeLayout.word(last, position), word);
    tree.setSize(size + 1);
    return true;
  }

  private int room(long leaf) {
    if (leaf != knownLeaf) {
      knownRoom = tree.room(leaf);
      knownLeaf = leaf;
    }
    return knownRoom;
  }

  public void insert(long index, long word) {
    one[0] = word;
    insert(index, one, 1);
  }

  /** Inserts the first {@code n} words before an index, or at the end. */
  public void insert(long index, long[] words, int n) {
    for (int done = 0; done < n; ) {
      done += step(index + done, words, done, n - done);
    }
  }

  /** Inserts some of the words, or none, but makes room. */
  private int step(long index, long[] words, int from, int n) {
    long size = tree.size();
    if (size == 0) {
      int m = Math.min(n, TreeLayout.LEAF_WORDS);
      long leaf = newLeaf(TreeLayout.rootWords(m), words, from, m);
      tree.setRoot(leaf, 0);
      tree.setSize(m);
      tree.setLast(leaf, 0);
      return m;
    }
    tree.find(index == 0 ? 0 : index - 1, path);
    int position = index == 0 ? 0 : path.position + 1;
    int room = tree.room(path.leaf);
    int m = Math.min(n, room - path.count);
    if (m > 0) {
      store(position, words, from, m);
      return m;
    }
    if (path.height == 0 && room < TreeLayout.LEAF_WORDS) {
      growRoot(n);
      return 0;
    }
    if (!hasRoomAbove()) {
      return 0;
    }
    if (position == path.count) {
      return addLeaf(words, from, n);
    }
    splitLeaf(n > 1 && position > 0 ? position : path.count / 2);
    return 0;
  }

  private void store(int position, long[] words, int from, int m) {
    long leaf = path.leaf;
    tree.move(leaf, position, position + m, path.count - position);
    for (int i = 0; i < m; i++) {
      tree.put(TreeLayout.word(leaf, position + i), words[from + i]);
    }
    tree.addToStarts(path, 1, m);
    tree.setSize(tree.size() + m);
    if (leaf != tree.last()) {
      tree.setLast(tree.last(), tree.lastStart() + m);
    }
  }

  private long newLeaf(int room, long[] words, int from, int n) {
    long leaf = allocator.allocateRaw(BlockType.TREE_LEAF, room * 8L);
    for (int i = 0; i < room; i++) {
      memory.initLong(TreeLayout.word(leaf, i), i < n ? words[from + i] : 0);
    }
    return leaf;
  }

  private long[] copy(long leaf, int from, int to) {
    long[] words = new long[to - from];
    for (int i = from; i < to; i++) {
      words[i - from] = memory.getLong(TreeLayout.word(leaf, i));
    }
    return words;
  }

  /** Gives a tree of one small leaf a larger one. */
  private void growRoot(int more) {
    long old = path.leaf;
    int count = path.count;
    int room = TreeLayout.rootWords((long) count + more);
    long leaf = newLeaf(room, copy(old, 0, count), 0, count);
    tree.setRoot(leaf, 0);
    tree.setLast(leaf, 0);
    allocator.free(tree.stripe(), old, BlockType.TREE_LEAF);
  }

  /** Makes a leaf behind that of the path, with as many of the words as fit. */
  private int addLeaf(long[] words, int from, int n) {
    int m = Math.min(n, TreeLayout.LEAF_WORDS);
    long size = tree.size();
    long leaf = newLeaf(TreeLayout.LEAF_WORDS, words, from, m);
    boolean last = path.leaf == tree.last();
    tree.addToStarts(path, 1, m);
    link(1, startOf(1) + path.count, leaf);
    tree.setSize(size + m);
    if (last) {
      tree.setLast(leaf, size);
    } else {
      tree.setLast(tree.last(), tree.lastStart() + m);
    }
    return m;
  }

  /** Moves the words from a position on into a leaf of their own. */
  private void splitLeaf(int position) {
    int count = path.count;
    long[] moved = copy(path.leaf, position, count);
    long leaf = newLeaf(TreeLayout.LEAF_WORDS, moved, 0, moved.length);
    link(1, startOf(1) + position, leaf);
    if (path.leaf == tree.last()) {
      tree.setLast(leaf, path.start + position);
    }
  }

  /** Whether the leaf's parent takes another child; if not, some node above was split. */
  private boolean hasRoomAbove() {
    int level = 1;
    while (level <= path.height && tree.children(path.nodes[level]) == TreeLayout.FANOUT) {
      level++;
    }
    if (level > path.height) {
      addRoot();
      return false;
    }
    if (level == 1) {
      return true;
    }
    splitInner(level - 1);
    return false;
  }

  private void addRoot() {
    if (path.height == TreeLayout.MOST_HEIGHT) {
      throw Damage.at(tree.header(), "a tree that is too high");
    }
    long root = allocator.allocate(BlockType.TREE_INNER, TreeLayout.INNER_BYTES);
    long node = Reference.address(root);
    memory.initLong(node + TreeLayout.CHILDREN, 1);
    memory.initLong(TreeLayout.link(node, 0), tree.root());
    tree.setRoot(root, path.height + 1);
  }

  /** Moves the second half of a node's children into a node of its own; its parent has room. */
  private void splitInner(int level) {
    long node = path.nodes[level];
    int n = tree.children(node);
    int kept = path.children[level] == n - 1 ? n - 1 : (n + 1) / 2;
    long base = memory.getLong(TreeLayout.start(node, kept));
    long added = allocator.allocate(BlockType.TREE_INNER, TreeLayout.INNER_BYTES);
    long to = Reference.address(added);
    memory.initLong(to + TreeLayout.CHILDREN, n - kept);
    for (int i = kept; i < n; i++) {
      memory.initLong(
          TreeLayout.start(to, i - kept), memory.getLong(TreeLayout.start(node, i)) - base);
      memory.initLong(TreeLayout.link(to, i - kept), memory.getLong(TreeLayout.link(node, i)));
    }
    tree.put(node + TreeLayout.CHILDREN, kept);
    link(level + 1, startOf(level + 1) + base, added);
  }

  /** Where the child of the path starts in its node. */
  private long startOf(int level) {
    return memory.getLong(TreeLayout.start(path.nodes[level], path.children[level]));
  }

  /** Adds a child to a node of the path, behind that of the path. */
  private void link(int level, long start, long reference) {
    long node = path.nodes[level];
    int n = tree.children(node);
    int child = path.children[level] + 1;
    for (int i = n; i > child; i--) {
      tree.put(TreeLayout.start(node, i), memory.getLong(TreeLayout.start(node, i - 1)));
      tree.put(TreeLayout.link(node, i), memory.getLong(TreeLayout.link(node, i - 1)));
    }
    tree.put(TreeLayout.start(node, child), start);
    tree.put(TreeLayout.link(node, child), reference);
    tree.put(node + TreeLayout.CHILDREN, n + 1);
  }
}
