package io.everheap.engine.alloc;

import io.everheap.engine.home.HomeLayout;
import java.util.Arrays;

/**
 * Keeps what the allocator of a replica knows of the chunks in step with the transactions of the
 * primary's allocator, since references are checked with it. Used by the writer.
 */
public final class ChunkFollower {
  private final ChunkTable table;
  private final ChunkKinds kinds;
  private final int extentShift;
  private final long tableBytes;
  private long[] stored = new long[32]; // address and value of each entry
  private int count;

  ChunkFollower(ChunkTable table, ChunkKinds kinds, int extentShift) {
    this.table = table;
    this.kinds = kinds;
    this.extentShift = extentShift;
    this.tableBytes = (long) table.chunksPerExtent() * ChunkLayout.ENTRY_BYTES;
  }

  /**
   * Whether a range has words in front of an extent's blocks: the catalog, or entries of chunks.
   */
  public boolean mayChange(long address, long bytes) {
    long inExtent = address & ((1L << extentShift) - 1);
    return inExtent < HomeLayout.CHUNK_SIZE || inExtent + bytes > 1L << extentShift;
  }

  /** Notes a word that the transaction stores. */
  public void store(long address, long value) {
    long inTable = inTable(address);
    if (inTable >= 0 && inTable < tableBytes && inTable % ChunkLayout.ENTRY_BYTES == 0) {
      if (count == stored.length) {
        stored = Arrays.copyOf(stored, 2 * count);
      }
      stored[count++] = address;
      stored[count++] = value;
    }
  }

  /**
   * Called before the commit: chunks get their kinds, when no reference leads to them yet.
   *
   * @param capacity of the home image after it
   */
  public void beforeCommit(long capacity) {
    int chunks = (int) (capacity >>> HomeLayout.CHUNK_SHIFT);
    if (chunks > table.chunks()) {
      table.extend(chunks);
    }
    set(false);
  }

  /** Called after the commit: chunks lose their kinds, when no reference leads to them any more. */
  public void afterCommit(long capacity) {
    set(true);
    count = 0;
    int chunks = (int) (capacity >>> HomeLayout.CHUNK_SHIFT);
    if (chunks < table.chunks()) {
      table.cut(chunks);
    }
  }

  /** Called after a rollback. */
  public void rolledBack() {
    count = 0;
  }

  private void set(boolean free) {
    for (int i = 0; i < count; i += 2) {
      int kind = ChunkLayout.kind(stored[i + 1]);
      int chunk = chunk(stored[i]);
      // Nothing is in a chunk behind the capacity.
      if (free == (kind == ChunkKind.FREE) && !table.isMetadata(chunk) && chunk < table.chunks()) {
        kinds.read(chunk / table.chunksPerExtent());
        kinds.set(chunk, ChunkKind.isStorable(kind) ? kind : ChunkKind.DAMAGED);
      }
    }
  }

  private int chunk(long address) {
    int extent = (int) (address >>> extentShift);
    return extent * table.chunksPerExtent() + (int) (inTable(address) / ChunkLayout.ENTRY_BYTES);
  }

  private long inTable(long address) {
    return (address & ((1L << extentShift) - 1)) - HomeLayout.CHUNK_TABLE_OFFSET;
  }
}
