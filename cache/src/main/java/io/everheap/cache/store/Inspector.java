package io.everheap.cache.store;

import io.everheap.cache.format.FileLayout;
import io.everheap.cache.format.SegmentLayout;
import io.everheap.cache.format.SlotLayout;
import io.everheap.cache.format.State;
import io.everheap.cache.format.Superblock;
import io.everheap.cache.table.FreeRuns;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.MissingException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import io.everheap.memory.crypt.EntrySealer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/** Reads the file of a cache that no process has open, without changing anything. */
public final class Inspector implements AutoCloseable {
  private final CacheFile file;
  private final State state;
  private final @Nullable Sealing sealing;

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

    /** A segment is not as it was when the cache was closed, so all its entries will be dropped. */
    default void changedSegment(int segment, long offset) {}

    /** A slot has a sound entry. */
    default void entry(Found found) {}
  }

  /**
   * A sound entry.
   *
   * @param file that has it
   * @param region with its slot
   * @param slot where that is
   * @param block where the block is in the file
   * @param opened the block of an encrypted cache, if it was to be read; else null
   */
  public record Found(
      CacheFile file, Region region, long slot, long block, @Nullable Opened opened) {
    /** Bytes of value and key. */
    public long bytes() {
      long stored =
          (long) SlotLayout.keyLength(region, slot) + SlotLayout.valueLength(region, slot);
      return !file.isEncrypted() ? stored : stored - Sealing.OVERHEAD;
    }

    /** Bytes of the value; of an encrypted cache only if it was to be read. */
    public long length() {
      return opened == null ? SlotLayout.valueLength(region, slot) : opened.value().byteSize();
    }

    /** The key; of an encrypted cache only if it was to be read. */
    public byte[] key() {
      if (opened != null) {
        return opened.key();
      }
      byte[] key = new byte[SlotLayout.keyLength(region, slot)];
      file.region().copyTo(block + length(), key, 0, key.length);
      return key;
    }

    /** When it expires, in milliseconds since 1970; {@link SlotLayout#NEVER}. */
    public long expiry() {
      return SlotLayout.expiry(region, slot);
    }

    /** When it was written, in milliseconds since 1970. */
    public long written() {
      return SlotLayout.written(region, slot);
    }
  }

  private Inspector(CacheFile file, State state, @Nullable Sealing sealing) {
    this.file = file;
    this.sealing = sealing;
    this.state = state;
  }

  /**
   * Opens a directory.
   *
   * @param keys gives the key of an encrypted cache; null if it is none
   * @throws MissingException if there is no cache
   * @throws io.everheap.error.EncryptionException if it has another key, none, or one that is not
   *     given
   */
  public static Inspector open(Path directory, @Nullable KeyProvider keys) {
    Medium medium = FileMedium.open(directory, true, false);
    Sealing sealing = null;
    try {
      if (!medium.exists(FileLayout.NAME)) {
        throw MissingException.heap("there is no cache at " + medium.location(), null);
      }
      sealing = Sealing.open(List.of(medium), keys);
      EntrySealer sealer = sealing == null ? null : sealing.sealer();
      Superblock superblock = Objects.requireNonNull(CacheFiles.read(medium, sealer));
      MediumFile opened = medium.open(FileLayout.NAME);
      return new Inspector(
          new CacheFile(medium, opened, superblock, sealer), superblock.state(), sealing);
    } catch (Throwable t) {
      if (sealing != null) {
        sealing.close();
      }
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

  /** The number of segments. */
  public int segments() {
    return file.segmentCount();
  }

  /**
   * Visits a segment.
   *
   * @param values whether the checksums of blocks are compared, or they are decrypted, which reads
   *     all of them
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
    Sealing its = sealing;
    if (its == null) {
      visit(segment, chunks, file.region(), segment.slotOffset(0), values, visitor);
      return;
    }
    int size = chunks * SegmentLayout.CHUNK;
    int count = chunks * SegmentLayout.CHUNK_SLOTS;
    Region table = its.memory().borrow(size);
    try {
      table.fill(0, size, (byte) 0);
      its.load(
          file,
          segment.slotOffset(0),
          count,
          table,
          0,
          at -> visitor.damaged(at, "the slot is not authentic"));
      long digested = Sealing.digested(state);
      Mac mac = its.digest(file, segment.start(), digested, chunks);
      Sealing.digest(mac, 0, count, table, 0);
      if (digested >= 0 && !Sealing.hasDigest(file, segment.start(), mac.doFinal())) {
        visitor.changedSegment(number, segment.start());
      } else {
        visit(segment, chunks, table, 0, values, visitor);
      }
    } finally {
      its.memory().giveBack(table);
    }
  }

  /** Visits the slots of a table, which is at some place of a region. */
  private void visit(
      Segment segment, int chunks, Region region, long table, boolean values, Visitor visitor) {
    var free = new FreeRuns();
    int end = SegmentLayout.tableEnd(chunks);
    free.give(end, file.segmentGranules() - end);
    for (int i = 0; i < chunks * SegmentLayout.CHUNK_SLOTS; i++) {
      long at = table + (long) i * SlotLayout.SIZE;
      visitSlot(segment, segment.slotOffset(i), region, at, free, values, visitor);
    }
  }

  private void visitSlot(
      Segment segment,
      long stored,
      Region region,
      long at,
      FreeRuns free,
      boolean values,
      Visitor visitor) {
    long sequence = SlotLayout.sequence(region, at);
    if (sequence == 0) {
      return;
    }
    if (!SlotLayout.valid(region, at, file.salt(), sequence)) {
      visitor.damaged(stored, "the slot does not have its check");
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
      visitor.damaged(stored, "its block is outside of the segment, or overlaps another one");
      return;
    }
    free.take(place, Slots.granules(key, value));
    long block = segment.granuleOffset(place);
    if (sealing != null && values) {
      visitSealed(sealing, stored, region, at, block, visitor);
      return;
    }
    if (values
        && SlotLayout.blockCrc(region, block, (long) key + value)
            != SlotLayout.valueCrc(region, at)) {
      visitor.damaged(stored, "the block at byte " + block + " does not have its checksum");
      return;
    }
    visitor.entry(new Found(file, region, at, block, null));
  }

  private void visitSealed(
      Sealing its, long stored, Region region, long at, long block, Visitor visitor) {
    int length = SlotLayout.valueLength(region, at);
    try (Opened opened = its.open(file, block, length, SlotLayout.seal(region, at), 0)) {
      if (opened == null) {
        visitor.damaged(stored, "the block at byte " + block + " is not authentic");
      } else {
        visitor.entry(new Found(file, region, at, block, opened));
      }
    }
  }

  @Override
  public void close() {
    file.close();
    if (sealing != null) {
      sealing.close();
    }
  }
}
