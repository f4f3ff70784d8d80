package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;
import java.util.Arrays;

/**
 * The kind of every chunk, one byte each, for checking references.
 *
 * <p>Any thread may read it; only the writer changes it. The first thread that needs a chunk of an
 * extent reads the extent's chunk table; the writer reads it before it changes an entry there, so
 * this never races with a change.
 *
 * <p>The kind of a chunk changes only while no block is in it: when a free chunk gets a kind,
 * before the commit, and when an empty chunk becomes free, after the record was applied.
 */
final class ChunkKinds {
  private static final byte[] UNREAD = new byte[0];

  private final HeapMemory memory;
  private final int extentShift;
  private final int mask;
  private final int chunksAtOpen;

  /** The kinds by extent; written under this object's monitor, by replacing the array. */
  private volatile byte[][] extents;

  ChunkKinds(HeapMemory memory, int extentShift, int chunks) {
    this.memory = memory;
    this.extentShift = extentShift;
    this.mask = ChunkLayout.chunksPerExtent(extentShift) - 1;
    this.chunksAtOpen = chunks;
    this.extents = new byte[(chunks + mask) >>> (extentShift - ChunkLayout.CHUNK_SHIFT)][];
    Arrays.fill(extents, UNREAD);
  }

  /** The kind of the chunk at an address, below 2^44. */
  int at(long address) {
    byte[][] all = extents;
    int extent = (int) (address >>> extentShift);
    if (extent >= all.length) {
      return ChunkKind.BEYOND;
    }
    byte[] kinds = all[extent];
    int index = (int) (address >>> ChunkLayout.CHUNK_SHIFT) & mask;
    return index < kinds.length ? kinds[index] : read(extent)[index];
  }

  int of(int chunk) {
    return at(ChunkLayout.address(chunk));
  }

  /** Called by the writer, after the chunk's extent was read. */
  void set(int chunk, int kind) {
    extents[chunk >>> (extentShift - ChunkLayout.CHUNK_SHIFT)][chunk & mask] = (byte) kind;
  }

  /** Reads an extent's table, unless it was read before. */
  synchronized byte[] read(int extent) {
    byte[] kinds = extents[extent];
    if (kinds.length == 0) {
      kinds = new byte[mask + 1];
      for (int i = 0; i <= mask; i++) {
        kinds[i] = (byte) stored(extent * (mask + 1) + i);
      }
      replace(extent, kinds);
    }
    return kinds;
  }

  /** Adds an extent behind the last one; all its chunks are beyond the capacity. */
  synchronized void addExtent() {
    byte[] kinds = new byte[mask + 1];
    Arrays.fill(kinds, (byte) ChunkKind.BEYOND);
    int count = extents.length;
    extents = Arrays.copyOf(extents, count + 1);
    replace(count, kinds);
  }

  private void replace(int extent, byte[] kinds) {
    byte[][] copy = extents.clone();
    copy[extent] = kinds;
    extents = copy;
  }

  private int stored(int chunk) {
    if (chunk >= chunksAtOpen) {
      return ChunkKind.BEYOND;
    }
    if ((chunk & mask) == 0) {
      return ChunkKind.METADATA;
    }
    int kind = ChunkLayout.kind(memory.getLong(ChunkLayout.entry(chunk, extentShift)));
    return ChunkKind.isStorable(kind) ? kind : ChunkKind.DAMAGED;
  }
}
