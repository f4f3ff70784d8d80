package io.everheap.structure.bytes;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Freer;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;

/** Frees the chunks of a directory, and then the directory, which counts how far it came. */
public final class ChunksFreer implements Freer {
  static final int NUMBER = 1;

  @Override
  public int number() {
    return NUMBER;
  }

  @Override
  public long step(StructureContext heap, long root, int budget) {
    return free(heap, root, budget) ? 0 : root;
  }

  /** Frees so many chunks of a directory, and itself after the last; true if it is gone. */
  static boolean free(StructureContext heap, long directory, long budget) {
    HeapMemory memory = heap.memory();
    Allocator allocator = heap.allocator();
    long room = room(allocator, directory);
    long cursor = memory.getLong(Reference.payload(directory));
    if (cursor < 0 || cursor > room) {
      throw Damage.at(Reference.address(directory), "chunks freed up to " + cursor);
    }
    long end = Math.min(room, cursor + budget);
    for (long c = cursor; c < end; c++) {
      ChunkedLifecycle.freeChunk(allocator, memory.getLong(ChunkedLayout.slot(directory, c)));
    }
    if (end < room) {
      memory.putLong(Stripes.NONE, Reference.payload(directory), end);
      return false;
    }
    allocator.free(Stripes.NONE, directory, BlockType.CHUNK_DIRECTORY);
    return true;
  }

  static long room(Allocator allocator, long directory) {
    if (allocator.type(directory) != BlockType.CHUNK_DIRECTORY) {
      throw Damage.at(Reference.address(directory), "no directory of chunks");
    }
    return (allocator.size(directory) - 8) / 8;
  }

  static void requireChunk(Allocator allocator, long chunk) {
    if (allocator.type(chunk) != BlockType.CHUNK || allocator.size(chunk) < ChunkedLayout.CHUNK) {
      throw Damage.at(Reference.address(chunk), "no whole chunk");
    }
  }

  @Override
  public void check(StructureContext heap, long root, StructureFindings findings) {
    BlockCheck blocks = new BlockCheck(heap, findings);
    long at = Reference.address(root);
    if (!blocks.own(at, "the chunks to be freed", root, BlockType.CHUNK_DIRECTORY, 8)) {
      return;
    }
    long room = room(heap.allocator(), root);
    long cursor = heap.memory().getLong(Reference.payload(root));
    if (cursor < 0 || cursor > room) {
      findings.problem("pending free", at, null, "chunks freed up to " + cursor);
      return;
    }
    for (long c = cursor; c < room; c++) {
      ChunkedCheck.ownChunk(heap, blocks, ChunkedLayout.slot(root, c), c, 0);
    }
  }
}
