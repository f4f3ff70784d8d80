package io.everheap.cache.store;

import io.everheap.cache.format.SealedSlot;
import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.policy.Policy;
import io.everheap.cache.table.OffHeapInts;
import io.everheap.cache.table.Pins;
import io.everheap.memory.Region;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All slots of all segments by number. A number is that of a chunk and a place in it; chunks are
 * numbered as tables grow. Any thread may look at slots that it found in the index or pinned;
 * chunks are made and given back under the cache's lock.
 */
final class Slots implements Policy.Entries {
  private static final int FILE_SHIFT = 48;
  private static final long OFFSET = (1L << FILE_SHIFT) - 1;
  private static final int TABLE_SLOTS = 1 << 12;
  private static final int TABLE = TABLE_SLOTS * SlotLayout.SIZE;
  private static final int MAX_CHUNKS = Integer.MAX_VALUE / SegmentLayout.CHUNK_SLOTS - 1;

  private final Pins pins = new Pins();
  private final CacheFile[] files;
  private final OffHeapInts segments = new OffHeapInts(); // by chunk
  private final OffHeapInts free = new OffHeapInts(); // numbers to be used again
  private int freeCount;
  private int chunks;
  private volatile long[] chunkAt = new long[16]; // file and offset of each chunk
  private final @Nullable Sealing sealing;
  private volatile Region[] tables = {}; // in an encrypted cache, of the chunks in turn

  /**
   * Over files.
   *
   * @param sealing null if they are not encrypted
   */
  Slots(List<CacheFile> files, @Nullable Sealing sealing) {
    this.files = files.toArray(CacheFile[]::new);
    this.sealing = sealing;
  }

  Pins pins() {
    return pins;
  }

  /** Bytes of memory that the numbers take. */
  long bytes() {
    return pins.bytes()
        + segments.bytes()
        + free.bytes()
        + (long) chunkAt.length * Long.BYTES
        + (long) tables.length * TABLE;
  }

  /** Numbers a chunk of a segment's table. */
  int newChunk(int segment, int file, long offset) {
    int chunk = freeCount > 0 ? free.get(--freeCount) : chunks++;
    if (chunk >= MAX_CHUNKS) {
      chunks--;
      throw new IllegalStateException("a cache can hold about two billion entries");
    }
    if (chunk >= chunkAt.length) {
      chunkAt = Arrays.copyOf(chunkAt, chunkAt.length + chunkAt.length / 2);
    }
    pins.reserve((chunk + 1) * SegmentLayout.CHUNK_SLOTS);
    segments.reserve(chunk + 1);
    segments.set(chunk, segment);
    if (sealing != null) {
      newTable(sealing, chunk);
    }
    long[] at = chunkAt;
    at[chunk] = (long) file << FILE_SHIFT | offset;
    chunkAt = at;
    return chunk;
  }

  private void newTable(Sealing its, int chunk) {
    int first = chunk * SegmentLayout.CHUNK_SLOTS;
    Region[] present = tables;
    if (first / TABLE_SLOTS == present.length) {
      Region[] more = Arrays.copyOf(present, present.length + 1);
      more[present.length] = its.memory().borrow(TABLE);
      tables = more;
    }
    region(first).fill(offset(first), SegmentLayout.CHUNK, (byte) 0);
  }

  /** Makes an entry, or another expiry of one, known to the file, if that has slots of its own. */
  void store(int slot) {
    if (sealing != null) {
      sealing.storeSlot(file(slot), stored(slot), region(slot), offset(slot));
    }
  }

  /** Ends an entry. */
  void kill(int slot) {
    SlotLayout.kill(region(slot), offset(slot));
    if (sealing != null) {
      SealedSlot.wipe(file(slot).region(), stored(slot));
    }
  }

  /** Gives the number of a chunk back in which no slot is used. */
  void freeChunk(int chunk) {
    free.reserve(freeCount + 1);
    free.set(freeCount++, chunk);
  }

  int segment(int slot) {
    return segments.get(slot / SegmentLayout.CHUNK_SLOTS);
  }

  CacheFile file(int slot) {
    return files[(int) (chunkAt[slot / SegmentLayout.CHUNK_SLOTS] >>> FILE_SHIFT)];
  }

  /** The memory of the slot: that of its file, or of this process in an encrypted cache. */
  Region region(int slot) {
    return sealing == null ? file(slot).region() : tables[slot / TABLE_SLOTS];
  }

  /** Where the slot is in its memory. */
  long offset(int slot) {
    return sealing == null ? stored(slot) : (long) (slot % TABLE_SLOTS) * SlotLayout.SIZE;
  }

  /** Where the slot is in its file. */
  long stored(int slot) {
    long chunk = chunkAt[slot / SegmentLayout.CHUNK_SLOTS] & OFFSET;
    return chunk + (long) (slot % SegmentLayout.CHUNK_SLOTS) * SlotLayout.SIZE;
  }

  /** The granules of a block that holds a value and a key, or both encrypted. */
  static int granules(int keyLength, int valueLength) {
    return Math.max(1, SegmentLayout.granules((long) keyLength + valueLength));
  }

  @Override
  public long hash(int slot) {
    return SlotLayout.hash(region(slot), offset(slot));
  }

  @Override
  public int weight(int slot) {
    Region region = region(slot);
    long offset = offset(slot);
    return granules(SlotLayout.keyLength(region, offset), SlotLayout.valueLength(region, offset));
  }

  /** The sequence of the entry; 0 if there is none. */
  long sequence(int slot) {
    return SlotLayout.sequence(region(slot), offset(slot));
  }

  /** The first granule of the entry's block. */
  int place(int slot) {
    return SlotLayout.place(region(slot), offset(slot));
  }

  /** A free slot is given out for an entry that is to be made. */
  void reserve(int slot, int place, int keyLength, int valueLength) {
    SlotLayout.reserve(region(slot), offset(slot), place, keyLength, valueLength);
    pins.allocate(slot);
  }

  @Override
  public boolean pinned(int slot) {
    return pins.pinned(slot);
  }

  @Override
  public int frequency(int slot) {
    return pins.frequency(slot);
  }

  @Override
  public void frequency(int slot, int value) {
    pins.frequency(slot, value);
  }

  @Override
  public void hit(int slot) {
    pins.hit(slot);
  }
}
