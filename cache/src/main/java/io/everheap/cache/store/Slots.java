package io.everheap.cache.store;

import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.policy.Policy;
import io.everheap.cache.table.OffHeapInts;
import io.everheap.cache.table.Pins;
import io.everheap.memory.Region;
import java.util.Arrays;
import java.util.List;

/**
 * All slots of all segments by number. A number is that of a chunk and a place in it; chunks are
 * numbered as tables grow. Any thread may look at slots that it found in the index or pinned;
 * chunks are made and given back under the cache's lock.
 */
final class Slots implements Policy.Entries {
  private static final int FILE_SHIFT = 48;
  private static final long OFFSET = (1L << FILE_SHIFT) - 1;
  private static final int MAX_CHUNKS = Integer.MAX_VALUE / SegmentLayout.CHUNK_SLOTS - 1;

  private final Pins pins = new Pins();
  private final CacheFile[] files;
  private final OffHeapInts segments = new OffHeapInts(); // by chunk
  private final OffHeapInts free = new OffHeapInts(); // numbers to be used again
  private int freeCount;
  private int chunks;
  private volatile long[] chunkAt = new long[16]; // file and offset of each chunk

  Slots(List<CacheFile> files) {
    this.files = files.toArray(CacheFile[]::new);
  }

  Pins pins() {
    return pins;
  }

  /** Bytes of memory that the numbers take. */
  long bytes() {
    return pins.bytes() + segments.bytes() + free.bytes() + (long) chunkAt.length * Long.BYTES;
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
    long[] at = chunkAt;
    at[chunk] = (long) file << FILE_SHIFT | offset;
    chunkAt = at;
    return chunk;
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

  Region region(int slot) {
    return file(slot).region();
  }

  /** Where the slot is in its file. */
  long offset(int slot) {
    long chunk = chunkAt[slot / SegmentLayout.CHUNK_SLOTS] & OFFSET;
    return chunk + (long) (slot % SegmentLayout.CHUNK_SLOTS) * SlotLayout.SIZE;
  }

  /** The granules of a block that holds a value and a key. */
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
