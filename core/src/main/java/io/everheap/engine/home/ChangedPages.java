package io.everheap.engine.home;

import io.everheap.error.BackupException;
import io.everheap.error.DiskFullException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The home pages that were written since a backup, so that an incremental one need not read the
 * others. Kept as one bit for each page in a file beside the home image; a heap that was never
 * backed up has no such file.
 *
 * <pre>
 *    0  magic "EVERCHNG"             u64
 *    8  version                      u32 | zero u32
 *   16  heap uuid                    2 x u64
 *   32  uuid of the backup           2 x u64
 *   48  LSN of the last checkpoint   u64   whose pages are all in the set
 *   56  number of blocks             u32
 *   60  CRC32C of bytes 0 to 59      u32
 * 4096  blocks of 4096 bytes: bits of 32,704 pages | number of the block u32 | CRC32C u32
 * </pre>
 *
 * <p>The set is durable before the superblock of the checkpoint that wrote its pages. A page that
 * was written after the last checkpoint is written again by the recovery, and so becomes a member
 * once more. The pages of a block that does not validate all count as changed. If the LSN is lower
 * than that of the superblock, something that does not know this file wrote the heap, and the set
 * is dropped.
 *
 * <p>While a backup is made, a second set begins under another name; it replaces the first one when
 * the backup is complete. Thread-safe.
 */
public final class ChangedPages {
  /** Name of the file. */
  public static final String NAME = "changed";

  /** Name of the file of a backup that is not complete. */
  public static final String UNFINISHED = "changed.new";

  static final long MAGIC = 0x474E_4843_5245_5645L; // "EVERCHNG"
  static final int VERSION = 1;

  private static final int BLOCK = 4096;
  private static final int BLOCKS = 56;
  private static final int CRC = 60;
  private static final int WORDS = 511; // of bits in a block
  private static final long MAX_BLOCKS =
      2 * (HomeLayout.MAX_CAPACITY / HomeLayout.PAGE_SIZE / 64 / WORDS + 1);

  private final Medium medium;
  private final UUID heap;
  private @Nullable Series last; // since the last backup
  private @Nullable Series next; // since the one that is being made
  private @Nullable UUID running; // the one that is being made, also if its set ended

  /** The pages that were written since one backup. */
  private static final class Series {
    final UUID backup;
    final MediumFile file;
    final BitSet unwritten = new BitSet(); // blocks that differ from the file
    long[] words;
    long lsn; // of the last checkpoint

    Series(UUID backup, MediumFile file, int blocks) {
      this.backup = backup;
      this.file = file;
      this.words = new long[blocks * WORDS];
    }

    void add(long page) {
      int word = (int) (page >>> 6);
      if (word >= words.length) {
        int before = words.length / WORDS;
        int blocks = Math.max(word / WORDS + 1, 2 * before);
        words = Arrays.copyOf(words, blocks * WORDS);
        unwritten.set(before, blocks);
      }
      if ((words[word] & (1L << page)) == 0) {
        words[word] |= 1L << page;
        unwritten.set(word / WORDS);
      }
    }
  }

  private ChangedPages(Medium medium, UUID heap) {
    this.medium = medium;
    this.heap = heap;
  }

  /**
   * Reads the set of a heap, if it has one.
   *
   * @param heap its uuid
   * @param checkpointLsn of its superblock
   */
  public static ChangedPages open(Medium medium, UUID heap, long checkpointLsn) {
    ChangedPages changes = new ChangedPages(medium, heap);
    if (!medium.readOnly()) {
      if (medium.exists(UNFINISHED)) {
        medium.delete(UNFINISHED);
      }
      if (medium.exists(NAME)) {
        changes.last = changes.read(checkpointLsn);
      }
    }
    return changes;
  }

  /** An empty set that stays empty, for a heap that is only read. */
  public static ChangedPages none(Medium medium) {
    return new ChangedPages(medium, new UUID(0, 0));
  }

  private @Nullable Series read(long checkpointLsn) {
    MediumFile file = medium.open(NAME);
    ByteBuffer b = block();
    file.read(b, 0);
    boolean valid =
        b.getLong(0) == MAGIC
            && b.getInt(CRC) == crc(b, CRC)
            && b.getInt(8) == VERSION
            && new UUID(b.getLong(16), b.getLong(24)).equals(heap)
            && b.getLong(48) >= checkpointLsn
            && b.getInt(BLOCKS) >= 0
            && b.getInt(BLOCKS) <= MAX_BLOCKS;
    if (!valid) {
      file.close();
      medium.delete(NAME);
      return null;
    }
    int blocks = b.getInt(BLOCKS);
    Series series = new Series(new UUID(b.getLong(32), b.getLong(40)), file, Math.max(1, blocks));
    for (int i = 0; i < blocks; i++) {
      b.clear();
      file.read(b, (i + 1L) * BLOCK);
      boolean whole = b.getInt(BLOCK - 8) == i && b.getInt(BLOCK - 4) == crc(b, BLOCK - 4);
      for (int w = 0; w < WORDS; w++) {
        series.words[i * WORDS + w] = whole ? b.getLong(w * 8) : -1L;
      }
    }
    series.lsn = checkpointLsn;
    return series;
  }

  /** Adds pages, given in ascending order, that are about to be written. */
  public synchronized void add(long[] pages, int from, int to) {
    for (Series s : all()) {
      for (int i = from; i < to; i++) {
        s.add(pages[i]);
      }
    }
  }

