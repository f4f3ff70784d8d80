package io.everheap.collection.lifecycle;

import io.everheap.collection.base.Damage;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.sorted.Separators;
import io.everheap.collection.sorted.SortedEntries;
import io.everheap.collection.sorted.SortedLayout;
import io.everheap.collection.sorted.SortedNodes;
import io.everheap.collection.sorted.SortedVerifier;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.StaleReferenceException;

/** Frees trees of sorted maps and sets, from the last leaf to the first. */
public final class SortedFreer implements Freer {
  /** The only one. */
  static final SortedFreer INSTANCE = new SortedFreer();

  private SortedFreer() {}

  /** Frees all of a tree in the running transaction. */
  void freeAll(Engine engine, long root) {
    long left = root;
    while (left != Reference.NULL) {
      left = step(engine, left, Integer.MAX_VALUE);
    }
  }

  @Override
  public long step(Engine engine, long root, int budget) {
    Walk walk = new Walk(engine, root);
    int left = budget;
    while (left > 0 && walk.toLastLeaf()) {
      left -= walk.freeLeaf();
    }
    return walk.root();
  }

  @Override
  public void check(Engine engine, long root, StructureFindings findings) {
    new SortedVerifier(engine, findings).own(root);
  }

  /** A path from the root to the last leaf, which shrinks from that end. */
  private static final class Walk {
    private final Engine engine;
    private final HeapMemory memory;
    private final SortedNodes nodes;
    private final SortedEntries entries;
    private final Separators separators;
    private final long[] path = new long[SortedLayout.MAX_LEVEL + 1]; // references
    private int depth;

    Walk(Engine engine, long root) {
      this.engine = engine;
      this.memory = engine.memory();
      requireNode(root);
      long info = memory.getLong(Reference.address(root) + SortedLayout.INFO);
      long flags = SortedLayout.flags(info);
      this.nodes = new SortedNodes(memory, engine.allocator(), flags);
      this.entries = new SortedEntries(memory, engine.allocator(), nodes, flags);
      this.separators = new Separators(memory, engine.allocator(), nodes, false);
      this.path[0] = root;
      this.depth = 1;
    }

    long root() {
      return depth == 0 ? Reference.NULL : path[0];
    }

    private void requireNode(long reference) {
      try {
        if (engine.allocator().type(reference) == BlockType.SORTED_NODE
            && engine.allocator().size(reference) >= SortedLayout.NODE_BYTES) {
          return;
        }
      } catch (StaleReferenceException e) {
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
      engine.allocator().free(Stripes.NONE, path[--depth], BlockType.SORTED_NODE);
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
