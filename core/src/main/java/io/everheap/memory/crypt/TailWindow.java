package io.everheap.memory.crypt;

import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The part of an encrypted log in which it ends, as it is stored. Blocks of an encrypted file are
 * not aligned to those of {@link MediumFile#writeDurably}, so the first and the last block of such
 * a write have bytes of their neighbours, which are written again as they were: a crash that tears
 * the write leaves them unchanged. Not thread-safe.
 */
final class TailWindow {
  private static final int BLOCK = MediumFile.BLOCK;

  /** Bytes that are read ahead at most, since a log goes on behind them. */
  private static final int AHEAD = 128 << 10;

  private static final int CAPACITY = Sealer.Bench.BLOCKS * SealedLayout.STORED + 2 * BLOCK + AHEAD;

  private final MediumFile under;
  private @Nullable ByteBuffer bytes;
  private long start;
  private int length;
  private boolean durable;
  private long fileEnd;
  private long lastChange = -1;
  private boolean failed; // a sync reports an error once: what is read may never be durable

  TailWindow(MediumFile under) {
    this.under = under;
  }

  /**
   * Writes sectors durably, at most those of a bench.
   *
   * @param change number of this change to the file; those that this window did not make are why it
   *     forgets what it read
   */
  void write(long change, byte[] stored, int count, long position) {
    if (change != lastChange + 1) {
      length = 0;
      durable = false;
    }
    lastChange = change;
    boolean failedBefore = failed;
    failed = true; // unless all of this succeeds
    long first = position & -BLOCK;
    long end = (position + count + BLOCK - 1) & -BLOCK;
    ByteBuffer window = bytes;
    if (window == null) {
      window = ByteBuffer.allocateDirect(CAPACITY + BLOCK).alignedSlice(BLOCK).limit(CAPACITY);
      bytes = window;
    }
    if (first < start || end > start + length) {
      slide(window, first, end);
    }
    int known = length;
    length = 0; // until the write succeeds
    durable = false;
    boolean there = !failedBefore && isThere(window, stored, count, position, end);
    long changed = there ? end - BLOCK : end;
    window.put((int) (position - start), stored, 0, count);
    under.writeDurably(window.slice((int) (first - start), (int) (changed - first)), first);
    fileEnd = Math.max(fileEnd, changed);
    length = known;
    durable = true;
    failed = failedBefore;
  }

  /** Whether the file has the last block already: most commits are short, and zeros follow. */
  private boolean isThere(ByteBuffer window, byte[] stored, int count, long position, long end) {
    long last = end - BLOCK;
    if (last <= position || end > fileEnd) {
      return false;
    }
    int size = (int) (position + count - last);
    ByteBuffer fresh = ByteBuffer.wrap(stored, (int) (last - position), size);
    return window.slice((int) (last - start), size).mismatch(fresh) < 0;
  }

  /** Moves the window to a range, whose first and last block are read, and what follows it. */
  private void slide(ByteBuffer window, long first, long end) {
    if (!durable) {
      under.sync(); // what a process that was killed wrote may be read but not be durable
      durable = true;
    }
    boolean known = start <= first && first + BLOCK <= start + length;
    length = 0; // until all is read
    int last = (int) (end - BLOCK - first);
    if (known) {
      window.put(0, window, (int) (first - start), BLOCK);
    } else if (last > 0) {
      read(window, 0, BLOCK, first);
    }
    int from = known && last == 0 ? BLOCK : last;
    int ahead = (int) Math.min(AHEAD, under.size() / 8) & -BLOCK;
    fileEnd = first + from + read(window, from, last + BLOCK + ahead - from, first + from);
    start = first;
    length = last + BLOCK + ahead;
  }

  /** Reads stored bytes; what the file does not have is zero. */
  private int read(ByteBuffer window, int at, int count, long position) {
    ByteBuffer part = window.slice(at, count);
    int read = under.read(part, position);
    while (part.hasRemaining()) {
      part.put((byte) 0);
    }
    return read;
  }
}
