package io.everheap.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A region with pages whose redo is pending: the log is applied to a page when it is first used.
 * Loads and stores go to the region under it, which owns the memory and replaces this one when no
 * page is pending.
 *
 * <p>Thread-safe. A page is pending until its redo is complete, so a failed redo is repeated, and
 * no thread loads from a page to which the log is applied only in part.
 */
public final class PendingRegion extends Region {
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int SHIFT = PageTimes.SHIFT;

  /** Applies the log to pages. Thread-safe. */
  public interface Redo extends AutoCloseable {
    /**
     * Applies the log to a page and calls {@link #done}, unless another thread has done so.
     *
     * @param page number in the file
     */
    void redo(PendingRegion region, long page);

    /**
     * Applies the log to all pages, and calls {@link #done} for each of them.
     *
     * @param regions returns the region of a page, or null if the page is up to date
     */
    void redoAll(LongFunction<@Nullable PendingRegion> regions);

    /**
     * Returns how many pages this filled from a file.
     *
     * @return a number; negative if it applies a log to pages that have their contents
     */
    default long filled() {
      return -1;
    }

    /**
     * Sets what is called after each mebibyte that was filled, by the thread that filled it.
     *
     * @param listener allocates nothing and does not wait
     */
    default void onFilled(Runnable listener) {}

    /** Releases the log; called when no page is pending, or the home image is unmapped. */
    @Override
    void close();
  }

  private final Region under;
  private final long firstPage;
  private final long[] pending;
  private final Redo redo;

  /**
   * Creates a region over another one.
   *
   * @param under the other region, which is closed with this one
   * @param firstPage number of its first page in the file
   * @param pending a bitmap of the pending pages
   * @param redo applies the log
   */
  public PendingRegion(Region under, long firstPage, long[] pending, Redo redo) {
    super(under.segment, null);
    this.under = under;
    this.firstPage = firstPage;
    this.pending = pending;
    this.redo = redo;
  }

  /** What brings its pages up to date. */
  public Redo redo() {
    return redo;
  }

  /**
   * Brings pages up to date in their order until a deadline.
   *
   * @param deadline in the time of {@link System#nanoTime}
   * @return whether all are
   */
  public boolean useAll(long deadline) {
    for (int word = 0; word < pending.length; word++) {
      for (long bits = (long) WORD.getAcquire(pending, word); bits != 0; bits &= bits - 1) {
        if (deadline - System.nanoTime() < 0) {
          return false;
        }
        use((word << 6) + Long.numberOfTrailingZeros(bits));
      }
    }
    return true;
  }

  /** Whether its pages wait for this redo. */
  public boolean isOf(@Nullable Redo other) {
    return redo.equals(other);
  }

  /** The region under this one; pending pages in it are outdated, and a redo overwrites them. */
  public Region under() {
    return under;
  }

  /**
   * Whether the redo of a page is pending.
   *
   * @param page number in the file
   */
  public boolean isPending(long page) {
    return isPending(index(page));
  }

  private boolean isPending(int index) {
    return ((long) WORD.getAcquire(pending, index >>> 6) & (1L << index)) != 0;
  }

  private int index(long page) {
    return (int) (page - firstPage);
  }

  /** Offset of a page in the region. */
  public long start(long page) {
    return (long) index(page) << SHIFT;
  }

  /** Marks the redo of a page as complete. */
  public void done(long page) {
    int index = index(page);
    WORD.getAndBitwiseAndRelease(pending, index >>> 6, ~(1L << index));
  }

  /** Number of pages whose redo is pending. */
  public long pendingPages() {
    long count = 0;
    for (int word = 0; word < pending.length; word++) {
      count += Long.bitCount((long) WORD.getAcquire(pending, word));
    }
    return count;
  }

  private void use(int index) {
    if (isPending(index)) {
      redo.redo(this, firstPage + index);
    }
  }

  private void use(long offset) {
    use((int) (offset >>> SHIFT));
  }

