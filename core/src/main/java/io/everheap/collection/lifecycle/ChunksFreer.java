package io.everheap.collection.lifecycle;

import io.everheap.collection.base.BlockCheck;
import io.everheap.collection.base.Damage;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.chunk.ChunkedCheck;
import io.everheap.collection.chunk.ChunkedLayout;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;

/** Frees the chunks of a directory, and then the directory, which counts how far it came. */
public final class ChunksFreer implements Freer {
  @Override
  public long step(Engine engine, long root, int budget) {
    return free(engine, root, budget) ? 0 : root;
  }

  /** Frees so many chunks of a directory, and itself after the last; true if it is gone. */
  static boolean free(Engine engine, long directory, long budget) {
    HeapMemory memory = engine.memory();
    Allocator allocator = engine.allocator();
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
  public void check(Engine engine, long root, StructureFindings findings) {
    BlockCheck blocks = new BlockCheck(engine, findings);
    long at = Reference.address(root);
    if (!blocks.own(at, "the chunks to be freed", root, BlockType.CHUNK_DIRECTORY, 8)) {
      return;
    }
    long room = room(engine.allocator(), root);
    long cursor = engine.memory().getLong(Reference.payload(root));
    if (cursor < 0 || cursor > room) {
      findings.problem("pending free", at, null, "chunks freed up to " + cursor);
      return;
    }
    for (long c = cursor; c < room; c++) {
      ChunkedCheck.ownChunk(engine, blocks, ChunkedLayout.slot(root, c), c, 0);
    }
  }
}
