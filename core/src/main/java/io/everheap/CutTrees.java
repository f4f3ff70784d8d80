package io.everheap;

import io.everheap.codec.Codec;
import io.everheap.error.EverheapException;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.sorted.OrphanLeaves;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sorted maps and sets of a damaged heap in which something was wrong. */
final class CutTrees {
  private final StructureContext heap;
  private final StructureFindings findings;
  private final List<Tree> trees = new ArrayList<>();

  /** What is looked at, if it is such a structure and nothing was wrong so far. */
  private @Nullable Tree current;

  /** A tree that lacks something, and what finds that. */
  record Tree(SalvagedRoot root, SalvagedStructures.Target target, OrphanLeaves leaves) {}

  CutTrees(StructureContext heap, StructureFindings findings) {
    this.heap = heap;
    this.findings = findings;
  }

  /** A structure of any kind comes next. */
  void begin(
      SalvagedRoot root,
      SalvagedStructures.Target target,
      long reference,
      @Nullable Codec<?> keys,
      @Nullable Codec<?> values) {
    if (OrphanLeaves.isOrdered(heap, reference)) {
      OrphanLeaves leaves = new OrphanLeaves(heap, reference, keys, values, findings);
      current = new Tree(root, target, leaves);
    }
  }

  void end() {
    current = null;
  }

  /** Something is wrong with what is looked at. */
  void problem() {
    Tree tree = current;
    if (tree != null) {
      trees.add(tree);
      current = null;
    }
  }

  boolean any() {
    return !trees.isEmpty();
  }

  /** The only tree that a leaf or entry may belong to, or null. */
  @Nullable Tree ownerOf(long block) {
    Tree only = null;
    for (Tree tree : trees) {
      if (tree.leaves.mayOwn(block)) {
        if (only != null) {
          return null;
        }
        only = tree;
      }
    }
    return only;
  }

  /** Whether something is lost with a block that nothing owns. */
  boolean isNoInnerNode(long block) {
    try {
      return !OrphanLeaves.isInnerNode(heap, block);
    } catch (EverheapException e) {
      return true;
    }
  }
}
