package io.everheap.engine.tx;

import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The home image as it was at one moment, for one reader without a lock while transactions go on
 * (copy-on-write): a commit copies each line of 64 bytes that it is about to overwrite for the
 * first time since then, and the lines of each block that it frees. All other lines are read from
 * the home image.
 *
 * <p>The writer copies a line, sets its bit, and then stores to the line. The reader loads a word,
 * and then tests the bit: if it is not set, the load came before any store.
 *
 * <p>If the copies exceed a limit, or the Java heap is exhausted, they are dropped, and the
 * snapshot is {@link #lost}: what is read from then on is undefined.
 */
public final class Snapshot implements CommitParticipant.FreedBlocks {
  private static final int LINE_SHIFT = 6;
  private static final int LINE_WORDS = 8;

  /** Length of a chunk's bitmap in words; it has one bit for each line. */
  private static final int CHUNK_WORDS = HomeLayout.CHUNK_SIZE >>> LINE_SHIFT >>> 6;

  private static final VarHandle PIECE = MethodHandles.arrayElementVarHandle(long[][].class);
  private static final VarHandle BITS = MethodHandles.arrayElementVarHandle(long[].class);

  private final Home home;
  private final long capacity;
  private final long maxLines;
  private final long[][] bits;
  private final HeapMemory memory;
  private volatile SavedLines lines = new SavedLines();
  private volatile boolean lost;

  /**
   * Takes a snapshot of the home image as it is now. The caller keeps writers out.
   *
   * @param budget maximum size of the copied lines, in bytes
   */
  Snapshot(Home home, long budget) {
    this.home = home;
    this.capacity = home.getLong(HomeLayout.CAPACITY_ADDRESS);
    this.maxLines = budget >>> LINE_SHIFT;
    this.bits = new long[Math.toIntExact(capacity >>> HomeLayout.CHUNK_SHIFT)][];
    this.memory = new SnapshotMemory(home, this);
  }

  /** The memory as of the snapshot, for one thread at a time. Every store throws. */
  public HeapMemory memory() {
    return memory;
  }

  /** Whether the snapshot was given up. */
  public boolean lost() {
    return lost;
  }

  /** Size of the lines that were copied so far, in bytes. */
  public long savedBytes() {
    return lines.count() << LINE_SHIFT;
  }

  /**
   * Whether no line of a chunk was copied so far: then all that the caller loaded there from the
   * home image before this call is what {@link #memory} would have returned.
   *
   * @param address in the chunk
   */
  public boolean isUntouched(long address) {
    VarHandle.loadLoadFence();
    int chunk = (int) (address >>> HomeLayout.CHUNK_SHIFT);
    return chunk < bits.length && PIECE.getAcquire(bits, chunk) == null;
  }

  // ---- For the writer, before anything is stored ----------------------------------------------

  /** Copies the lines that the commit of a write set is about to overwrite. */
  void save(WriteSet writes) {
    for (int i = 0; i < writes.lineCount(); i++) {
      if (writes.mask(i) != 0) {
        save(writes.lineAddress(i));
      }
    }
  }

  /** Copies a block that the commit frees, because a later block may overwrite it. */
  @Override
  public void block(long address, long bytes) {
    long end = Math.min(address + bytes, capacity);
    for (long line = address & -64; line < end && !lost; line += 64) {
      if (((end - line) >>> LINE_SHIFT) > maxLines) {
        giveUp(); // at once, since not all of it can be copied
      } else {
        save(line);
      }
    }
  }

  private void save(long address) {
    if (address >= capacity || lost || isSaved(address)) {
      return;
    }
    if (lines.count() >= maxLines) {
      giveUp();
      return;
    }
    try {
      copy(address & -64);
    } catch (OutOfMemoryError e) { // the collection fails, not the commit
      giveUp();
    }
  }

  private void giveUp() {
    lost = true;
    lines = new SavedLines();
  }

  private void copy(long address) {
    int chunk = (int) (address >>> HomeLayout.CHUNK_SHIFT);
    long[] piece = bits[chunk];
    if (piece == null) {
      piece = new long[CHUNK_WORDS];
      PIECE.setRelease(bits, chunk, piece);
    }
    Region region = home.mapped(address);
    long offset = home.offset(address);
    SavedLines copies = lines.withRoom();
    long[] words = copies.add(address >>> LINE_SHIFT);
    int at = copies.lastStart();
    for (int i = 0; i < LINE_WORDS; i++) {
      words[at + i] = region.getLong(offset + 8L * i);
    }
    lines = copies;
    int word = word(address);
    BITS.setRelease(piece, word, piece[word] | 1L << (address >>> LINE_SHIFT));
    VarHandle.storeStoreFence(); // stores to the line follow
  }

  private static int word(long address) {
    return (int) (address & (HomeLayout.CHUNK_SIZE - 1)) >>> LINE_SHIFT >>> 6;
  }

  // ---- For the reader -------------------------------------------------------------------------

  private boolean isSaved(long address) {
    int chunk = (int) (address >>> HomeLayout.CHUNK_SHIFT);
    if (chunk >= bits.length) {
      return false;
    }
    long[] piece = (long[]) PIECE.getAcquire(bits, chunk);
    return piece != null
        && ((long) BITS.getAcquire(piece, word(address)) & 1L << (address >>> LINE_SHIFT)) != 0;
  }

  private long saved(long address) {
    return lines.word(address >>> LINE_SHIFT, (int) (address >>> 3) & 7);
  }

  /** The word at an aligned address. */
  long getLong(long address) {
    long word;
    try {
      word = home.getLong(address);
    } catch (RuntimeException e) { // the address is invalid, or not mapped any more
      if (isSaved(address)) {
        return saved(address);
      }
      throw e;
    }
    VarHandle.loadLoadFence();
    return isSaved(address) ? saved(address) : word;
  }

  /** Copies bytes from any address. */
  void copyOut(long address, MemorySegment dst, long at, long len) {
    long done = 0;
    while (done < len) {
      long from = address + done;
      long word = getLong(from & -8);
      int skipped = (int) from & 7;
      long n = Math.min(8 - skipped, len - done);
      if (n == 8) {
        dst.set(ValueLayout.JAVA_LONG_UNALIGNED, at + done, word);
      } else {
        for (int i = 0; i < n; i++) {
          byte b = (byte) (word >>> (8 * (skipped + i)));
          dst.set(ValueLayout.JAVA_BYTE, at + done + i, b);
        }
      }
      done += n;
    }
  }
}
