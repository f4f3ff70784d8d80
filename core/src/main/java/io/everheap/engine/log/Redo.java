package io.everheap.engine.log;

import io.everheap.error.CorruptLogException;
import io.everheap.log.RecordSeal;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.PendingRegion;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Stores to a page what the log of before the opening says of it, when the page is first used. The
 * parts that change it are gone through from the newest to the oldest, and a word that a newer one
 * stored is left alone; so the redo of a page is the same however often an error cuts it in half.
 * Each part is validated again: it may have changed since it was read.
 *
 * <p>Safe for use by many threads. The redo of a page allocates nothing: it may happen while a
 * commit is applied.
 */
public final class Redo implements PendingRegion.Redo {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int LANES = 16;
  private static final int WORD = 8;

  private final Medium medium;
  private final RedoIndex index;
  private final int pageShift;
  private final long end;
  private final List<RedoIndex.Source> sources;
  private final Region[] files;
  private final ByteBuffer[] bytes;
  private final Lane[] lanes = new Lane[LANES];

  /**
   * The redo of what an index has.
   *
   * @param copied name of the newest segment, the end of which is written again
   * @param end the LSN behind the newest complete transaction
   */
  Redo(Medium medium, RedoIndex index, String copied, long end) {
    this.medium = medium;
    this.index = index;
    this.pageShift = index.pageShift();
    this.end = end;
    this.sources = index.files();
    this.files = new Region[sources.size()];
    this.bytes = new ByteBuffer[sources.size()];
    try {
      for (int i = 0; i < files.length; i++) {
        String name = sources.get(i).name();
        boolean copy = name.equals(copied) || name.equals(RingLayout.NAME);
        files[i] = copy ? copy(name) : map(name);
        bytes[i] = files[i].view();
      }
      for (int i = 0; i < LANES; i++) {
        lanes[i] = new Lane();
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** A segment that nothing writes to before the first checkpoint. */
  private Region map(String name) {
    try (MediumFile file = medium.open(name)) {
      return file.map(Mapping.READ, 0, file.size());
    }
  }

  private Region copy(String name) {
    try (MediumFile file = medium.open(name);
        LogImage image = LogImage.read(medium, name, file.size())) {
      Region copy = Region.allocate(file.size());
      copy.copyFrom(0, image.memory(), 0, file.size());
      return copy;
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
  private final class Lane implements RedoIndex.Parts, EntrySink {
    private final RecordSeal[] seals = new RecordSeal[sources.size()];
    private final long[] stored = new long[(1 << pageShift) / WORD / Long.SIZE]; // by newer parts
    private final long[] present = new long[stored.length]; // by the part that is read

    @SuppressWarnings("NullAway.Init") // set by each redo
    private Region to;

    private long start; // of the page in its region
    private long address; // of the page

    Lane() {
      RecordSeal seal = null;
      ByteBuffer large = ByteBuffer.allocate(PartLayout.MAX_PART);
      for (int i = 0; i < seals.length; i++) {
        long key = sources.get(i).key();
        if (seal == null || key != sources.get(i - 1).key()) {
          seal = new RecordSeal(key);
          seal.crc(large, 0, large.capacity(), 0); // what it needs of memory, it takes now
        }
        seals[i] = seal;
      }
    }

    void redo(long page, Region region, long offset) {
      Arrays.fill(stored, 0);
      to = region;
      start = offset;
      address = page << pageShift;
      index.forEach(page, this);
    }

    @Override
    public boolean part(int file, long offset) {
      int at = (int) offset;
      long first = sources.get(file).lsn();
      int steps = bytes[file].getInt(at + PartLayout.POSITION) - PartLayout.position(first);
      long lsn = first + Integer.toUnsignedLong(steps) * PartLayout.ALIGNMENT;
      int field = bytes[file].getInt(at + PartLayout.LENGTH);
      boolean valid =
          PartLayout.plausible(field)
              && at + PartLayout.length(field) <= bytes[file].capacity()
              && seals[file].matches(bytes[file], at, at + PartLayout.covered(field), lsn);
      if (!valid) {
        throw new CorruptLogException(
            medium.location() + "/" + sources.get(file).name(), at, "it changed after it was read");
      }
      if (isComplete(lsn)) {
        Arrays.fill(present, 0);
        EntryReader.read(files[file].segment(), at, PartLayout.length(field), this);
        for (int i = 0; i < stored.length; i++) {
          stored[i] |= present[i];
        }
      }
      return !isAll(stored);
    }

    /** Whether the transaction of a part is complete; only the newest one may not be. */
    private boolean isComplete(long lsn) {
      return lsn < end;
    }

    private static boolean isAll(long[] words) {
      for (long word : words) {
        if (word != -1) {
          return false;
        }
      }
      return true;
    }

    /** Stores the words that no newer part stored, in runs. */
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
        if (next == first + 1) {
          to.putLong(start + first * 8L, source.get(LONG, offset - at + first * 8L));
        } else if (next > first) {
          to.copyFrom(start + first * 8L, source, offset - at + first * 8L, (next - first) * 8L);
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

  @Override
  public void close() {
    for (Region file : files) {
      if (file != null) {
        file.close();
      }
    }
    index.close();
  }
}
