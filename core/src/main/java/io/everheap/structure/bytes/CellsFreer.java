package io.everheap.structure.bytes;

import io.everheap.codec.Codecs;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Freer;
import io.everheap.structure.common.PendingFrees;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.ValueCheck;
import io.everheap.structure.common.ValueStore;

/**
 * Frees the values of an array, which are in cells, and its chunks. The directory counts the words
 * of which the values were freed; chunks go with their last word.
 */
public final class CellsFreer implements Freer {
  static final int NUMBER = 2;

  @Override
  public int number() {
    return NUMBER;
  }

  private static final int WORDS = ChunkedLayout.CHUNK / 8;

  /** Frees all of an array, inside a transaction; the values of a large one in the background. */
  public static void destroy(ChunkedBytes chunks) {
    if (chunks.room() > 0) {
      chunks.allocator.check(chunks.reference);
      chunks.touchAll();
      new PendingFrees(chunks.heap).add(CellsFreer.NUMBER, chunks.root());
      chunks.allocator.free(Stripes.NONE, chunks.reference);
      return;
    }
    long chunk = chunks.chunk(0);
    if (chunk != 0) {
      freeValues(chunks.heap, chunk, 0, chunks.length() / 8);
    }
    ChunkedLifecycle.destroy(chunks);
  }

  private static void freeValues(StructureContext heap, long chunk, long from, long to) {
    ValueStore<byte[]> values = new ValueStore<>(heap, Codecs.BYTES);
    for (long w = from; w < to; w++) {
      long value = heap.memory().getLong(Reference.payload(chunk) + 8 * w);
      if (value != 0) {
        values.free(Stripes.NONE, value);
      }
    }
  }

  @Override
  public long step(StructureContext heap, long root, int budget) {
    HeapMemory memory = heap.memory();
    long room = ChunksFreer.room(heap.allocator(), root);
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
        ChunksFreer.requireChunk(heap.allocator(), chunk);
        freeValues(heap, chunk, from, to);
        if (to == WORDS) {
          heap.allocator().free(Stripes.NONE, chunk, BlockType.CHUNK);
        }
      }
      left -= chunk == 0 ? 1 : (int) (to - from);
      cursor += to - from;
    }
    if (cursor < room * WORDS) {
      memory.putLong(Stripes.NONE, Reference.payload(root), cursor);
      return root;
    }
    heap.allocator().free(Stripes.NONE, root, BlockType.CHUNK_DIRECTORY);
    return 0;
  }

  @Override
  public void check(StructureContext heap, long root, StructureFindings findings) {
    BlockCheck blocks = new BlockCheck(heap, findings);
    long at = Reference.address(root);
    if (!blocks.own(at, "the values to be freed", root, BlockType.CHUNK_DIRECTORY, 8)) {
      return;
    }
    HeapMemory memory = heap.memory();
    long room = ChunksFreer.room(heap.allocator(), root);
    long cursor = memory.getLong(Reference.payload(root));
    if (cursor < 0 || cursor > room * WORDS) {
      findings.problem("pending free", at, null, "values freed up to " + cursor);
      return;
    }
    ValueCheck values = new ValueCheck(heap, findings, false, null);
    for (long c = cursor / WORDS; c < room; c++) {
      long slot = ChunkedLayout.slot(root, c);
      long chunk = memory.getLong(slot);
      if (chunk != 0 && ChunkedCheck.ownChunk(heap, blocks, slot, c, ChunkedLayout.CHUNK)) {
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
