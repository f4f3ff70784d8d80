package io.everheap.collection.lifecycle;

import io.everheap.collection.base.BlockCheck;
import io.everheap.collection.base.Damage;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.tree.TreeCheck;
import io.everheap.collection.tree.TreeLayout;
import io.everheap.collection.tree.TreeRemovals;
import io.everheap.collection.tree.WordTree;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.StaleReferenceException;

/** Frees what is left of trees, from the end on. */
public final class TreeFreer implements Freer {
  static final TreeFreer INSTANCE = new TreeFreer();

  private TreeFreer() {}

  @Override
  public long step(Engine engine, long root, int budget) {
    try {
      TreeLifecycle.requireHeader(engine, BlockType.TREE_REMAINS, "rest of a tree", root, 0);
    } catch (StaleReferenceException e) {
      throw Damage.at(Reference.address(root), "the rest of a tree is missing");
    }
    WordTree tree = new WordTree(engine, root, TreeLifecycle.offset(0));
    long words = tree.words() ? (long) budget * TreeLayout.LEAF_WORDS : budget;
    new TreeRemovals(tree).truncate(Math.max(0, tree.size() - words));
    if (tree.size() > 0) {
      return root;
    }
    engine.allocator().free(tree.stripe(), root, BlockType.TREE_REMAINS);
    return 0;
  }

  @Override
  public void check(Engine engine, long root, StructureFindings findings) {
    long at = Reference.address(root);
    BlockCheck blocks = new BlockCheck(engine, findings);
    if (blocks.own(at, "what is left", root, BlockType.TREE_REMAINS, TreeLayout.BYTES)) {
      WordTree tree = new WordTree(engine, root, TreeLifecycle.offset(0));
      boolean _ = new TreeCheck(engine, tree, null, findings).run();
    }
  }
}
