package io.everheap.collection.lifecycle;

import io.everheap.codec.Codecs;
import io.everheap.collection.base.BlockCheck;
import io.everheap.collection.base.Damage;
import io.everheap.collection.base.StructureFindings;
import io.everheap.collection.base.ValueCheck;
import io.everheap.collection.base.ValueStore;
import io.everheap.collection.chunk.ChunkedBytes;
import io.everheap.collection.chunk.ChunkedCheck;
import io.everheap.collection.chunk.ChunkedLayout;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;

/**
 * Frees the values of an array, which are in cells, and its chunks. The directory counts the words
 * of which the values were freed; chunks go with their last word.
 */
public final class CellsFreer implements Freer {
  private static final int WORDS = ChunkedLayout.CHUNK / 8;

  /** Frees all of an array, inside a transaction; the values of a large one in the background. */
  public static void destroy(ChunkedBytes chunks) {
    if (chunks.room() > 0) {
      chunks.allocator.check(chunks.reference);
      chunks.touchAll();
      new PendingFrees(chunks.engine).add(Freers.CELLS, chunks.root());
      chunks.allocator.free(Stripes.NONE, chunks.reference);
      return;
    }
    long chunk = chunks.chunk(0);
    if (chunk != 0) {
      freeValues(chunks.engine, chunk, 0, chunks.length() / 8);
    }
    ChunkedLifecycle.destroy(chunks);
  }

  private static void freeValues(Engine engine, long chunk, long from, long to) {
    ValueStore<byte[]> values = new ValueStore<>(engine, Codecs.BYTES);
    for (long w = from; w < to; w++) {
      long value = engine.memory().getLong(Reference.payload(chunk) + 8 * w);
      if (value != 0) {
        values.free(Stripes.NONE, value);
      }
    }
  }

  @Override
  public long step(Engine engine, long root, int budget) {
    HeapMemory memory = engine.memory();
    long room = ChunksFreer.room(engine.allocator(), root);
    long cursor = memory.getLong(Reference.payload(root));
    if (cursor < 0 || cursor > room * WORDS) {
      throw Damage.at(Reference.address(root), "values freed up to " + cursor);
    }
    int left = budget;
    while (cursor < room * WORDS && left > 0) {
      long chunk = memory.getLong(ChunkedLayout.slot(root, cursor / WORDS));
      long from = cursor % WORDS;
      long to = chunk == 0 ? WORDS : Math.min(WORDS, from + left);
      if (chunk != 0) {
        ChunksFreer.requireChunk(engine.allocator(), chunk);
        freeValues(engine, chunk, from, to);
        if (to == WORDS) {
          engine.allocator().free(Stripes.NONE, chunk, BlockType.CHUNK);
        }
      }
      left -= chunk == 0 ? 1 : (int) (to - from);
      cursor += to - from;
    }
    if (cursor < room * WORDS) {
      memory.putLong(Stripes.NONE, Reference.payload(root), cursor);
      return root;
    }
    engine.allocator().free(Stripes.NONE, root, BlockType.CHUNK_DIRECTORY);
    return 0;
  }

  @Override
  public void check(Engine engine, long root, StructureFindings findings) {
    BlockCheck blocks = new BlockCheck(engine, findings);
    long at = Reference.address(root);
    if (!blocks.own(at, "the values to be freed", root, BlockType.CHUNK_DIRECTORY, 8)) {
      return;
    }
    HeapMemory memory = engine.memory();
    long room = ChunksFreer.room(engine.allocator(), root);
    long cursor = memory.getLong(Reference.payload(root));
    if (cursor < 0 || cursor > room * WORDS) {
      findings.problem("pending free", at, null, "values freed up to " + cursor);
      return;
    }
    ValueCheck values = new ValueCheck(engine, findings, false, null);
    for (long c = cursor / WORDS; c < room; c++) {
      long slot = ChunkedLayout.slot(root, c);
      long chunk = memory.getLong(slot);
      if (chunk != 0 && ChunkedCheck.ownChunk(engine, blocks, slot, c, ChunkedLayout.CHUNK)) {
        for (long w = Math.max(0, cursor - c * WORDS); w < WORDS; w++) {
          long place = Reference.payload(chunk) + 8 * w;
          if (memory.getLong(place) != 0) {
            values.check(place, memory.getLong(place), w);
          }
        }
      }
    }
  }
}
