package io.everheap.engine.home;

import io.everheap.error.CorruptException;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The file of {@link WindowSeals}: two slots that are written in turn, and the seals.
 *
 * <pre>
 *   0       8                16         24      32    40    48
 *   +-------+----------------+----------+-------+------+-----+
 *   | magic | checkpoint LSN | sequence | pages | high | low |    and the same at 4096
 *   +-------+----------------+----------+-------+------+-----+
 *   8192: the seal of each window, a word
 * </pre>
 *
 * Not thread-safe.
 */
final class RootFile implements AutoCloseable {
  /** Name of the file. */
  static final String NAME = "heap.root";

  /** "EVHROOT2", little-endian. */
  private static final long MAGIC = 0x3254_4F4F_5248_5645L;

  private static final int SLOT = 4096;
  private static final int SLOT_BYTES = 48;
  private static final int SEALS = 2 * SLOT;
  private static final int BLOCK = MediumFile.BLOCK;
  private static final int WORDS = BLOCK / Long.BYTES;
  private static final int MAX_RESERVED = 1 << 18; // bytes at a time

  private final MediumFile file;

  /**
   * The state as of a checkpoint.
   *
   * @param lsn of the checkpoint
   * @param sequence counts the roots of the heap
   * @param pages of the image
   * @param high half of the {@link KeyedSum} of the seals
   * @param low other half
   */
  record Root(long lsn, long sequence, long pages, long high, long low) {
    /** The root of a heap that has none yet. */
    static final Root NONE = new Root(0, 0, 0, 0, 0);

    boolean has(KeyedSum sum) {
      return sum.high() == high && sum.low() == low;
    }
  }

  RootFile(MediumFile file) {
    this.file = file;
  }

  /**
   * The root of a checkpoint: the newest one, or the one with a sequence. Null if there is none.
   *
   * @param sequence or a negative number for the newest
   * @throws CorruptException if there is none but something that is not authentic
   */
  @Nullable Root find(long lsn, long sequence) {
    Root found = null;
    CorruptException unreadable = null;
    for (int slot = 0; slot < 2; slot++) {
      try {
        Root r = read(slot);
        if (r != null && r.lsn == lsn && (sequence < 0 || r.sequence == sequence)) {
          found = found == null || r.sequence > found.sequence ? r : found;
        }
      } catch (CorruptException e) {
        unreadable = e; // a write that failed, if the other slot has the root
      }
    }
    if (found == null && unreadable != null) {
      throw unreadable;
    }
    return found;
  }

  private @Nullable Root read(int slot) {
    ByteBuffer b = ByteBuffer.allocate(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int read = file.read(b, (long) slot * SLOT);
    boolean valid = read == SLOT_BYTES && b.getLong(0) == MAGIC && (b.getLong(16) & 1) == slot;
    return valid
        ? new Root(b.getLong(8), b.getLong(16), b.getLong(24), b.getLong(32), b.getLong(40))
        : null;
  }

  /** Reads the seals of the first windows; 0 for those that the file does not have. */
  long[] seals(int windows) {
    ByteBuffer b = ByteBuffer.allocate(windows * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    file.read(b, SEALS);
    long[] seals = new long[windows];
    b.clear().asLongBuffer().get(seals);
    return seals;
  }

  /**
   * Writes a root and its seals; the caller syncs the file.
   *
   * @param before the seals of the root before, which stay behind the end: its superblock counts
   *     until the next one is durable
   * @param changed the windows whose seals differ from those in the file
   */
  MediumFile write(Root root, long[] seals, long[] before, BitSet changed) {
    ByteBuffer b = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    int window = changed.nextSetBit(0);
    while (window >= 0) {
      int first = window / WORDS * WORDS;
      for (int i = 0; i < WORDS; i++) {
        long[] from = first + i < seals.length ? seals : before;
        b.putLong(i * Long.BYTES, first + i < from.length ? from[first + i] : 0);
      }
      file.write(b.clear(), SEALS + (long) first * Long.BYTES);
      window = changed.nextSetBit(first + WORDS);
    }
    // The whole slot, so that what a failed write left of an earlier one is not read.
    ByteBuffer slot = ByteBuffer.allocate(SLOT).order(ByteOrder.LITTLE_ENDIAN);
    slot.putLong(0, MAGIC).putLong(8, root.lsn).putLong(16, root.sequence);
    slot.putLong(24, root.pages).putLong(32, root.high).putLong(40, root.low);
    file.write(slot, (root.sequence & 1) * SLOT);
    return file;
  }

  /** Takes the space that the seals of so many windows need, so that a checkpoint needs none. */
  void reserve(int windows) {
    reserve(file, SEALS + (long) windows * Long.BYTES);
  }

  /** Writes zeros behind the end of a file up to a size. */
  static void reserve(MediumFile file, long size) {
    long end = (size + BLOCK - 1) & -BLOCK;
    long from = (file.size() + BLOCK - 1) & -BLOCK;
    ByteBuffer zeros = ByteBuffer.allocate(Math.clamp(end - from, 0, MAX_RESERVED));
    for (long at = from; at < end; at += zeros.limit()) {
      file.writeZeros(zeros.clear().limit((int) Math.min(zeros.capacity(), end - at)), at);
    }
  }

  /** Makes durable what another process may have left in the page cache. */
  void sync() {
    file.sync();
  }

  @Override
  public void close() {
    file.close();
  }
}
