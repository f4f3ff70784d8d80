package io.everheap.cache.store;

import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.table.FreeRuns;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import javax.crypto.Mac;

/** One segment: its table of slots and its free granules. Guarded by the cache's lock. */
final class Segment {
  /** What is known of a segment. */
  enum Condition {
    /** It was not looked at since the cache was opened. */
    UNKNOWN,
    /** It was never used. */
    FRESH,
    /** It gives out space. */
    READY
  }

  private final int number;
  private final int file;
  private final CacheFile memory;
  private final long start;
  private final FreeRuns free = new FreeRuns();
  private int[] chunks = {};
  private long[] used = {}; // a bit for each slot of a chunk
  private int chunkCount;
  private int usedSlots;

  /** All chunks before this one are full. */
  private int firstFree;

  private int blocker = -1;
  private Condition condition = Condition.UNKNOWN;
  private boolean damaged;

  Segment(int number, int file, CacheFile memory, long start) {
    this.number = number;
    this.file = file;
    this.memory = memory;
    this.start = start;
  }

  int number() {
    return number;
  }

  CacheFile memory() {
    return memory;
  }

  /** Where it starts in its file. */
  long start() {
    return start;
  }

  FreeRuns free() {
    return free;
  }

  Condition condition() {
    return condition;
  }

  void condition(Condition next) {
    condition = next;
  }

  int usedSlots() {
    return usedSlots;
  }

  int tableEnd() {
    return SegmentLayout.tableEnd(chunkCount);
  }

  /** Makes the first look at the header fast. Needs no lock. */
  void touchHeader() {
    memory.touch(start);
  }

  /** The header's word on the medium. */
  long header() {
    return memory.region().getLong(start);
  }

  /** The number of chunks that the header tells; -1 if it is damaged. */
  int storedChunks() {
    return SegmentLayout.chunks(header(), salt(), memory.identity().segmentSize());
  }

  private long salt() {
    return memory.salt() + local();
  }

  /** Where a slot of the table is in the file. */
  long slotOffset(int index) {
    return start
        + SegmentLayout.HEADER_GRANULES * SegmentLayout.GRANULE
        + (long) index * SlotLayout.SIZE;
  }

  /** Where a granule is in the file. */
  long granuleOffset(int granule) {
    return start + (long) granule * SegmentLayout.GRANULE;
  }

  /** The header is damaged: the segment is filled with zeros before it is used again. */
  void damaged() {
    damaged = true;
  }

  /**
   * Fills a segment that was never used, or that is damaged, with zeros. Needs no lock. The zeros
   * of a damaged one are durable before a sound header is stored: a power loss would else keep that
   * header and bring back what the table held.
   */
  void fill() {
    memory.fill(local());
    if (damaged) {
      memory.syncWrites();
    }
  }

  /** Makes an empty segment of one that was filled. */
  void format(Slots slots) {
    attach(slots, 1);
    storeHeader();
    free.give(tableEnd(), memory.segmentGranules() - tableEnd());
  }

  /** Its number in its file. */
  private int local() {
    return (int) ((start - memory.start(0)) / memory.identity().segmentSize());
  }

  /** Takes over a table of so many chunks that the medium has. */
  void attach(Slots slots, int count) {
    for (int i = 0; i < count; i++) {
      addChunk(slots);
    }
  }

  private void addChunk(Slots slots) {
    if (chunkCount == chunks.length) {
      int more = Math.max(4, chunkCount + chunkCount / 2);
      chunks = Arrays.copyOf(chunks, more);
      used = Arrays.copyOf(used, more);
    }
    chunks[chunkCount] =
        slots.newChunk(number, file, slotOffset(chunkCount * SegmentLayout.CHUNK_SLOTS));
    used[chunkCount] = 0;
    chunkCount++;
  }

  private void storeHeader() {
    memory.region().putLongRelease(start, SegmentLayout.header(chunkCount, salt()));
    memory.forceDirectly(start, Long.BYTES);
  }

  /**
   * Makes its slots in memory of those of the file of an encrypted cache.
   *
   * @param damaged is told where in the file each is that is not authentic
   */
  void load(Slots slots, Sealing sealing, LongConsumer damaged) {
    for (int i = 0; i < chunkCount; i++) {
      int first = i * SegmentLayout.CHUNK_SLOTS;
      sealing.load(
          memory,
          slotOffset(first),
          SegmentLayout.CHUNK_SLOTS,
          slots.region(slot(first)),
          slots.offset(slot(first)),
          damaged);
    }
  }

