package io.everheap.structure.list;

import io.everheap.codec.Codec;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.ValueCheck;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks a {@link WordTree} node by node, whatever its bytes are: that nodes are there and owned
 * once, that starts grow from 0 on and leave every child some words, as many as fit into leaves;
 * that the last leaf is the one that the header names; that the values are sound.
 */
public final class TreeCheck {
  private static final String KIND = "tree";

  private final HeapMemory memory;
  private final StructureFindings findings;
  private final BlockCheck blocks;
  private final WordTree tree;
  private final ValueCheck values;
  private long lastLeaf;
  private long lastStart;
  private boolean sound = true;

  public TreeCheck(
      StructureContext heap, WordTree tree, @Nullable Codec<?> codec, StructureFindings findings) {
    this.memory = heap.memory();
    this.findings = findings;
    this.blocks = new BlockCheck(heap, findings);
    this.tree = tree;
    long at = tree.at() + TreeLayout.SHAPE;
    Codec<?> fitting = ValueCheck.fitting(findings, at, tree.words(), codec);
    this.values = new ValueCheck(heap, findings, tree.words(), fitting);
  }

  /** Returns whether all nodes are sound, whatever the values are. */
  public boolean run() {
    long at = tree.at();
    long size = tree.size();
    long root = tree.root();
    int height = tree.height();
    boolean plausible =
        (tree.shape() & ~(TreeLayout.HEIGHT_MASK | TreeLayout.WORDS)) == 0
            && height <= TreeLayout.MOST_HEIGHT
            && size >= 0
            && (size == 0) == (root == Reference.NULL);
    if (!plausible) {
      String shape = Long.toHexString(tree.shape());
      problem(at, "an impossible tree of size " + size + ", shape 0x" + shape);
      return false;
    }
    if (size > 0) {
      node(at + TreeLayout.ROOT, root, height, 0, size);
    }
    if (sound && (tree.last() != lastLeaf || tree.lastStart() != lastStart)) {
      problem(at + TreeLayout.LAST, "the last leaf is not the one that the header names");
    }
    return sound;
  }

  private void problem(long at, String message) {
    sound = false;
    findings.problem(KIND, at, null, message);
  }

  /**
   * Checks what a reference leads to.
   *
   * @param at address of the reference
   */
  private void node(long at, long reference, int level, long start, long count) {
    try {
      if (level == 0) {
        leaf(at, reference, start, count);
      } else {
        inner(at, reference, level, start, count);
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      problem(at, "the words from " + start + " on: " + e.getMessage());
    }
  }

  private void leaf(long at, long leaf, long start, long count) {
    if (count < 1 || count > TreeLayout.LEAF_WORDS) {
      problem(at, "a leaf of " + count + " words from " + start + " on");
      return;
    }
    if (!own(at, leaf, BlockType.TREE_LEAF, count * 8)) {
      return;
    }
    for (long i = 0; i < count; i++) {
      findings.counted();
      long word = TreeLayout.word(leaf, i);
      values.check(word, memory.getLong(word), start + i);
    }
    lastLeaf = leaf;
    lastStart = start;
  }

  private boolean own(long at, long reference, int type, long least) {
    boolean owned = blocks.own(at, "a node of the tree", reference, type, least);
    sound &= owned;
    return owned;
  }

  private void inner(long at, long reference, int level, long start, long count) {
    if (!own(at, reference, BlockType.TREE_INNER, TreeLayout.INNER_BYTES)) {
      return;
    }
    long node = Reference.address(reference);
    long n = memory.getLong(node + TreeLayout.CHILDREN);
    if (n < 1 || n > TreeLayout.FANOUT) {
      problem(node, "a node of " + n + " children");
      return;
    }
    if (memory.getLong(TreeLayout.start(node, 0)) != 0) {
      problem(node, "the first child does not start at 0");
    }
    for (int i = 0; i < n; i++) {
      long from = i == 0 ? 0 : memory.getLong(TreeLayout.start(node, i));
      long to = i + 1 < n ? memory.getLong(TreeLayout.start(node, i + 1)) : count;
      long link = TreeLayout.link(node, i);
      if (from < 0 || to <= from || to > count) {
        problem(
            link,
            String.format(Locale.ROOT, "child %d has words %d to %d of %d", i, from, to, count));
      } else {
        node(link, memory.getLong(link), level - 1, start + from, to - from);
      }
    }
  }
}
