package io.everheap.engine.alloc;

import io.everheap.engine.tx.HeapMemory;
import java.util.Arrays;

/**
 * The writer's summaries of all chunks: which are free, how many of their slots are in use, and
 * whether they are listed as not full. Guarded by the writer lock.
 *
 * <p>The chunk table of an extent is read when an entry is needed, or when none of the extents that
 * were read has a suitable chunk. The users of this class store the entries in the home image.
 */
final class ChunkTable {
  /** Receives the chunks that are not full when the table of their extent is read. */
  interface NonFull {
    /** A chunk of this kind has free slots or pages. */
    void found(int chunk, int kind);
  }

  /** The number of slots in use is not known yet. */
  static final int UNKNOWN = -1;

  private static final short[] UNREAD = new short[0];

  private final HeapMemory memory;
  private final int extentShift;
  private final int shift;
  private final int mask;
  private final ChunkKinds kinds;
  private final FreeChunks free;
  private final NonFull nonFull;

  /** The slots in use, retired ones included, of each chunk of each extent. */
  private short[][] used = new short[0][];

  /** The kind under which each chunk was last listed as not full, or 0. */
  private byte[][] listed = new byte[0][];

  /** The capacity in chunks. */
  private int chunks;

  /** The tables of all extents below are read. */
  private int nextExtent;

  ChunkTable(HeapMemory memory, int extentShift, ChunkKinds kinds, int chunks, NonFull nonFull) {
    this.memory = memory;
    this.extentShift = extentShift;
    this.shift = extentShift - ChunkLayout.CHUNK_SHIFT;
    this.mask = (1 << shift) - 1;
    this.kinds = kinds;
    this.free = new FreeChunks(extentShift);
    this.nonFull = nonFull;
    this.chunks = chunks;
    while (used.length << shift < chunks) {
      addExtent(UNREAD);
    }
  }

  /** The capacity in chunks. */
  int chunks() {
    return chunks;
  }

  int chunksPerExtent() {
    return mask + 1;
  }

  FreeChunks free() {
    return free;
  }

  int kind(int chunk) {
    return kinds.of(chunk);
  }

  void kind(int chunk, int kind) {
    kinds.set(chunk, kind);
  }

  /** The address of a chunk's table entry. */
  long entry(int chunk) {
    return ChunkLayout.entry(chunk, extentShift);
  }

  boolean isMetadata(int chunk) {
    return (chunk & mask) == 0;
  }

  /** The position of a chunk in {@link #usedOf}. */
  int index(int chunk) {
    return chunk & mask;
  }

  /** The slots in use of the chunks of a chunk's extent, each {@link #UNKNOWN} until counted. */
  short[] usedOf(int chunk) {
    read(chunk >>> shift);
    return used[chunk >>> shift];
  }

  int listedAs(int chunk) {
    return listed[chunk >>> shift][chunk & mask];
  }

  void listedAs(int chunk, int kind) {
    listed[chunk >>> shift][chunk & mask] = (byte) kind;
  }

  /** Reads the table of the next extent; false if all are read. */
  boolean readNext() {
    while (nextExtent < used.length) {
      if (read(nextExtent++)) {
        return true;
      }
    }
    return false;
  }

  void readAll() {
    while (nextExtent < used.length) {
      read(nextExtent++);
    }
  }

  /** Called when the capacity grew: the new chunks are free. */
  void extend(int newChunks) {
    if (chunks > 0) {
      read((chunks - 1) >>> shift);
    }
    while (used.length << shift < newChunks) {
      kinds.addExtent();
      addExtent(new short[mask + 1]);
    }
    for (int chunk = chunks; chunk < newChunks; chunk++) {
      if (isMetadata(chunk)) {
        kinds.set(chunk, ChunkKind.METADATA);
      } else {
        kinds.set(chunk, ChunkKind.FREE);
        free.add(chunk);
      }
    }
    chunks = newChunks;
  }

  /** Called when the capacity shrank: removes the chunks behind it, which are all free. */
  void cut(int newChunks) {
    for (int chunk = newChunks; chunk < chunks; chunk++) {
      read(chunk >>> shift);
      kinds.set(chunk, ChunkKind.BEYOND);
      if (free.contains(chunk)) {
        free.remove(chunk);
      }
    }
    chunks = newChunks;
  }

  private void addExtent(short[] usedThere) {
    int count = used.length;
    used = Arrays.copyOf(used, count + 1);
    used[count] = usedThere;
    listed = Arrays.copyOf(listed, count + 1);
    listed[count] = new byte[mask + 1];
    free.addExtent();
  }

  private boolean read(int extent) {
    if (used[extent].length > 0) {
      return false;
    }
    byte[] kindsThere = kinds.read(extent);
    short[] usedThere = new short[mask + 1];
    Arrays.fill(usedThere, (short) UNKNOWN);
    used[extent] = usedThere;
    int first = extent << shift;
    for (int i = 0; i <= mask; i++) {
      int kind = kindsThere[i];
      if (kind == ChunkKind.FREE) {
        free.add(first + i);
      } else if (ChunkKind.isSlots(kind) || kind == ChunkKind.PAGES) {
        if (!ChunkLayout.isFull(memory.getLong(entry(first + i)))) {
          nonFull.found(first + i, kind);
        } else if (ChunkKind.isSlots(kind)) {
          usedThere[i] = (short) SizeClasses.slots(ChunkKind.sizeClass(kind));
        }
      }
    }
    return true;
  }
}