  /** The digest of all its slots, for an encrypted cache at the end of an epoch. */
  private byte[] digest(Slots slots, Sealing sealing, long epoch) {
    Mac mac = sealing.digest(memory, start, epoch, chunkCount);
    for (int i = 0; i < chunkCount; i++) {
      int first = i * SegmentLayout.CHUNK_SLOTS;
      Sealing.digest(
          mac,
          first,
          SegmentLayout.CHUNK_SLOTS,
          slots.region(slot(first)),
          slots.offset(slot(first)));
    }
    return mac.doFinal();
  }

  /** Stores that digest. */
  void storeDigest(Slots slots, Sealing sealing, long epoch) {
    byte[] digest = digest(slots, sealing, epoch);
    memory.region().copyFrom(start + SegmentLayout.DIGEST, digest, 0, digest.length);
  }

  /** Whether it has that digest. */
  boolean hasDigest(Slots slots, Sealing sealing, long epoch) {
    return Sealing.hasDigest(memory, start, digest(slots, sealing, epoch));
  }

  /** The number of the slot at an index of the table. */
  int slot(int index) {
    return chunks[index / SegmentLayout.CHUNK_SLOTS] * SegmentLayout.CHUNK_SLOTS
        + index % SegmentLayout.CHUNK_SLOTS;
  }

  /** The slots of the table. */
  int slotCount() {
    return chunkCount * SegmentLayout.CHUNK_SLOTS;
  }

  /** Whether all slots of the table are used. */
  boolean isTableFull() {
    return usedSlots == chunkCount * SegmentLayout.CHUNK_SLOTS;
  }

  /** A slot of the table is used. */
  void use(int index) {
    used[index / SegmentLayout.CHUNK_SLOTS] |= 1L << index;
    usedSlots++;
  }

  /** Gives out the lowest free slot; -1 if the table is full. */
  int takeSlot() {
    while (firstFree < chunkCount && used[firstFree] == -1L) {
      firstFree++;
    }
    if (firstFree == chunkCount) {
      return -1;
    }
    int index =
        firstFree * SegmentLayout.CHUNK_SLOTS + Long.numberOfTrailingZeros(~used[firstFree]);
    use(index);
    return slot(index);
  }

  /** Whether no slot is free, and the table cannot grow unless entries are evicted. */
  boolean lacksSlots() {
    return isTableFull() && !canGrow();
  }

  /** Whether the segment has room for a larger table, be it free or not. */
  boolean isLargerThanTable() {
    return tableEnd() + SegmentLayout.CHUNK_GRANULES <= memory.segmentGranules();
  }

  /** A slot whose block keeps the table from growing and could not be evicted; -1 for none. */
  int blocker() {
    return blocker;
  }

  void blocker(int slot) {
    blocker = slot;
  }

  /** Whether the granules behind the table are free, so that it can grow. */
  boolean canGrow() {
    return isLargerThanTable() && free.isFree(tableEnd(), SegmentLayout.CHUNK_GRANULES);
  }

  /**
   * Adds a chunk to the table. Its zeros are stored, and on byte-addressable storage durable,
   * before the header counts them.
   */
  void grow(Slots slots) {
    free.take(tableEnd(), SegmentLayout.CHUNK_GRANULES);
    long chunk = slotOffset(chunkCount * SegmentLayout.CHUNK_SLOTS);
    memory.region().fill(chunk, SegmentLayout.CHUNK, (byte) 0);
    memory.forceDirectly(chunk, SegmentLayout.CHUNK);
    addChunk(slots);
    storeHeader();
  }

  /**
   * Takes a slot back, and chunks at the table's end that are not needed. While the segment is
   * read, chunks without a used slot may hold entries that were not added yet.
   */
  void giveSlot(Slots slots, int slot) {
    int chunk = (int) ((slots.stored(slot) - slotOffset(0)) / SegmentLayout.CHUNK);
    used[chunk] &= ~(1L << slot);
    usedSlots--;
    firstFree = Math.min(firstFree, chunk);
    while (condition == Condition.READY
        && chunkCount > 1
        && used[chunkCount - 1] == 0
        && (chunkCount - 1) * SegmentLayout.CHUNK_SLOTS - usedSlots >= SegmentLayout.CHUNK_SLOTS) {
      chunkCount--;
      storeHeader();
      slots.freeChunk(chunks[chunkCount]);
      free.give(tableEnd(), SegmentLayout.CHUNK_GRANULES);
    }
  }

  /** Visits the slots that are used. */
  void forEachUsed(IntConsumer visitor) {
    for (int i = 0; i < chunkCount; i++) {
      for (long bits = used[i]; bits != 0; bits &= bits - 1) {
        visitor.accept(chunks[i] * SegmentLayout.CHUNK_SLOTS + Long.numberOfTrailingZeros(bits));
      }
    }
  }
}
