package io.everheap.structure.list;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.PendingFrees;
import io.everheap.structure.common.StructureContext;

/**
 * How structures of one {@link WordTree} come into being, lose all at once, and go; inside a
 * transaction. What is large is freed in the background, under a header of its own.
 */
public final class TreeLifecycle {
  /** Words that are freed in the transaction that removes them, if they are fewer. */
  private static final long FREE_AT_ONCE = 10_000;

  private TreeLifecycle() {}

  /** Where the tree stands in the header of a structure with so many types. */
  public static int offset(int types) {
    return 8 + 8 * types;
  }

  /** A guard for attaching to a structure of a tree, or to a deque. */
  public static Guard guard(StructureContext heap, long reference) {
    return new Guard(heap.stripes(), TreeLayout.stripe(Reference.address(reference)));
  }

  /** Makes a header with an empty tree, and returns its reference. */
  public static long create(StructureContext heap, int blockType, long[] types, boolean words) {
    HeapMemory memory = heap.memory();
    int offset = offset(types.length);
    long reference = heap.allocator().allocateRaw(blockType, offset - 8L + TreeLayout.BYTES);
    long header = Reference.address(reference);
    for (int i = 0; i < types.length; i++) {
      memory.initLong(header + 8 + 8L * i, types[i]);
    }
    WordTree.init(memory, header + offset, words);
    return reference;
  }

  /** Checks that a reference leads to a header, and returns the types in it. */
  public static long[] types(
      StructureContext heap, int blockType, String what, long reference, int count) {
    requireHeader(heap, blockType, what, reference, count);
    long[] types = new long[count];
    for (int i = 0; i < count; i++) {
      types[i] = heap.memory().getLong(Reference.address(reference) + 8 + 8L * i);
    }
    return types;
  }

  /**
   * Checks that a reference leads to a header.
   *
   * @throws io.everheap.error.GoneException if it leads to no block
   * @throws io.everheap.error.CorruptException if it leads to another one
   */
  static void requireHeader(
      StructureContext heap, int blockType, String what, long reference, int types) {
    Allocator allocator = heap.allocator();
    int type = allocator.type(reference);
    if (type != blockType || allocator.size(reference) < offset(types) - 8 + TreeLayout.BYTES) {
      throw Damage.at(
          Reference.address(reference),
          "the block " + Reference.describe(reference) + " of type " + type + " is no " + what);
    }
  }

  /** Removes all words and frees what they lead to. */
  public static void clear(StructureContext heap, WordTree tree) {
    if (tree.size() > FREE_AT_ONCE && PendingFrees.tryRun(heap, () -> handOver(heap, tree))) {
      return;
    }
    new TreeRemovals(tree).truncate(0);
  }

  /** Frees a structure with all it holds. */
  public static void destroy(StructureContext heap, WordTree tree, long reference, int blockType) {
    clear(heap, tree);
    heap.allocator().free(tree.stripe(), reference, blockType);
  }

  private static void handOver(StructureContext heap, WordTree tree) {
    HeapMemory memory = heap.memory();
    long remains = heap.allocator().allocateRaw(BlockType.TREE_REMAINS, TreeLayout.BYTES);
    long to = Reference.payload(remains);
    for (int i = 0; i < TreeLayout.BYTES; i += 8) {
      memory.initLong(to + i, memory.getLong(tree.at() + i));
    }
    new PendingFrees(heap).add(TreeFreer.INSTANCE.number(), remains);
    tree.setSize(0);
    tree.setRoot(Reference.NULL, 0);
    tree.setLast(Reference.NULL, 0);
  }
}
