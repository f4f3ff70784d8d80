package io.everheap.structure.list;

import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.GoneException;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Freer;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;

/** Frees what is left of trees, from the end on. */
public final class TreeFreer implements Freer {
  static final int NUMBER = 3;

  @Override
  public int number() {
    return NUMBER;
  }

  public static final TreeFreer INSTANCE = new TreeFreer();

  private TreeFreer() {}

  @Override
  public long step(StructureContext heap, long root, int budget) {
    try {
      TreeLifecycle.requireHeader(heap, BlockType.TREE_REMAINS, "rest of a tree", root, 0);
    } catch (GoneException e) {
      throw Damage.at(Reference.address(root), "the rest of a tree is missing");
    }
    WordTree tree = new WordTree(heap, root, TreeLifecycle.offset(0));
    long words = tree.words() ? (long) budget * TreeLayout.LEAF_WORDS : budget;
    new TreeRemovals(tree).truncate(Math.max(0, tree.size() - words));
    if (tree.size() > 0) {
      return root;
    }
    heap.allocator().free(tree.stripe(), root, BlockType.TREE_REMAINS);
    return 0;
  }

  @Override
  public void check(StructureContext heap, long root, StructureFindings findings) {
    long at = Reference.address(root);
    BlockCheck blocks = new BlockCheck(heap, findings);
    if (blocks.own(at, "what is left", root, BlockType.TREE_REMAINS, TreeLayout.BYTES)) {
      WordTree tree = new WordTree(heap, root, TreeLifecycle.offset(0));
      boolean _ = new TreeCheck(heap, tree, null, findings).run();
    }
  }
}
