package io.everheap.structure.deque;

import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.GoneException;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Freer;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;

/** Frees what is left of deques, from the end on. */
public final class DequeFreer implements Freer {
  static final int NUMBER = 4;

  @Override
  public int number() {
    return NUMBER;
  }

  public static final DequeFreer INSTANCE = new DequeFreer();

  private DequeFreer() {}

  @Override
  public long step(StructureContext heap, long root, int budget) {
    requireRemains(heap, root);
    DequeChunks chunks = new DequeChunks(heap, root, DequeLifecycle.REMAINS_OFFSET);
    int least = chunks.words() ? budget * 16 : budget;
    for (int i = 0; i < least && chunks.size() > 0; i++) {
      chunks.removeLast();
    }
    if (chunks.size() > 0) {
      return root;
    }
    DequeLifecycle.free(heap, chunks, root, BlockType.DEQUE_REMAINS);
    return 0;
  }

  private static void requireRemains(StructureContext heap, long root) {
    try {
      if (heap.allocator().type(root) == BlockType.DEQUE_REMAINS
          && heap.allocator().size(root) >= DequeLayout.BYTES) {
        return;
      }
    } catch (GoneException e) {
      // named below
    }
    throw Damage.at(Reference.address(root), "the rest of a deque is missing");
  }

  @Override
  public void check(StructureContext heap, long root, StructureFindings findings) {
    long at = Reference.address(root);
    if (new BlockCheck(heap, findings)
        .own(at, "what is left", root, BlockType.DEQUE_REMAINS, DequeLayout.BYTES)) {
      DequeChunks chunks = new DequeChunks(heap, root, DequeLifecycle.REMAINS_OFFSET);
      new DequeCheck(heap, chunks, null, findings).run();
    }
  }
}
