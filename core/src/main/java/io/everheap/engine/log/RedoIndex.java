package io.everheap.engine.log;

import io.everheap.error.CorruptHeapException;
import io.everheap.memory.Medium;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the log has the changes of each page: a list of entries for each, the newest first. Made
 * while the log is read, from its complete transactions; then it stays as it is and is safe for use
 * by many threads.
 *
 * <p>An item takes {@value #ITEM} bytes of memory beside the Java heap, and an entry takes one for
 * each page that it stores to. If the newest entry of a page stores to the words of the one before,
 * as those of a counter do, it takes the place of that.
 */
public final class RedoIndex implements EntrySink {
  /** The most bytes that the files of a log may have. */
  public static final long MAX_BYTES = 1L << 35;

  /**
   * What the index has to know of the home image.
   *
   * @param pageShift bytes of a page, as a power of two
   * @param chunkShift bytes of a chunk, likewise: a fill lies in one
   * @param first address that an entry may store to
   * @param size in bytes: the file grows before a record can name what it grew by
   * @param word address of a word of which the highest value is remembered
   */
  public record Image(int pageShift, int chunkShift, long first, long size, long word) {}

  /** Entries whose first word is at these places. */
  interface Entries {
    /**
     * An entry.
     *
     * @param file index in {@link #files}
     * @param offset of its first word in the file
     * @return whether to go on with older ones
     */
    boolean entry(int file, long offset);
  }

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final int ITEM = 8; // place of the entry, and number of the item before it
  private static final int CHUNK_SHIFT = 16; // items of a chunk
  private static final int BLOCK_SHIFT = 9; // pages of a block
  private static final int BLOCK_MASK = (1 << BLOCK_SHIFT) - 1;
  private static final int PLACE_SHIFT = 3; // entries start at multiples of a word
  private static final long LOW = 0xFFFF_FFFFL;
  private static final int RECENT = 1 << 12;
  private static final int OPEN = 4; // words of an entry of the running transaction

  private final Medium medium;
  private final Image image;
  private final int pageShift;
  private final long wordAddress;
  private final Arena arena = Arena.ofAuto();
  private final List<String> files = new ArrayList<>();
  private long[] starts = new long[16]; // of the files, as if they were one behind the other
  private long filesEnd;
  private final List<MemorySegment> chunks = new ArrayList<>();
  private int[] @Nullable [] newest = new int[64][]; // number of the newest item + 1, by page
  private int items;
  private long pages;
  private long end;
  private long highest = Long.MIN_VALUE;

  // Of the running transaction: address, bytes behind its first word, stride or 0, position.
  private long[] open = new long[64 * OPEN];
  private int opened;
  private long start; // of the file that is read
  private long position; // of the next entry, from the start of the first file
  private long wanted = Long.MIN_VALUE; // the newest value of the followed word

  // Of the newest item of some pages: page, address and bytes of the entry.
  private final long[] recent = new long[3 * RECENT];

  /** An index of no page. */
  public RedoIndex(Medium medium, Image image) {
    this.medium = medium;
    this.image = image;
    this.pageShift = image.pageShift;
    this.wordAddress = image.word;
    for (int i = 0; i < RECENT; i++) {
      recent[3 * i] = -1;
    }
  }

  @Override
  public void file(String name, long bytes) {
    int file = files.indexOf(name);
    if (file < 0) {
      file = files.size();
      files.add(name);
      if (file == starts.length) {
        starts = Arrays.copyOf(starts, 2 * file);
      }
      starts[file] = filesEnd;
      filesEnd += bytes + 7 & -8;
      if (filesEnd > MAX_BYTES) {
        throw new CorruptHeapException(
            "The log of " + medium.location() + " is longer than " + MAX_BYTES + " bytes.");
      }
    }
    start = starts[file];
  }

  @Override
  public void entry(long offset) {
    position = start + offset;
  }

  @Override
  public void run(long address, MemorySegment source, long offset, int words) {
    long bytes = 8L * words;
    if (wordAddress >= address && wordAddress - address < bytes) {
      wanted = source.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + wordAddress - address);
    }
    open(address, bytes, 0);
  }

  @Override
  public void fill(long address, long stride, long times, long value) {
    long bytes = stride * (times - 1) + 8; // the reader checked that this is no overflow
    if (wordAddress >= address
        && wordAddress - address < bytes
        && (wordAddress - address) % stride == 0) {
      wanted = value;
    }
    open(address, bytes, stride);
  }

  private void open(long address, long bytes, long stride) {
    if (opened == open.length) {
      open = Arrays.copyOf(open, opened * 2);
    }
    open[opened++] = address;
    open[opened++] = bytes;
    open[opened++] = stride;
    open[opened++] = position;
  }

  /**
   * Adds the entries of a transaction.
   *
   * @throws CorruptHeapException if the home image does not have what they store to
   */
  @Override
  public void committed(long lsn) {
    add();
    highest = Math.max(highest, wanted);
  }

  private void add() {
    for (int i = 0; i < opened; i += OPEN) {
      add(open[i], open[i + 1], open[i + 2], open[i + 3]);
    }
    opened = 0;
  }

  private void require(long address, long bytes, long stride) {
    if (stride > 0 && address >>> image.chunkShift != (address + bytes - 1) >>> image.chunkShift) {
      throw new CorruptHeapException(
          "The log of %s fills %d words every %d bytes at address %d, beyond the end of a chunk."
              .formatted(medium.location(), (bytes - 8) / stride + 1, stride, address));
    }
    if (address < image.first || bytes > image.size || address > image.size - bytes) {
      throw new CorruptHeapException(
          "The log of %s changes address %d, which the home image of %d bytes does not have."
              .formatted(medium.location(), address, image.size));
    }
  }

  private void add(long address, long bytes, long stride, long at) {
    require(address, bytes, stride);
    end = Math.max(end, address + bytes);
    long first = address >>> pageShift;
    long last = (address + bytes - 1) >>> pageShift;
    if (first == last) {
      addTo(first, address, stride == 0 ? bytes : -1, at);
    } else if (stride <= 1L << pageShift) {
      for (long page = first; page <= last; page++) {
        addTo(page, address, -1, at);
      }
    } else {
      for (long to = address; to < address + bytes; to += stride) {
        addTo(to >>> pageShift, address, -1, at);
      }
    }
  }

  /**
   * Adds an entry to a page.
   *
   * @param bytes of words one behind the other that it stores, all in this page; else -1
   */
  private void addTo(long page, long address, long bytes, long at) {
    int[] block = block(page);
    int index = (int) page & BLOCK_MASK;
    int slot = 3 * ((int) page & (RECENT - 1));
    boolean same =
        bytes >= 0
            && recent[slot] == page
            && recent[slot + 1] == address
            && recent[slot + 2] == bytes;
    if (same) {
      int item = block[index] - 1;
      long before = chunk(item).get(LONG, at(item)) & LOW;
      chunk(item).set(LONG, at(item), at >>> PLACE_SHIFT << Integer.SIZE | before);
      return;
    }
    if ((items & ((1 << CHUNK_SHIFT) - 1)) == 0) {
      chunks.add(arena.allocate((long) ITEM << CHUNK_SHIFT, ITEM));
    }
    pages += block[index] == 0 ? 1 : 0;
    long item = at >>> PLACE_SHIFT << Integer.SIZE | block[index];
    chunk(items).set(LONG, at(items), item);
    items = Math.incrementExact(items);
    block[index] = items;
    recent[slot] = page;
    recent[slot + 1] = address;
    recent[slot + 2] = bytes;
  }

  private MemorySegment chunk(int item) {
    return chunks.get(item >>> CHUNK_SHIFT);
  }

  private static long at(int item) {
    return (long) ITEM * (item & ((1 << CHUNK_SHIFT) - 1));
  }

  private int[] block(long page) {
    int number = (int) (page >>> BLOCK_SHIFT);
    if (number >= newest.length) {
      newest = Arrays.copyOf(newest, Math.max(number + 1, newest.length * 2));
    }
    int[] block = newest[number];
    if (block == null) {
      block = new int[BLOCK_MASK + 1];
      newest[number] = block;
    }
    return block;
  }

  /** Bytes of a page, as a power of two. */
  int pageShift() {
    return pageShift;
  }

  /** Names of the files that have the entries. */
  List<String> files() {
    return List.copyOf(files);
  }

  /** Number of pages that the log changes. */
  public long pages() {
    return pages;
  }

  /** The address behind the last word that the log changes; 0 if it changes none. */
  public long end() {
    return end;
  }

  /** The highest value that a transaction gave the followed word, or {@link Long#MIN_VALUE}. */
  public long highest() {
    return highest;
  }

  /** The page behind the next {@code count} changed ones from a page on, or behind all. */
  public long behind(long page, long count) {
    long last = (long) newest.length << BLOCK_SHIFT;
    long left = count;
    while (page < last && left > 0) {
      left -= isChanged(page++) ? 1 : 0;
    }
    return page;
  }

  /**
   * The pages that the log changes, as a bitmap; null if there is none.
   *
   * @param first page of the bitmap
   * @param count of bits
   * @param from the first page that is wanted
   * @param to the page behind the last one
   */
  public long @Nullable [] changed(long first, int count, long from, long to) {
    long[] bitmap = null;
    for (int i = (int) Math.max(0, from - first); i < Math.min(count, to - first); i++) {
      if (isChanged(first + i)) {
        if (bitmap == null) {
          bitmap = new long[(count + 63) >>> 6];
        }
        bitmap[i >>> 6] |= 1L << i;
      }
    }
    return bitmap;
  }

  private boolean isChanged(long page) {
    long number = page >>> BLOCK_SHIFT;
    int[] block = number < newest.length ? newest[(int) number] : null;
    return block != null && block[(int) page & BLOCK_MASK] != 0;
  }

  /** Gives the entries of a page, the newest first. */
  void forEach(long page, Entries entries) {
    if (!isChanged(page)) {
      return;
    }
    int number = block(page)[(int) page & BLOCK_MASK];
    while (number != 0) {
      long item = chunk(number - 1).get(LONG, at(number - 1));
      long place = item >>> Integer.SIZE << PLACE_SHIFT;
      int file = fileOf(place);
      if (!entries.entry(file, place - starts[file])) {
        return;
      }
      number = (int) item;
    }
  }

  private int fileOf(long place) {
    int found = Arrays.binarySearch(starts, 0, files.size(), place);
    return found >= 0 ? found : -found - 2;
  }
}
