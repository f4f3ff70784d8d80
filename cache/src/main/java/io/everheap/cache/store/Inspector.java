package io.everheap.cache.store;

import io.everheap.cache.format.FileLayout;
import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.format.State;
import io.everheap.cache.format.Superblock;
import io.everheap.cache.table.FreeRuns;
import io.everheap.error.HeapMissingException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.file.Path;

/** Reads the file of a cache that no process has open, without changing anything. */
public final class Inspector implements AutoCloseable {
  private final CacheFile file;
  private final State state;

  /** Is told what is found, segment by segment. */
  public interface Visitor {
    /** A segment was never used. */
    default void fresh() {}

    /** A segment's header is damaged, and with it all entries of the segment. */
    default void damagedSegment(int segment, long offset) {}

    /** A slot has an entry that an opening will drop: it is not durable, or no longer valid. */
    default void dropped() {}

    /** A slot is damaged, or its block is, or another entry's overlaps it. */
    default void damaged(long offset, String what) {}

    /** A slot has a sound entry. */
    default void entry(Inspector from, long slot, long block) {}
  }

  private Inspector(CacheFile file, State state) {
    this.file = file;
    this.state = state;
  }

  /**
   * Opens a directory.
   *
   * @throws HeapMissingException if there is no cache
   */
  public static Inspector open(Path directory) {
    Medium medium = FileMedium.open(directory, true, false);
    try {
      Superblock superblock = CacheFiles.read(medium);
      if (superblock == null) {
        throw new HeapMissingException("there is no cache at " + medium.location(), null);
      }
      MediumFile opened = medium.open(FileLayout.NAME);
      return new Inspector(new CacheFile(medium, opened, superblock), superblock.state());
    } catch (Throwable t) {
      medium.close();
      throw t;
    }
  }

  /** The superblock that counts. */
  public Superblock superblock() {
    return file.identity();
  }

  /** Where the file is. */
  public String location() {
    return file.location();
  }

  /** The memory of the file, for reading. */
  public Region region() {
    return file.region();
  }

  /** The number of segments. */
  public int segments() {
    return file.segmentCount();
  }

  /**
   * Visits a segment.
   *
   * @param values whether the checksums of blocks are compared, which reads all of them
   */
  public void visit(int number, boolean values, Visitor visitor) {
    Segment segment = new Segment(number, 0, file, file.start(number));
    if (segment.header() == 0) {
      visitor.fresh();
      return;
    }
    int chunks = segment.storedChunks();
    if (chunks < 0) {
      visitor.damagedSegment(number, segment.start());
      return;
    }
    var free = new FreeRuns();
    int end = SegmentLayout.tableEnd(chunks);
    free.give(end, file.segmentGranules() - end);
    for (int i = 0; i < chunks * SegmentLayout.CHUNK_SLOTS; i++) {
      visitSlot(segment, segment.slotOffset(i), free, values, visitor);
    }
  }

  private void visitSlot(Segment segment, long at, FreeRuns free, boolean values, Visitor visitor) {
    Region region = file.region();
    long sequence = SlotLayout.sequence(region, at);
    if (sequence == 0) {
      return;
    }
    if (!SlotLayout.valid(region, at, file.salt(), sequence)) {
      visitor.damaged(at, "the slot does not have its check");
      return;
    }
    if (!state.admits(sequence)) {
      visitor.dropped();
      return;
    }
    int place = SlotLayout.place(region, at);
    int key = SlotLayout.keyLength(region, at);
    int value = SlotLayout.valueLength(region, at);
    if (key < 0 || value < 0 || !free.isFree(place, Slots.granules(key, value))) {
      visitor.damaged(at, "its block is outside of the segment, or overlaps another one");
      return;
    }
    free.take(place, Slots.granules(key, value));
    long block = segment.granuleOffset(place);
    if (values
        && SlotLayout.blockCrc(region, block, (long) key + value)
            != SlotLayout.valueCrc(region, at)) {
      visitor.damaged(at, "the block at byte " + block + " does not have its checksum");
      return;
    }
    visitor.entry(this, at, block);
  }

  @Override
  public void close() {
    file.close();
  }
}
