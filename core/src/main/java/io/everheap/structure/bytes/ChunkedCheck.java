package io.everheap.structure.bytes;

import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;

/** Checks the blocks of bytes in chunks. The caller keeps writers out. */
public final class ChunkedCheck {
  private ChunkedCheck() {}

  /**
   * Checks header, directory and chunks, and reports them as owned.
   *
   * @return whether all of it is sound
   */
  public static boolean run(
      StructureContext heap, long reference, int type, StructureFindings findings) {
    BlockCheck blocks = new BlockCheck(heap, findings);
    long header = Reference.address(reference);
    if (!blocks.own(header, "the header", reference, type, ChunkedLayout.HEADER_BYTES)) {
      return false;
    }
    HeapMemory memory = heap.memory();
    long length = memory.getLong(header + ChunkedLayout.LENGTH);
    long root = memory.getLong(header + ChunkedLayout.ROOT);
    long room = memory.getLong(header + ChunkedLayout.ROOM);
    long most = heap.allocator().maxBlock() / 8;
    boolean fits = room == 0 ? length <= ChunkedLayout.CHUNK : ChunkedLayout.chunks(length) <= room;
    if (length < 0 || room < 0 || room > most || !fits) {
      String message = length + " bytes in a directory for " + room + " chunks";
      findings.problem("header", header + ChunkedLayout.LENGTH, null, message);
      return false;
    }
    if (room == 0) {
      return ownChunk(heap, blocks, header + ChunkedLayout.ROOT, 0, length);
    }
    long bytes = ChunkedLayout.directoryBytes(room);
    long at = header + ChunkedLayout.ROOT;
    if (!blocks.own(at, "the directory", root, BlockType.CHUNK_DIRECTORY, bytes)) {
      return false;
    }
    if (memory.getLong(Reference.payload(root)) != 0) {
      findings.problem("directory", Reference.payload(root), null, "chunks of it were freed");
      return false;
    }
    boolean sound = true;
    for (long c = 0; c < room; c++) {
      sound &= ownChunk(heap, blocks, ChunkedLayout.slot(root, c), c, ChunkedLayout.CHUNK);
    }
    return sound;
  }

  public static boolean ownChunk(
      StructureContext heap, BlockCheck blocks, long slot, long chunk, long least) {
    long block = heap.memory().getLong(slot);
    return block == 0 || blocks.own(slot, "chunk " + chunk, block, BlockType.CHUNK, least);
  }
}
