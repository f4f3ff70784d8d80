package io.everheap.structure.list;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.ValueCells;
import org.jspecify.annotations.Nullable;

/**
 * Removes words from a {@link WordTree} and frees the cells that they lead to, inside a
 * transaction. Nodes do not borrow: one that is less than a quarter full joins a neighbour if both
 * fill no more than half a node, so that of two neighbours more than half a node is used, except at
 * the ends.
 */
public final class TreeRemovals {
  private static final int FEW_WORDS = TreeLayout.LEAF_WORDS / 4;
  private static final int HALF_LEAF = TreeLayout.LEAF_WORDS / 2;
  private static final int FEW_CHILDREN = TreeLayout.FANOUT / 4;
  private static final int HALF_NODE = TreeLayout.FANOUT / 2;

  private final WordTree tree;
  private final HeapMemory memory;
  private final Allocator allocator;
  private final @Nullable ValueCells cells;
  private final WordTree.Path path = new WordTree.Path();

  public TreeRemovals(WordTree tree) {
    this.tree = tree;
    this.memory = tree.memory();
    this.allocator = tree.allocator();
    this.cells = tree.words() ? null : new ValueCells(memory, allocator);
  }

  /** Removes {@code n} words that exist. */
  public void remove(long index, long n) {
    for (long left = n; left > 0; ) {
      left -= step(index, left);
    }
  }

  /** Removes the words at the end from an index on. */
  public void truncate(long size) {
    for (long now = tree.size(); now > size; now = tree.size()) {
      long index = Math.max(size, tree.lastStart());
      step(index, now - index);
    }
  }

  /** Removes some of the words: those in one leaf. */
  private int step(long index, long n) {
    long size = tree.size();
    if (index + 1 == size && index > tree.lastStart()) {
      if (cells != null) {
        freeCell(memory.getLong(TreeLayout.word(tree.last(), index - tree.lastStart())));
      }
      tree.setSize(index); // the last leaf keeps words before it
      return 1;
    }
    tree.find(index, path);
    int count = path.count;
    int position = path.position;
    int room = tree.room(path.leaf);
    if (count > room) {
      throw Damage.at(Reference.address(path.leaf), "a leaf of " + count + " words");
    }
    int m = (int) Math.min(n, count - position);
    for (int i = 0; i < m && cells != null; i++) {
      freeCell(memory.getLong(TreeLayout.word(path.leaf, position + i)));
    }
    tree.addToStarts(path, 1, -m);
    tree.setSize(size - m);
    if (m == count) {
      unlink(0);
    } else {
      closeGap(position, m);
      path.count = count - m;
      if (path.count < FEW_WORDS && path.height > 0) {
        joinLeaf(m);
      }
    }
    lowerRoot();
    findLast();
    return m;
  }

  private void freeCell(long word) {
    if (cells != null) {
      cells.free(tree.stripe(), word);
    }
  }

  private void closeGap(int position, int m) {
    tree.move(path.leaf, position + m, position, path.count - position - m);
  }

  /** Frees the node of the path at a level, which is empty, and all above that become so. */
  private void unlink(int level) {
    if (level == 0) {
      allocator.free(tree.stripe(), path.leaf, BlockType.TREE_LEAF);
    } else {
      free(path.nodes[level]);
    }
    if (level == path.height) {
      tree.setRoot(Reference.NULL, 0);
      return;
    }
    removeChild(level + 1, path.children[level + 1]);
  }

  private void free(long node) {
    long reference = NodeLayout.reference(node, memory.getLong(node));
    allocator.free(tree.stripe(), reference, BlockType.TREE_INNER);
  }

  /** Removes a child that is empty, or whose words went to the child before it. */
  private void removeChild(int level, int child) {
    long node = path.nodes[level];
    int n = tree.children(node);
    if (n == 1) {
      unlink(level);
      return;
    }
    for (int i = child; i + 1 < n; i++) {
      tree.put(TreeLayout.start(node, i), memory.getLong(TreeLayout.start(node, i + 1)));
      tree.put(TreeLayout.link(node, i), memory.getLong(TreeLayout.link(node, i + 1)));
    }
    tree.put(node + TreeLayout.CHILDREN, n - 1);
    if (n - 1 < FEW_CHILDREN && level < path.height) {
      joinNode(level);
    }
  }

