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
  private long last; // LSN of the checkpoint that was written or read last

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
   * @param closed whether the heap was closed: if not, entries may have changed since the
   *     checkpoint, and what is there counts
   * @throws CorruptHeapException if it is missing, or has no root of the checkpoint at {@code lsn}
   */
  static PageRoot open(Medium medium, long lsn, ChecksumTable table, boolean closed) {
    if (!medium.exists(NAME)) {
      throw new CorruptHeapException(
          medium.location() + "/" + NAME + " is missing. Restore the heap from a copy.");
    }
    PageRoot root = new PageRoot(medium.open(NAME), medium.derivedKey(NAME));
    boolean opened = false;
    try {
      root.read(medium, lsn, table, closed);
      opened = true;
      return root;
    } finally {
      if (!opened) {
        root.close();
      }
    }
  }

  /**
   * Reads the root. Both slots may have one of this checkpoint, before and after entries were cut
   * off: a crash may have come between, and then the entries tell.
   */
  private void read(Medium medium, long lsn, ChecksumTable table, boolean closed) {
    boolean found = false;
    for (int slot = 0; slot < 2; slot++) {
      ByteBuffer b = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
      int read = file.read(b, (long) slot * SLOT);
      if (read == SIZE && b.getLong(0) == MAGIC && b.getLong(8) == lsn) {
        boolean other = found && (b.getLong(16) != high || b.getLong(24) != low);
        if (!found || (other && !isOf(medium, table))) {
          become(b.getLong(16), b.getLong(24));
          next = 1 - slot;
        }
        found = true;
      }
    }
    if (!found) {
      throw new CorruptHeapException(
          medium.location()
              + "/"
              + NAME
              + " has no root of the checkpoint at LSN "
              + lsn
              + ": the files of this heap are of different moments. Restore it from a copy.");
    }
    last = lsn;
    if (!closed) {
      PageRoot present = of(medium, table);
      become(present.high, present.low);
    }
  }

  private synchronized void become(long newHigh, long newLow) {
    high = newHigh;
    low = newLow;
  }

  /** The root of the entries in a table, with the same key. */
  private PageRoot of(Medium medium, ChecksumTable table) {
    PageRoot sum = new PageRoot(file, medium.derivedKey(NAME));
    table.begin();
    for (long page = ChecksumLayout.FIRST_PAGE; page < table.size(); page++) {
      sum.replace(page, 0, table.entry(page));
    }
    return sum;
  }

  /** Whether this is the root of the entries in a table. */
  boolean isOf(Medium medium, ChecksumTable table) {
    PageRoot found = of(medium, table);
    synchronized (this) {
      return found.high == high && found.low == low;
    }
  }

  /** Writes the root, as of the checkpoint at {@code lsn}; the caller syncs the file. */
  synchronized MediumFile write(long lsn) {
    ByteBuffer b = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, MAGIC).putLong(8, lsn).putLong(16, high).putLong(24, low);
    file.write(b, (long) next * SLOT);
    next = 1 - next;
    last = lsn;
    return file;
  }

  /** Writes the root of the same checkpoint again, durably, because entries will be cut off. */
  void rewrite() {
    write(last).sync();
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
