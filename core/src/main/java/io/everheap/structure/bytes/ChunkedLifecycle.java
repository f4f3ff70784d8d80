package io.everheap.structure.bytes;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.structure.common.PendingFrees;
import io.everheap.structure.common.StructureContext;
import java.lang.foreign.MemorySegment;

/** How bytes in chunks come into being, grow, shrink and go: inside a transaction. */
public final class ChunkedLifecycle {
  /** Chunks that are freed in the transaction that removes them, if there are not more. */
  private static final long FREE_AT_ONCE = 256;

  private static final int LEAST_CHUNK = 56;
  private static final long LEAST_ROOM = 8;

  private ChunkedLifecycle() {}

  /**
   * Makes bytes that are all zero, which take no space yet but the header and the directory.
   *
   * @param headerType of the header's block
   * @param type number of the type of the elements, or 0
   * @throws IllegalArgumentException if there are more than fit
   */
  public static long create(
      StructureContext heap, int headerType, long type, long length, long flags) {
    Allocator allocator = heap.allocator();
    HeapMemory memory = heap.memory();
    long room = length <= ChunkedLayout.CHUNK ? 0 : ChunkedLayout.chunks(length);
    if (length < 0 || ChunkedLayout.directoryBytes(room) > allocator.maxBlock()) {
      throw new IllegalArgumentException(
          "a heap of " + heap.location() + " cannot hold so much at once: " + length + " bytes");
    }
    long directory =
        room == 0
            ? 0
            : allocator.allocate(BlockType.CHUNK_DIRECTORY, ChunkedLayout.directoryBytes(room));
    long reference = allocator.allocateRaw(headerType, ChunkedLayout.HEADER_BYTES);
    long header = Reference.address(reference);
    memory.initLong(header + ChunkedLayout.TYPE, type);
    memory.initLong(header + ChunkedLayout.LENGTH, length);
    memory.initLong(header + ChunkedLayout.FLAGS, flags);
    memory.initLong(header + ChunkedLayout.ROOT, directory);
    memory.initLong(header + ChunkedLayout.ROOM, room);
    return reference;
  }

  /** Frees all of it. */
  public static void destroy(ChunkedBytes chunks) {
    chunks.allocator.check(chunks.reference);
    chunks.touchAll();
    long root = chunks.root();
    if (chunks.room() == 0) {
      freeChunk(chunks.allocator, root);
    } else if (ChunkedLayout.chunks(chunks.length()) <= FREE_AT_ONCE) {
      ChunksFreer.free(chunks.heap, root, chunks.room());
    } else {
      new PendingFrees(chunks.heap).add(ChunksFreer.NUMBER, root);
    }
    chunks.allocator.free(Stripes.NONE, chunks.reference);
  }

  static void freeChunk(Allocator allocator, long chunk) {
    if (chunk != 0) {
      allocator.free(Stripes.NONE, chunk, BlockType.CHUNK);
    }
  }

  /**
   * Makes room for so many bytes, and sets the length. What was behind the length before is zero.
   */
  public static void setLength(ChunkedBytes chunks, long length) {
    long old = chunks.length();
    if (length < old) {
      shrink(chunks, length);
    } else if (length > old) {
      reserve(chunks, length);
      chunks.putHeader(ChunkedLayout.LENGTH, length);
    }
  }

  private static void shrink(ChunkedBytes chunks, long length) {
    chunks.touchAll();
    long keep = ChunkedLayout.chunks(length);
    if (chunks.room() == 0) {
      if (keep == 0) {
        freeChunk(chunks.allocator, chunks.root());
        chunks.putHeader(ChunkedLayout.ROOT, 0);
      }
    } else {
      long directory = chunks.root();
      for (long c = keep; c < ChunkedLayout.chunks(chunks.length()); c++) {
        freeChunk(chunks.allocator, chunks.chunk(c));
        chunks.memory.putLong(Stripes.NONE, ChunkedLayout.slot(directory, c), 0);
      }
      if (keep == 0) {
        chunks.allocator.free(Stripes.NONE, directory, BlockType.CHUNK_DIRECTORY);
        chunks.putHeader(ChunkedLayout.ROOT, 0);
        chunks.putHeader(ChunkedLayout.ROOM, 0);
      }
    }
    clearRest(chunks, length);
    chunks.putHeader(ChunkedLayout.LENGTH, length);
  }

  /** What is behind the length of the last chunk becomes zero, so that growth need not do it. */
  private static void clearRest(ChunkedBytes chunks, long length) {
    int inside = (int) (length % ChunkedLayout.CHUNK);
    if (inside > 0) {
      long last = chunks.chunk(length / ChunkedLayout.CHUNK);
      if (last != 0) {
        long end = Math.min(chunks.allocator.size(last), chunks.length() - length + inside);
        long at = Reference.payload(last) + inside;
        chunks.bytes.fill(chunks.stripe(length), at, end - inside, (byte) 0);
      }
    }
  }

  private static void reserve(ChunkedBytes chunks, long length) {
    if (chunks.room() > 0) {
      long needed = ChunkedLayout.chunks(length);
      if (needed > chunks.room()) {
        replaceDirectory(chunks, Math.max(needed, 2 * chunks.room()));
      }
      return;
    }
    long root = chunks.root();
    long capacity = root == 0 ? 0 : chunks.allocator.size(root);
    if (length > ChunkedLayout.CHUNK) {
      if (root != 0 && capacity < ChunkedLayout.CHUNK) {
        replaceChunk(chunks, capacity, ChunkedLayout.CHUNK);
      }
      replaceDirectory(chunks, Math.max(LEAST_ROOM, ChunkedLayout.chunks(length)));
    } else if (length > capacity) {
      long wanted = Math.max((length + 7) & -8, Math.max(LEAST_CHUNK, 2 * capacity));
      replaceChunk(chunks, capacity, Math.min(ChunkedLayout.CHUNK, wanted));
    }
  }

  private static void replaceChunk(ChunkedBytes chunks, long old, long size) {
    long root = chunks.root();
    long fresh = chunks.allocator.allocate(BlockType.CHUNK, size);
    if (root != 0) {
      MemorySegment copy = MemorySegment.ofArray(new byte[(int) old]);
      chunks.bytes.copyOut(Reference.payload(root), copy, 0, old);
      chunks.memory.initBytes(Reference.payload(fresh), copy, 0, old);
      freeChunk(chunks.allocator, root);
    }
    chunks.touchAll();
    chunks.putHeader(ChunkedLayout.ROOT, fresh);
  }

  private static void replaceDirectory(ChunkedBytes chunks, long room) {
    long bytes = ChunkedLayout.directoryBytes(room);
    if (bytes > chunks.allocator.maxBlock()) {
      throw new IllegalArgumentException("more than " + room + " chunks do not fit");
    }
    long root = chunks.root();
    long before = chunks.room();
    long directory = chunks.allocator.allocate(BlockType.CHUNK_DIRECTORY, bytes);
    if (before == 0) {
      chunks.memory.initLong(ChunkedLayout.slot(directory, 0), root);
    } else {
      for (long c = 0; c < before; c++) {
        chunks.memory.initLong(ChunkedLayout.slot(directory, c), chunks.chunk(c));
      }
      chunks.allocator.free(Stripes.NONE, root, BlockType.CHUNK_DIRECTORY);
    }
    chunks.touchAll();
    chunks.putHeader(ChunkedLayout.ROOT, directory);
    chunks.putHeader(ChunkedLayout.ROOM, room);
  }
}
