package io.everheap.engine.log;

import io.everheap.memory.Medium;
import io.everheap.memory.PendingRegion;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Applies the log that was found at the opening to the pages of the home image, in two ways.
 *
 * <p><b>A page that is used</b> is brought up to date at once. The parts that change it are read
 * from the newest to the oldest, and a word that a newer part stored is not overwritten; so the
 * result is the same however often an error interrupts the redo of a page, and whatever the pass
 * below stored before. It allocates nothing, because it may happen while a commit is applied.
 *
 * <p><b>All other pages</b> are brought up to date by one pass over the log in its order, which
 * reads memory sequentially and validates each part once. The pass skips pages that are up to date;
 * the others stay pending until its end.
 *
 * <p>Thread-safe. The monitor of its lane guards a page, so no older word is stored to a page that
 * is up to date.
 */
public final class Redo implements PendingRegion.Redo {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int LANES = 16;
  private static final int WORD = 8;

  private final RedoIndex index;
  private final RedoLog log;
  private final int pageShift;
  private final Lane[] lanes = new Lane[LANES];
  private final Pass pass;

  /**
   * Creates the redo of the parts in an index.
   *
   * @param copied name of the newest segment, whose end is written again
   * @param end the LSN behind the newest complete transaction
   */
  Redo(Medium medium, RedoIndex index, String copied, long end) {
    this.index = index;
    this.pageShift = index.pageShift();
    this.log = new RedoLog(medium, index.files(), copied, end);
    try {
      for (int i = 0; i < LANES; i++) {
        lanes[i] = new Lane();
      }
      pass = new Pass();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private Lane lane(long page) {
    return lanes[(int) page & (LANES - 1)];
  }

  @Override
  public void redo(PendingRegion region, long page) {
    Lane lane = lane(page);
    synchronized (lane) {
      if (region.isPending(page)) {
        lane.redo(page, region);
        region.done(page);
      }
    }
  }

  @Override
  public void redoAll(LongFunction<@Nullable PendingRegion> regions) {
    pass.regions = regions;
    index.forEachPart(pass);
    index.forEachPage(
        page -> {
          PendingRegion region = regions.apply(page);
          if (region != null) {
            synchronized (lane(page)) { // another thread may be applying the log to the page
              region.done(page);
            }
          }
        });
  }

  /** The redo of single pages, one at a time; guarded by its monitor. */
  private final class Lane implements RedoIndex.Parts, EntrySink {
    private final RedoLog.Reader reader = log.new Reader();
    private final long[] stored = new long[(1 << pageShift) / WORD / Long.SIZE]; // by newer parts
    private final long[] present = new long[stored.length]; // by the present part

    @SuppressWarnings("NullAway.Init") // set by each redo
    private Region to;

    private long start; // of the page in its region
    private long address; // of the page

    void redo(long page, PendingRegion region) {
      Arrays.fill(stored, 0);
      to = region.under();
      start = region.start(page);
      address = page << pageShift;
      index.forEach(page, this);
    }

    @Override
    public boolean part(int file, long offset) {
      Arrays.fill(present, 0);
      reader.read(file, offset, this);
      for (int i = 0; i < stored.length; i++) {
        stored[i] |= present[i];
      }
      return !isAll(stored);
    }

    private static boolean isAll(long[] words) {
      for (long word : words) {
        if (word != -1) {
          return false;
        }
      }
      return true;
    }

    /** Stores those words of a run that no newer part stored. */
    @Override
    public void run(long runAddress, MemorySegment source, long offset, int words) {
      long at = runAddress - address;
      int next = (int) Math.clamp(at / WORD, 0, (1L << pageShift) / WORD);
      int last = (int) Math.clamp(at / WORD + words, 0, (1L << pageShift) / WORD);
      while (next < last) {
        int first = next;
        while (next < last && !has(next)) {
          add(next);
          next++;
        }
        if (next > first) {
          store(to, start + first * 8L, source, offset - at + first * 8L, (next - first) * 8L);
        }
        while (next < last && has(next)) {
          next++;
        }
      }
    }

    @Override
    public void fill(long fillAddress, long stride, long times, long value) {
      long at = fillAddress - address;
      long i = at >= 0 ? 0 : (-at + stride - 1) / stride;
      for (; i < times && at + i * stride < 1L << pageShift; i++) {
        int word = (int) ((at + i * stride) / WORD);
        if (!has(word)) {
          add(word);
          to.putLong(start + word * 8L, value);
        }
      }
    }

    private boolean has(int word) {
      return (stored[word >>> 6] & (1L << word)) != 0;
    }

    private void add(int word) {
      present[word >>> 6] |= 1L << word;
    }
  }

  /** The pass: stores all entries, in the order of the log, to the pages that are pending. */
  private final class Pass implements RedoIndex.Parts, EntrySink {
    private final RedoLog.Reader reader = log.new Reader();
    private final MemorySegment word = MemorySegment.ofArray(new long[1]); // of a fill
    private LongFunction<@Nullable PendingRegion> regions = page -> null; // set by each pass

    @Override
    public boolean part(int file, long offset) {
      reader.read(file, offset, this);
      return true;
    }

    @Override
    public void run(long address, MemorySegment source, long offset, int words) {
      long end = address + 8L * words;
      for (long at = address; at < end; ) {
        long page = at >>> pageShift;
        long next = Math.min(end, (page + 1) << pageShift);
        PendingRegion region = regions.apply(page);
        if (region != null && region.isPending(page)) {
          synchronized (lane(page)) {
            if (region.isPending(page)) {
              long to = region.start(page) + at - (page << pageShift);
              store(region.under(), to, source, offset + at - address, next - at);
            }
          }
        }
        at = next;
      }
    }

    @Override
    public void fill(long address, long stride, long times, long value) {
      word.set(LONG, 0, value);
      for (long i = 0; i < times; i++) {
        run(address + i * stride, word, 0, 1);
      }
    }
  }

  private static void store(Region to, long at, MemorySegment source, long offset, long bytes) {
    if (bytes == WORD) { // the most frequent case in small transactions
      to.putLong(at, source.get(LONG, offset));
    } else {
      to.copyFrom(at, source, offset, bytes);
    }
  }

  @Override
  public void close() {
    log.close();
    index.close();
  }
}
