package io.everheap.engine.home;

import io.everheap.error.CorruptException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A digest of all page checksums of an encrypted heap of version 1, as of its last checkpoint: the
 * {@link KeyedSum} of the entries and their pages. It tells an old home image with its old
 * checksums, which are authentic one by one, from the present one. Later heaps have {@link
 * WindowSeals}.
 *
 * <p>Its file has two slots that are written in turn before the superblock of a checkpoint, each in
 * a sector of its own.
 *
 * <pre>
 *   0       8                16     24    32
 *   +-------+----------------+------+-----+
 *   | magic | checkpoint LSN | high | low |      and the same at 4096
 *   +-------+----------------+------+-----+
 * </pre>
 *
 * Thread-safe.
 */
final class PageRoot implements AutoCloseable {
  /** Name of the file. */
  static final String NAME = "heap.root";

  /** "EVHPROOT", little-endian. */
  private static final long MAGIC = 0x544F_4F52_5048_5645L;

  private static final int SLOT = 4096;
  private static final int SIZE = 32;

  private final MediumFile file;
  private final KeyedSum sum;
  private int next; // slot to write
  private boolean stale; // entries were accounted for that may not be in the file

  /**
   * Creates a root of no entries.
   *
   * @param key derived from the data key for this purpose
   */
  private PageRoot(MediumFile file, byte[] key) {
    this.file = file;
    this.sum = new KeyedSum(key);
  }

  /** Makes the file, for a heap that has no entries yet. */
  static PageRoot create(Medium medium) {
    medium.delete(NAME);
    return new PageRoot(medium.create(NAME), medium.derivedKey(NAME));
  }

  /**
   * Opens the file.
   *
   * @param lsn of the last checkpoint
   * @param pages of the image at that checkpoint
   * @param closed whether the heap was closed: if not, entries may have changed since, and what is
   *     there counts
   * @throws CorruptException if it is missing, or a closed heap has no root of its checkpoint
   */
  static PageRoot open(Medium medium, long lsn, long pages, ChecksumTable table, boolean closed) {
    if (!medium.exists(NAME)) {
      throw CorruptException.heap(
          medium.location() + "/" + NAME + " is missing. Restore the heap from a copy.");
    }
    PageRoot root = new PageRoot(medium.open(NAME), medium.derivedKey(NAME));
    boolean opened = false;
    try {
      if (closed) {
        root.read(medium, lsn);
        root.sum.add(of(medium, table, pages));
      } else {
        root.sum.set(of(medium, table, ChecksumLayout.FIRST_PAGE));
      }
      opened = true;
      return root;
    } finally {
      if (!opened) {
        root.close();
      }
    }
  }

  private void read(Medium medium, long lsn) {
    CorruptException refused =
        CorruptException.heap(
            medium.location()
                + "/"
                + NAME
                + " has no root of the checkpoint at LSN "
                + lsn
                + ": the files of this heap are of different moments. Restore it from a copy.");
    for (int slot = 0; slot < 2; slot++) {
      ByteBuffer b = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
      try {
        int read = file.read(b, (long) slot * SLOT);
        if (read == SIZE && b.getLong(0) == MAGIC && b.getLong(8) == lsn) {
          sum.set(b.getLong(16), b.getLong(24));
          next = 1 - slot;
          return;
        }
      } catch (CorruptException e) {
        refused.addSuppressed(e); // a write that failed, if the other slot has the root
      }
    }
    throw refused;
  }

  /** The sum of the entries in a table, from a page on, with the same key. */
  private static KeyedSum of(Medium medium, ChecksumTable table, long from) {
    KeyedSum found = new KeyedSum(medium.derivedKey(NAME));
    ChecksumTable reader = new ChecksumTable(table.file()); // another thread may use the window
    long end = reader.size();
    for (long page = from; page < end; page++) {
      found.replace(page, 0, reader.entry(page));
    }
    return found;
  }

  /** Whether this is the root of the entries in a table. */
  synchronized boolean isOf(Medium medium, ChecksumTable table) {
    return stale || of(medium, table, ChecksumLayout.FIRST_PAGE).isSame(sum);
  }

  /** Some entries were accounted for that may not be in the file: it has to be read again. */
  synchronized void spoil() {
    stale = true;
  }

  /**
   * Writes the root, as of a checkpoint; the caller syncs the file. Entries behind the end of the
   * image are left out: they are from before it shrank, and about to be cut off.
   *
   * @param lsn of the checkpoint
   * @param pages of the image
   */
  synchronized MediumFile write(Medium medium, ChecksumTable table, long lsn, long pages) {
    if (stale) {
      sum.set(of(medium, table, ChecksumLayout.FIRST_PAGE));
      stale = false;
    }
    KeyedSum inUse = of(medium, table, pages).negated();
    inUse.add(sum);
    // The whole slot, so that what a failed write left of an earlier one is not read.
    ByteBuffer b = ByteBuffer.allocate(SLOT).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putLong(8, lsn);
    b.putLong(16, inUse.high()).putLong(24, inUse.low());
    file.write(b, (long) next * SLOT);
    next = 1 - next;
    return file;
  }

  /** Accounts for an entry that replaces another one; 0 is none. The first ones are no entries. */
  synchronized void replace(long page, long before, long after) {
    if (page >= ChecksumLayout.FIRST_PAGE) {
      sum.replace(page, before, after);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