  /**
   * Adds the pages of a range of the home image that was set to zero, durably: no log tells a
   * recovery of them.
   *
   * @param how syncs a file
   */
  public synchronized void addZeros(long fromAddress, long toAddress, Consumer<MediumFile> how) {
    for (Series s : all()) {
      long page = fromAddress >>> HomeLayout.PAGE_SHIFT;
      for (; page << HomeLayout.PAGE_SHIFT < toAddress; page++) {
        s.add(page);
      }
      syncOrForget(s, s.lsn, how);
    }
  }

  /**
   * Makes the set durable; called before the superblock of a checkpoint is written. If the disk is
   * full, the set ends: the next backup must be a full one.
   *
   * @param lsn of the checkpoint
   * @param how syncs a file
   */
  public synchronized void sync(long lsn, Consumer<MediumFile> how) {
    for (Series s : all()) {
      syncOrForget(s, lsn, how);
    }
  }

  /**
   * Makes a set durable; if the disk is full, ends the set, since a checkpoint must succeed then,
   * to free the log.
   */
  private void syncOrForget(Series s, long lsn, Consumer<MediumFile> how) {
    try {
      sync(s, lsn, how);
    } catch (DiskFullException e) {
      System.getLogger(ChangedPages.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "the disk of {0} is full, so the next backup must be a full one",
              medium.location());
      s.file.close();
      medium.delete(s == last ? NAME : UNFINISHED);
      medium.syncDirectory(""); // first: no later opening may find the file
      last = s == last ? null : last;
      next = s == next ? null : next;
    }
  }

  private List<Series> all() {
    Series a = last;
    Series b = next;
    if (a == null) {
      return b == null ? List.of() : List.of(b);
    }
    return b == null ? List.of(a) : List.of(a, b);
  }

  private void sync(Series s, long lsn, Consumer<MediumFile> how) {
    ByteBuffer b = block();
    for (int i = s.unwritten.nextSetBit(0); i >= 0; i = s.unwritten.nextSetBit(i + 1)) {
      for (int w = 0; w < WORDS; w++) {
        b.putLong(w * 8, s.words[i * WORDS + w]);
      }
      b.putInt(BLOCK - 8, i).putInt(BLOCK - 4, crc(b, BLOCK - 4));
      s.file.write(b.clear(), (i + 1L) * BLOCK);
    }
    s.file.write(header(s, lsn), 0);
    how.accept(s.file);
    s.lsn = lsn;
    s.unwritten.clear();
  }

  /**
   * Begins the set of a backup.
   *
   * @param backup its uuid
   * @param lsn of the last checkpoint: the backup has everything before it
   * @throws IllegalStateException if another backup is being made
   */
  public synchronized void begin(UUID backup, long lsn) {
    if (running != null) {
      throw new IllegalStateException("another backup of " + medium.location() + " is being made");
    }
    Series s = new Series(backup, medium.create(UNFINISHED), 1);
    s.unwritten.set(0); // each block that counts is written, so one that is missing shows
    try {
      sync(s, lsn, MediumFile::sync);
    } catch (RuntimeException | Error e) {
      s.file.close();
      medium.delete(UNFINISHED);
      throw e;
    }
    next = s;
    running = backup;
  }

  /** Whether a backup is being made. */
  public synchronized boolean isBegun() {
    return running != null;
  }

  /**
   * Makes the set that {@link #begin} began that of the last backup; does nothing if it ended since
   * the disk was full.
   */
  public synchronized void complete(UUID backup) {
    if (!backup.equals(running)) {
      return;
    }
    if (next != null) {
      medium.rename(UNFINISHED, NAME);
      medium.syncDirectory("");
      if (last != null) {
        last.file.close();
      }
      last = next;
      next = null;
    }
    running = null;
  }

  /** Ends the set that {@link #begin} began for a backup, unless that is complete. */
  public synchronized void abandon(UUID backup) {
    if (!backup.equals(running)) {
      return;
    }
    running = null;
    Series s = next;
    if (s != null) {
      next = null;
      s.file.close();
      medium.delete(UNFINISHED);
    }
  }

  /** The backup since which changes are known, or null. */
  public synchronized @Nullable UUID since() {
    return last == null ? null : last.backup;
  }

  /**
   * Calls an action with each page that was written since a backup, ascending.
   *
   * @throws BackupException if that is not known any more, since the disk was full meanwhile
   */
  public void forEach(UUID backup, LongConsumer action) {
    long[] words;
    synchronized (this) {
      if (last == null || !last.backup.equals(backup)) {
        throw new BackupException(
            "What changed in the heap at "
                + medium.location()
                + " since the backup "
                + backup
                + " is not known any more, since its disk was full: take a full backup.");
      }
      words = last.words.clone();
    }
    for (int i = 0; i < words.length; i++) {
      for (long word = words[i]; word != 0; word &= word - 1) {
        action.accept(i * 64L + Long.numberOfTrailingZeros(word));
      }
    }
  }

  /** Closes the files. */
  public synchronized void close() {
    for (Series s : all()) {
      s.file.close();
    }
  }

  private ByteBuffer header(Series s, long lsn) {
    ByteBuffer b = block();
    b.putLong(0, MAGIC).putInt(8, VERSION);
    b.putLong(16, heap.getMostSignificantBits()).putLong(24, heap.getLeastSignificantBits());
    b.putLong(32, s.backup.getMostSignificantBits())
        .putLong(40, s.backup.getLeastSignificantBits());
    b.putLong(48, lsn).putInt(BLOCKS, s.words.length / WORDS);
    return b.putInt(CRC, crc(b, CRC)).clear();
  }

  private static ByteBuffer block() {
    return ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int crc(ByteBuffer b, int length) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(0, length));
    return (int) crc.getValue();
  }
}
