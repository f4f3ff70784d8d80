package io.everheap.engine.log;

import io.everheap.error.CorruptException;
import io.everheap.memory.Medium;
import io.everheap.memory.SteadyArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An index of the log by pages: for each page a linked list of the parts that change it, the newest
 * first. Built by one thread while the log is read; afterwards any thread may ask for the parts of
 * a page, and one at a time for all parts.
 *
 * <p>A part takes {@value #ITEM} bytes of native memory for each page that it changes, and a file a
 * bit for each 16 bytes; the table of the pages takes 4 bytes of the Java heap for each page of a
 * block of which one page is changed. If a transaction of one part stores once to a page, to the
 * same words as the part before, as an update of a counter does, it replaces that part. If the
 * index exceeds its limit, it is given up: see {@link #isComplete}.
 */
public final class RedoIndex implements EntrySink, AutoCloseable {
  /**
   * The properties of the home image.
   *
   * @param pageShift size of a page as a power of two
   * @param chunkShift size of a chunk as a power of two; a fill must lie in one chunk
   * @param first lowest address to which an entry may store
   * @param size in bytes; the file grows before any record refers to the new space
   * @param word address of a word whose highest value is recorded; see {@link #highest}
   */
  public record Image(int pageShift, int chunkShift, long first, long size, long word) {}

  /** A file with parts, the start of which is its place if all files were concatenated. */
  record Source(String name, long start, long key, long lsn) {}

  /** Receives parts. */
  interface Parts {
    /**
     * A part.
     *
     * @param file index in {@link #files}
     * @param offset of the part in the file
     * @return whether to continue with the next one
     */
    boolean part(int file, long offset);
  }

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final int ITEM = 8; // place of the part, and number of the next older item
  private static final int CHUNK_SHIFT = 16; // items of a chunk
  private static final int BLOCK_SHIFT = 9; // pages of a block
  private static final int BLOCK_MASK = (1 << BLOCK_SHIFT) - 1;
  private static final int PLACE_SHIFT = 4; // parts start at multiples of 16 in a file
  private static final long LOW = 0xFFFF_FFFFL;
  private static final int RECENT = 1 << 12;
  private static final int SEVERAL = -1;

  private final Medium medium;
  private final Image image;
  private final long limit;
  private @Nullable SteadyArena arena; // created for the first part: most openings find none
  private final List<Source> files = new ArrayList<>();
  private final List<MemorySegment> chunks = new ArrayList<>();
  private final List<MemorySegment> places = new ArrayList<>(); // a bitmap for each of the files
  private int[] @Nullable [] newest = new int[64][]; // number of the newest item of each page
  private int items;
  private long pages;
  private long used;
  private boolean complete = true;
  private long end;
  private long highest = Long.MIN_VALUE;

  private long filesEnd; // total size of the files
  private long place; // of the present part, if all files were concatenated
  private boolean whole; // whether that part is a transaction
  private int itemsBefore; // number of items when that part began

  // Of the running transaction.
  private long wanted = Long.MIN_VALUE; // the newest value of the recorded word
  private @Nullable CorruptException refused;

  // A cache: page, and address and size of the only run that the newest item's part stores to it.
  private long[] recent = {};

  /**
   * Creates an empty index.
   *
   * @param limit maximum size in bytes, of Java heap and native memory together
   */
  public RedoIndex(Medium medium, Image image, long limit) {
    this.medium = medium;
    this.image = image;
    this.limit = limit;
  }

  @Override
  public void part(String file, long bytes, long key, long offset, long lsn, boolean isWhole) {
    whole = isWhole;
    itemsBefore = items;
    if (files.isEmpty() || !files.getLast().name.equals(file) || isWrapped(offset)) {
      files.add(new Source(file, filesEnd, key, lsn));
      filesEnd += bytes + 15 & -16;
      addPlaces(bytes);
    }
    place = files.getLast().start + offset;
  }

  /** Whether a ring continues at its start: as a source of its own, so that places ascend. */
  private boolean isWrapped(long offset) {
    return files.getLast().start + offset < place;
  }

  private void addPlaces(long bytes) {
    MemorySegment bitmap = complete ? allocate(8 * ((bytes >>> PLACE_SHIFT >>> 6) + 1)) : null;
    if (bitmap == null || filesEnd >>> PLACE_SHIFT > LOW) {
      giveUp();
    } else {
      places.add(bitmap);
    }
  }

  @Override
  public void run(long address, MemorySegment source, long offset, int words) {
    long bytes = 8L * words;
    if (image.word >= address && image.word - address < bytes) {
      wanted = source.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + image.word - address);
    }
    if (lies(address, bytes)) {
      long first = address >>> image.pageShift;
      long last = (address + bytes - 1) >>> image.pageShift;
      for (long page = first; page <= last; page++) {
        add(page, address, first == last ? bytes : SEVERAL);
      }
    }
  }

  @Override
  public void fill(long address, long stride, long times, long value) {
    long bytes = stride * (times - 1) + 8; // does not overflow: the reader checked this
    if (image.word >= address
        && image.word - address < bytes
        && (image.word - address) % stride == 0) {
      wanted = value;
    }
    if (address >>> image.chunkShift != (address + bytes - 1) >>> image.chunkShift) {
      refuse(
          String.format(
              Locale.ROOT,
              "fills %d words every %d bytes at address %d, beyond the end of a chunk",
              times,
              stride,
              address));
    } else if (lies(address, bytes)) {
      long step = Math.max(stride, 1L << image.pageShift);
      for (long at = address; at < address + bytes; at += step) {
        add(at >>> image.pageShift, address, SEVERAL);
      }
      add((address + bytes - 1) >>> image.pageShift, address, SEVERAL);
    }
  }

  private boolean lies(long address, long bytes) {
    if (address < image.first || bytes > image.size || address > image.size - bytes) {
      refuse(
          String.format(
              Locale.ROOT,
              "changes address %d, which the home image of %d bytes does not have",
              address,
              image.size));
      return false;
    }
    end = Math.max(end, address + bytes);
    return true;
  }

  private void refuse(String what) {
    if (refused == null) {
      refused = CorruptException.heap("The log of " + medium.location() + " " + what + ".");
    }
  }

  /**
   * The entries since the last call are a complete transaction.
   *
   * @throws CorruptException if one of them stores to an address outside of the home image
   */
  @Override
  public void committed(long lsn) {
    if (refused != null) {
      throw refused;
    }
    highest = Math.max(highest, wanted);
  }

  /**
   * Adds the present part to a page.
   *
   * @param bytes size of a run that lies in this page only; otherwise {@link #SEVERAL}
   */
  private void add(long page, long address, long bytes) {
    int[] block = complete ? block(page) : null;
    if (block == null) {
      return;
    }
    if (recent.length == 0) {
      recent = new long[3 * RECENT];
      Arrays.fill(recent, -1);
    }
    int index = (int) page & BLOCK_MASK;
    int number = block[index];
    int slot = 3 * ((int) page & (RECENT - 1));
    if (number != 0) {
      if (number > itemsBefore) { // to look at an older item would be a cache miss
        recent[slot + 2] = recent[slot] == page ? SEVERAL : recent[slot + 2];
        return;
      }
      boolean same =
          recent[slot] == page && recent[slot + 1] == address && recent[slot + 2] == bytes;
      if (whole && same && bytes != SEVERAL) {
        set(number, item(number) & LOW);
        return;
      }
    }
    if ((items & ((1 << CHUNK_SHIFT) - 1)) == 0 && !addChunk()) {
      return;
    }
    pages += number == 0 ? 1 : 0;
    set(++items, number);
    block[index] = items;
    recent[slot] = page;
    recent[slot + 1] = address;
    recent[slot + 2] = bytes;
  }

  private boolean addChunk() {
    MemorySegment chunk = items == 1 << 30 ? null : allocate((long) ITEM << CHUNK_SHIFT);
    if (chunk == null) {
      giveUp();
      return false;
    }
    chunks.add(chunk);
    return true;
  }

  /** Native memory full of zeros; null if there is none within the limit. */
  private @Nullable MemorySegment allocate(long bytes) {
    if (!take(bytes)) {
      return null;
    }
    try {
      SteadyArena from = arena;
      if (from == null) {
        from = new SteadyArena();
        arena = from;
      }
      return from.allocate(bytes, ITEM);
    } catch (OutOfMemoryError e) { // no native memory
      return null;
    }
  }

  private long item(int number) {
    return chunk(number).get(LONG, at(number));
  }

  private void set(int number, long before) {
    chunk(number).set(LONG, at(number), (place >>> PLACE_SHIFT) << Integer.SIZE | before);
  }

  private static long placeOf(long item) {
    return item >>> Integer.SIZE << PLACE_SHIFT;
  }

  private MemorySegment chunk(int number) {
    return chunks.get((number - 1) >>> CHUNK_SHIFT);
  }

  private static long at(int number) {
    return (long) ITEM * ((number - 1) & ((1 << CHUNK_SHIFT) - 1));
  }

  /** The block of a page: the numbers of the newest items of its pages; null if given up. */
  private int @Nullable [] block(long page) {
    int number = (int) (page >>> BLOCK_SHIFT);
    if (number >= newest.length) {
      int length = Math.max(number + 1, newest.length * 2);
      if (!take(8L * (length - newest.length))) {
        giveUp();
        return null;
      }
      newest = Arrays.copyOf(newest, length);
    }
    int[] block = newest[number];
    if (block == null) {
      if (!take(16 + 4L * (BLOCK_MASK + 1))) {
        giveUp();
        return null;
      }
      block = new int[BLOCK_MASK + 1];
      newest[number] = block;
    }
    return block;
  }

  private boolean take(long bytes) {
    used += bytes;
    return used <= limit;
  }

  private void giveUp() {
    complete = false;
    newest = new int[0][];
    chunks.clear();
    places.clear();
    close();
  }

  /** Whether the index has all parts; if not, it would have exceeded its limit and has none. */
  public boolean isComplete() {
    return complete;
  }

  /** Size of a page as a power of two. */
  int pageShift() {
    return image.pageShift;
  }

  /** The files with the parts. */
  List<Source> files() {
    return List.copyOf(files);
  }

  /** Number of pages that the log changes; valid if the index is complete. */
  public long pages() {
    return pages;
  }

  /** The address behind the last word that the log changes; 0 if it changes none. */
  public long end() {
    return end;
  }

  /** The highest value that a transaction stored to the recorded word; else the minimum. */
  public long highest() {
    return highest;
  }

  /**
   * The pages that the log changes, as a bitmap; null if there is none.
   *
   * @param first page of the bitmap
   * @param count of bits
   */
  public long @Nullable [] changed(long first, int count) {
    long[] bitmap = null;
    for (long page = first; page < first + count; ) {
      int[] block = blockOrNull(page);
      long next = Math.min(first + count, (page | BLOCK_MASK) + 1);
      for (; block != null && page < next; page++) {
        if (block[(int) page & BLOCK_MASK] != 0) {
          bitmap = bitmap == null ? new long[(count + 63) >>> 6] : bitmap;
          bitmap[(int) (page - first) >>> 6] |= 1L << (page - first);
        }
      }
      page = next;
    }
    return bitmap;
  }

  private int @Nullable [] blockOrNull(long page) {
    long number = page >>> BLOCK_SHIFT;
    return number < newest.length ? newest[(int) number] : null;
  }

  /** Passes on the parts that change a page, the newest first. */
  void forEach(long page, Parts parts) {
    int[] block = blockOrNull(page);
    int number = block == null ? 0 : block[(int) page & BLOCK_MASK];
    while (number != 0) {
      long item = item(number);
      int file = fileOf(placeOf(item));
      if (!parts.part(file, placeOf(item) - files.get(file).start)) {
        return;
      }
      number = (int) item;
    }
  }

  /**
   * Calls back for all parts that are needed to redo pages, in the order of the log. Allocates
   * nothing; by one thread at a time.
   */
  void forEachPart(Parts parts) {
    for (int number = 1; number <= items; number++) {
      long itemPlace = placeOf(item(number));
      int file = fileOf(itemPlace);
      long bit = (itemPlace - files.get(file).start) >>> PLACE_SHIFT;
      MemorySegment bitmap = places.get(file);
      long word = bit >>> 6 << 3;
      bitmap.set(LONG, word, bitmap.get(LONG, word) | 1L << bit);
    }
    for (int file = 0; file < places.size(); file++) {
      MemorySegment bitmap = places.get(file);
      for (long word = 0; word < bitmap.byteSize(); word += 8) {
        for (long rest = bitmap.get(LONG, word); rest != 0; rest &= rest - 1) {
          long bit = (word << 3) + Long.numberOfTrailingZeros(rest);
          if (!parts.part(file, bit << PLACE_SHIFT)) {
            return;
          }
        }
      }
    }
  }

  /** Passes on the numbers of all pages that the log changes. */
  void forEachPage(LongConsumer action) {
    for (int block = 0; block < newest.length; block++) {
      int[] numbers = newest[block];
      for (int i = 0; numbers != null && i < numbers.length; i++) {
        if (numbers[i] != 0) {
          action.accept(((long) block << BLOCK_SHIFT) + i);
        }
      }
    }
  }

  private int fileOf(long wantedPlace) {
    int low = 0;
    int high = files.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (files.get(middle).start <= wantedPlace) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Frees the memory; the index must not be used afterwards. */
  @Override
  public void close() {
    SteadyArena open = arena;
    if (open != null) {
      open.close();
    }
  }
}
