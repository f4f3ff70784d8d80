package io.everheap.collection.lifecycle;

import io.everheap.collection.base.BlockCheck;
import io.everheap.collection.base.Damage;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.deque.DequeCheck;
import io.everheap.collection.deque.DequeChunks;
import io.everheap.collection.deque.DequeLayout;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.error.StaleReferenceException;

/** Frees what is left of deques, from the end on. */
public final class DequeFreer implements Freer {
  static final DequeFreer INSTANCE = new DequeFreer();

  private DequeFreer() {}

  @Override
  public long step(Engine engine, long root, int budget) {
    requireRemains(engine, root);
    DequeChunks chunks = new DequeChunks(engine, root, DequeLifecycle.REMAINS_OFFSET);
    int least = chunks.words() ? budget * 16 : budget;
    for (int i = 0; i < least && chunks.size() > 0; i++) {
      chunks.removeLast();
    }
    if (chunks.size() > 0) {
      return root;
    }
    DequeLifecycle.free(engine, chunks, root, BlockType.DEQUE_REMAINS);
    return 0;
  }

  private static void requireRemains(Engine engine, long root) {
    try {
      if (engine.allocator().type(root) == BlockType.DEQUE_REMAINS
          && engine.allocator().size(root) >= DequeLayout.BYTES) {
        return;
      }
    } catch (StaleReferenceException e) {
      // named below
    }
    throw Damage.at(Reference.address(root), "the rest of a deque is missing");
  }

  @Override
  public void check(Engine engine, long root, StructureFindings findings) {
    long at = Reference.address(root);
    if (new BlockCheck(engine, findings)
        .own(at, "what is left", root, BlockType.DEQUE_REMAINS, DequeLayout.BYTES)) {
      DequeChunks chunks = new DequeChunks(engine, root, DequeLifecycle.REMAINS_OFFSET);
      new DequeCheck(engine, chunks, null, findings).run();
    }
  }
}
