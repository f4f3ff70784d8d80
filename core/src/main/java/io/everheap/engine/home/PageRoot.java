package io.everheap.engine.home;

import io.everheap.error.CorruptHeapException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * A digest of all page checksums of an encrypted heap, as of its last checkpoint: the sum, modulo
 * 2^128, of AES-256 of each entry and its page under a key that is derived from the data key. It
 * changes with each entry in constant time, and tells an old home image with its old checksums,
 * which are authentic one by one, from the present one.
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
  private final Cipher cipher;
  private final byte[] block = new byte[16];
  private final ByteBuffer words = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
  private long high;
  private long low;
  private int next; // slot to write
  private boolean stale; // entries were accounted for that may not be in the file

  /**
   * Creates a root of no entries.
   *
   * @param key derived from the data key for this purpose
   */
  private PageRoot(MediumFile file, byte[] key) {
    this.file = file;
    try {
      this.cipher = Cipher.getInstance("AES/ECB/NoPadding");
      this.cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no AES", e);
    }
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
   * @throws CorruptHeapException if it is missing, or a closed heap has no root of its checkpoint
   */
  static PageRoot open(Medium medium, long lsn, long pages, ChecksumTable table, boolean closed) {
    if (!medium.exists(NAME)) {
      throw new CorruptHeapException(
          medium.location() + "/" + NAME + " is missing. Restore the heap from a copy.");
    }
    PageRoot root = new PageRoot(medium.open(NAME), medium.derivedKey(NAME));
    boolean opened = false;
    try {
      if (closed) {
        root.read(medium, lsn);
        root.plus(root.of(medium, table, pages));
      } else {
        root.become(root.of(medium, table, ChecksumLayout.FIRST_PAGE));
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
    CorruptHeapException refused =
        new CorruptHeapException(
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
          high = b.getLong(16);
          low = b.getLong(24);
          next = 1 - slot;
          return;
        }
      } catch (CorruptHeapException e) {
        refused.addSuppressed(e); // a write that failed, if the other slot has the root
      }
    }
    throw refused;
  }

  /** The root of the entries in a table, from a page on, with the same key. */
  private PageRoot of(Medium medium, ChecksumTable table, long from) {
    PageRoot sum = new PageRoot(file, medium.derivedKey(NAME));
    ChecksumTable reader = new ChecksumTable(table.file()); // another thread may use the window
    long end = reader.size();
    for (long page = from; page < end; page++) {
      sum.replace(page, 0, reader.entry(page));
    }
    return sum;
  }

  /** Whether this is the root of the entries in a table. */
  synchronized boolean isOf(Medium medium, ChecksumTable table) {
    PageRoot found = of(medium, table, ChecksumLayout.FIRST_PAGE);
    return stale || (found.high == high && found.low == low);
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
      become(of(medium, table, ChecksumLayout.FIRST_PAGE));
      stale = false;
    }
    PageRoot rest = of(medium, table, pages);
    long borrow = Long.compareUnsigned(low, rest.low) < 0 ? 1 : 0;
    // The whole slot, so that what a failed write left of an earlier one is not read.
    ByteBuffer b = ByteBuffer.allocate(SLOT).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putLong(8, lsn);
    b.putLong(16, high - rest.high - borrow).putLong(24, low - rest.low);
    file.write(b, (long) next * SLOT);
    next = 1 - next;
    return file;
  }

  private synchronized void become(PageRoot other) {
    high = other.high;
    low = other.low;
  }

  private synchronized void plus(PageRoot other) {
    low += other.low;
    high += other.high + (Long.compareUnsigned(low, other.low) < 0 ? 1 : 0);
  }

  /** Accounts for an entry that replaces another one; 0 is none. The first ones are no entries. */
  synchronized void replace(long page, long before, long after) {
    if (before != after && page >= ChecksumLayout.FIRST_PAGE) {
      if (before != 0) {
        digest(page, before);
        long borrow = Long.compareUnsigned(low, words.getLong(0)) < 0 ? 1 : 0;
        low -= words.getLong(0);
        high -= words.getLong(8) + borrow;
      }
      if (after != 0) {
        digest(page, after);
        low += words.getLong(0);
        long carry = Long.compareUnsigned(low, words.getLong(0)) < 0 ? 1 : 0;
        high += words.getLong(8) + carry;
      }
    }
  }

  private void digest(long page, long entry) {
    words.putLong(0, page).putLong(8, entry);
    try {
      cipher.update(block, 0, block.length, block, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES refuses to encrypt", e);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}