  private void useAll(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, size());
    for (long at = offset >>> SHIFT; at << SHIFT < offset + length; at++) {
      use((int) at);
    }
  }

  /** Uses the one or two pages of a value. */
  private void use(long offset, int length) {
    use(offset);
    use(Math.min(offset + length, size()) - 1);
  }

  @Override
  public boolean isDirect() {
    return false;
  }

  @Override
  public byte getByte(long offset) {
    checkIndex(offset, 1);
    use(offset);
    return under.getByte(offset);
  }

  private void checkIndex(long offset, int length) {
    Objects.checkFromIndexSize(offset, length, size());
  }

  @Override
  public short getShort(long offset) {
    checkIndex(offset, Short.BYTES);
    use(offset, Short.BYTES);
    return under.getShort(offset);
  }

  @Override
  public int getInt(long offset) {
    checkIndex(offset, Integer.BYTES);
    use(offset, Integer.BYTES);
    return under.getInt(offset);
  }

  @Override
  public long getLong(long offset) {
    checkIndex(offset, Long.BYTES);
    use(offset, Long.BYTES);
    return under.getLong(offset);
  }

  @Override
  public long getLongAcquire(long offset) {
    checkIndex(offset, Long.BYTES);
    use(offset);
    return under.getLongAcquire(offset);
  }

  @Override
  public long getLongOpaque(long offset) {
    checkIndex(offset, Long.BYTES);
    use(offset);
    return under.getLongOpaque(offset);
  }

  @Override
  public void copyTo(long offset, byte[] target, int at, int length) {
    useAll(offset, length);
    under.copyTo(offset, target, at, length);
  }

  @Override
  public void copyTo(long offset, long[] target, int at, int length) {
    useAll(offset, 8L * length);
    under.copyTo(offset, target, at, length);
  }

  @Override
  public void copyTo(long offset, MemorySegment target, long at, long length) {
    useAll(offset, length);
    under.copyTo(offset, target, at, length);
  }

  @Override
  public long mismatch(long offset, byte[] other, int at, int length) {
    useAll(offset, length);
    return under.mismatch(offset, other, at, length);
  }

  @Override
  public void putByte(long offset, byte value) {
    checkIndex(offset, 1);
    use(offset);
    under.putByte(offset, value);
  }

  @Override
  public void putShort(long offset, short value) {
    checkIndex(offset, Short.BYTES);
    use(offset, Short.BYTES);
    under.putShort(offset, value);
  }

  @Override
  public void putInt(long offset, int value) {
    checkIndex(offset, Integer.BYTES);
    use(offset, Integer.BYTES);
    under.putInt(offset, value);
  }

  @Override
  public void putLong(long offset, long value) {
    checkIndex(offset, Long.BYTES);
    use(offset, Long.BYTES);
    under.putLong(offset, value);
  }

  @Override
  public void putLongOpaque(long offset, long value) {
    checkIndex(offset, Long.BYTES);
    use(offset);
    under.putLongOpaque(offset, value);
  }

  @Override
  public void putLongRelease(long offset, long value) {
    checkIndex(offset, Long.BYTES);
    use(offset);
    under.putLongRelease(offset, value);
  }

  @Override
  public void copyFrom(long offset, byte[] source, int at, int length) {
    useAll(offset, length);
    under.copyFrom(offset, source, at, length);
  }

  @Override
  public void copyFrom(long offset, Region source, long at, long length) {
    useAll(offset, length);
    if (source instanceof PendingRegion from) {
      from.useAll(at, length);
    }
    under.copyFrom(offset, source, at, length);
  }

  @Override
  public void copyFrom(long offset, MemorySegment source, long at, long length) {
    useAll(offset, length);
    under.copyFrom(offset, source, at, length);
  }

  @Override
  public void fill(long offset, long length, byte value) {
    useAll(offset, length);
    under.fill(offset, length, value);
  }

  @Override
  public MemorySegment claim(long offset, long length) {
    useAll(offset, length);
    return under.claim(offset, length);
  }

  @Override
  public void claimed(long offset, long length) {
    under.claimed(offset, length);
  }

  @Override
  public void force(long offset, long length) {
    useAll(offset, length);
    under.force(offset, length);
  }

  @Override
  public Region paged(PageTimes times, IntPredicate isStored) {
    return new PendingRegion(under.paged(times, isStored), firstPage, pending, redo);
  }

  @Override
  public void close() {
    under.close();
  }
}