  /** Joins the leaf of the path with a neighbour, if there is one that is small. */
  private void joinLeaf(int removed) {
    long node = path.nodes[1];
    int child = path.children[1];
    int n = tree.children(node);
    long start = memory.getLong(TreeLayout.start(node, child));
    if (child > 0) {
      long before = start - memory.getLong(TreeLayout.start(node, child - 1));
      if (before + path.count <= HALF_LEAF) {
        moveWords(node, child, path.count, (int) before);
        return;
      }
    }
    if (child + 1 < n) {
      long end =
          child + 2 < n
              ? memory.getLong(TreeLayout.start(node, child + 2))
              : path.counts[1] - removed;
      long after = end - memory.getLong(TreeLayout.start(node, child + 1));
      if (path.count + after <= HALF_LEAF) {
        moveWords(node, child + 1, (int) after, path.count);
      }
    }
  }

  /** Moves the words of a child behind those of the child before it. */
  private void moveWords(long node, int child, int count, int before) {
    long from = memory.getLong(TreeLayout.link(node, child));
    long to = memory.getLong(TreeLayout.link(node, child - 1));
    if (count < 0 || before < 0 || tree.room(to) < before + count || tree.room(from) < count) {
      throw Damage.at(node, "children of impossible sizes");
    }
    for (int i = 0; i < count; i++) {
      tree.put(TreeLayout.word(to, before + i), memory.getLong(TreeLayout.word(from, i)));
    }
    allocator.free(tree.stripe(), from, BlockType.TREE_LEAF);
    removeChild(1, child);
  }

  /** Joins a node of the path with a neighbour, if there is one that is small. */
  private void joinNode(int level) {
    long parent = path.nodes[level + 1];
    int child = path.children[level + 1];
    int n = tree.children(path.nodes[level]);
    if (child > 0 && n + childrenOf(parent, child - 1) <= HALF_NODE) {
      moveChildren(level + 1, child);
    } else if (child + 1 < tree.children(parent)
        && n + childrenOf(parent, child + 1) <= HALF_NODE) {
      moveChildren(level + 1, child + 1);
    }
  }

  private int childrenOf(long parent, int child) {
    return tree.children(Reference.address(memory.getLong(TreeLayout.link(parent, child))));
  }

  /** Moves the children of a child behind those of the child before it. */
  private void moveChildren(int level, int child) {
    long parent = path.nodes[level];
    long from = Reference.address(memory.getLong(TreeLayout.link(parent, child)));
    long to = Reference.address(memory.getLong(TreeLayout.link(parent, child - 1)));
    long offset =
        memory.getLong(TreeLayout.start(parent, child))
            - memory.getLong(TreeLayout.start(parent, child - 1));
    int before = tree.children(to);
    int count = tree.children(from);
    for (int i = 0; i < count; i++) {
      tree.put(
          TreeLayout.start(to, before + i), memory.getLong(TreeLayout.start(from, i)) + offset);
      tree.put(TreeLayout.link(to, before + i), memory.getLong(TreeLayout.link(from, i)));
    }
    tree.put(to + TreeLayout.CHILDREN, before + count);
    free(from);
    removeChild(level, child);
  }

  /** A root with one child goes. */
  private void lowerRoot() {
    long root = tree.root();
    for (int height = tree.height(); height > 0; height--) {
      long node = Reference.address(root);
      if (tree.children(node) > 1) {
        return;
      }
      long child = memory.getLong(TreeLayout.link(node, 0));
      tree.setRoot(child, height - 1);
      allocator.free(tree.stripe(), root, BlockType.TREE_INNER);
      root = child;
    }
  }

  private void findLast() {
    long size = tree.size();
    if (size == 0) {
      tree.setLast(Reference.NULL, 0);
    } else {
      tree.find(size - 1, path);
      tree.setLast(path.leaf, path.start);
    }
  }
}
