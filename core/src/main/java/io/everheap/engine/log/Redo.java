package io.everheap.engine.log;

import io.everheap.error.CorruptLogException;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.PendingRegion;
import io.everheap.memory.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Stores to a page what the log of before the opening says of it, when the page is first used. The
 * newest entry of a word is stored and older ones are skipped; so the redo of a page is the same
 * however often an error cuts it in half.
 *
 * <p>Safe for use by many threads. The redo of a page allocates nothing: it may happen while a
 * commit is applied.
 */
public final class Redo implements PendingRegion.Redo {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int LANES = 64;
  private static final int WORD = 8;

  private final Medium medium;
  private final RedoIndex index;
  private final int pageShift;
  private final List<Region> mapped = new ArrayList<>();
  private final MemorySegment[] files;
  private final Lane[] lanes = new Lane[LANES];

  /**
   * The redo of what an index has.
   *
   * @param copied name of the newest segment, the end of which is written again
   */
  Redo(Medium medium, RedoIndex index, String copied) {
    this.medium = medium;
    this.index = index;
    this.pageShift = index.pageShift();
    List<String> names = index.files();
    this.files = new MemorySegment[names.size()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = new Lane();
    }
    try {
      for (int i = 0; i < files.length; i++) {
        String name = names.get(i);
        files[i] = name.equals(copied) || name.equals(RingLayout.NAME) ? copy(name) : map(name);
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** A segment that nothing writes to before the first checkpoint. */
  private MemorySegment map(String name) {
    try (MediumFile file = medium.open(name)) {
      Region region = file.map(Mapping.PRIVATE, 0, file.size());
      mapped.add(region);
      return region.segment();
    }
  }

  private MemorySegment copy(String name) {
    try (MediumFile file = medium.open(name);
        LogImage image = LogImage.read(medium, name, file.size())) {
      return Arena.ofAuto().allocate(image.memory().byteSize(), WORD).copyFrom(image.memory());
    }
  }

  @Override
  public void redo(PendingRegion region, long page, int number) {
    Lane lane = lanes[(int) page & (LANES - 1)];
    synchronized (lane) {
      if (region.isPending(number)) {
        lane.redo(page, region.under(), (long) number << pageShift);
        region.done(number);
      }
    }
  }

  /** One redo at a time; guarded by itself. */
  private final class Lane implements RedoIndex.Entries {
    private final long[] stored = new long[(1 << pageShift) / WORD / Long.SIZE]; // a bit for a word

    @SuppressWarnings("NullAway.Init") // set by each redo
    private Region to;

    private long start; // of the page in its region
    private long address; // of the page
    private int left; // words that were not stored yet

    void redo(long page, Region region, long offset) {
      Arrays.fill(stored, 0);
      to = region;
      start = offset;
      address = page << pageShift;
      left = (1 << pageShift) / WORD;
      index.forEach(page, this);
    }

    @Override
    public boolean entry(int file, long offset) {
      MemorySegment source = files[file];
      long word = source.get(LONG, offset);
      long at = EntryLayout.address(word) - address;
      switch (EntryLayout.type(word)) {
        case EntryLayout.RUN -> run(source, offset + WORD, at, EntryLayout.count(word));
        case EntryLayout.FILL -> {
          long shape = source.get(LONG, offset + WORD);
          fill(at, EntryLayout.stride(shape), EntryLayout.times(shape), source, offset + 2 * WORD);
        }
        default ->
            throw new CorruptLogException(
                medium.location() + "/" + index.files().get(file),
                offset,
                "it changed after it was read");
      }
      return left > 0;
    }

    /** Stores the words that no newer entry stored, in runs. */
    private void run(MemorySegment source, long offset, long at, int words) {
      int page = (1 << pageShift) / WORD;
      int first = (int) Math.max(0, at / WORD);
      int end = (int) Math.min(page, at / WORD + words);
      while (first < end) {
        while (first < end && has(first)) {
          first++;
        }
        int next = first;
        while (next < end && !has(next)) {
          add(next);
          next++;
        }
        if (next == first + 1) {
          to.putLong(start + first * 8L, source.get(LONG, offset - at + first * 8L));
        } else if (next > first) {
          to.copyFrom(start + first * 8L, source, offset - at + first * 8L, (next - first) * 8L);
        }
        first = next;
      }
    }

    private void fill(long at, long stride, long times, MemorySegment source, long offset) {
      long value = source.get(LONG, offset);
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
      stored[word >>> 6] |= 1L << word;
      left--;
    }
  }

  @Override
  public void close() {
    mapped.forEach(Region::close);
  }
}
