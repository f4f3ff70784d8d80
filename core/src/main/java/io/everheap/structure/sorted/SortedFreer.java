package io.everheap.structure.sorted;

import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.GoneException;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Freer;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;

/** Frees trees of sorted maps and sets, from the last leaf to the first. */
public final class SortedFreer implements Freer {
  static final int NUMBER = 5;

  @Override
  public int number() {
    return NUMBER;
  }

  /** The only one. */
  public static final SortedFreer INSTANCE = new SortedFreer();

  private SortedFreer() {}

  /** Frees all of a tree in the running transaction. */
  void freeAll(StructureContext heap, long root) {
    long left = root;
    while (left != Reference.NULL) {
      left = step(heap, left, Integer.MAX_VALUE);
    }
  }

  @Override
  public long step(StructureContext heap, long root, int budget) {
    Walk walk = new Walk(heap, root);
    int left = budget;
    while (left > 0 && walk.toLastLeaf()) {
      left -= walk.freeLeaf();
    }
    return walk.root();
  }

  @Override
  public void check(StructureContext heap, long root, StructureFindings findings) {
    new SortedVerifier(heap, findings).own(root);
  }

  /** A path from the root to the last leaf, which shrinks from that end. */
  private static final class Walk {
    private final StructureContext heap;
    private final HeapMemory memory;
    private final SortedNodes nodes;
    private final SortedEntries entries;
    private final Separators separators;
    private final long[] path = new long[SortedLayout.MAX_LEVEL + 1]; // references
    private int depth;

    Walk(StructureContext heap, long root) {
      this.heap = heap;
      this.memory = heap.memory();
      requireNode(root);
      long info = memory.getLong(Reference.address(root) + SortedLayout.INFO);
      long flags = SortedLayout.flags(info);
      this.nodes = new SortedNodes(memory, heap.allocator(), flags);
      this.entries = new SortedEntries(memory, heap.allocator(), nodes, flags);
      this.separators = new Separators(memory, heap.allocator(), nodes, false);
      this.path[0] = root;
      this.depth = 1;
    }

    long root() {
      return depth == 0 ? Reference.NULL : path[0];
    }

    private void requireNode(long reference) {
      try {
        if (heap.allocator().type(reference) == BlockType.SORTED_NODE
            && heap.allocator().size(reference) >= SortedLayout.NODE_BYTES) {
          return;
        }
      } catch (GoneException e) {
        // named below
      }
      throw Damage.at(
          Reference.address(reference), "a link of a sorted map leads there, but that is no node");
    }

    /** Frees inner nodes that have no children left; false when nothing is left. */
    boolean toLastLeaf() {
      while (depth > 0) {
        long node = Reference.address(path[depth - 1]);
        long info = nodes.info(node);
        if (SortedLayout.level(info) == 0) {
          return true;
        }
        int last = SortedLayout.count(info) - 1;
        if (last < 0) {
          pop();
        } else {
          long child = nodes.payload(node, nodes.place(node, last));
          requireNode(child);
          int below = SortedLayout.level(nodes.info(Reference.address(child)));
          if (below != SortedLayout.level(info) - 1) {
            throw Damage.at(node, "a child on level " + below);
          }
          path[depth++] = child;
        }
      }
      return false;
    }

    int freeLeaf() {
      long leaf = Reference.address(path[depth - 1]);
      int count = nodes.count(leaf);
      for (int i = 0; i < count; i++) {
        entries.free(Stripes.NONE, nodes.payload(leaf, nodes.place(leaf, i)));
      }
      pop();
      return count + 1;
    }

    /** Frees the last node of the path and takes it from the one above. */
    private void pop() {
      heap.allocator().free(Stripes.NONE, path[--depth], BlockType.SORTED_NODE);
      if (depth > 0) {
        long above = Reference.address(path[depth - 1]);
        long info = nodes.info(above);
        int last = SortedLayout.count(info) - 1;
        separators.free(Stripes.NONE, nodes.separator(above, nodes.place(above, last), info));
        nodes.setCount(above, info, last);
      }
    }
  }
}
