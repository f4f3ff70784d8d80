package io.everheap.engine.log;

import io.everheap.error.CorruptHeapException;
import io.everheap.memory.Medium;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the log has the changes of each page: a list of parts for each, the newest first. Made by
 * one thread while the log is read; then it stays as it is, and any thread may use it.
 *
 * <p>A part takes {@value #ITEM} bytes of memory beside the Java heap for each page that it
 * changes, and the table of the pages 4 bytes of the Java heap for each page, and those near it. If
 * a transaction of one part stores once to a page, to the same words as the part before it did, as
 * those of a counter, it takes the place of that. What takes more than the limit is no index: see
 * {@link #isComplete}.
 */
public final class RedoIndex implements EntrySink, AutoCloseable {
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

  /** A file that has parts. */
  record Source(String name, long start, long key, long lsn) {}

  /** Takes the parts that change a page. */
  interface Parts {
    /**
     * A part.
     *
     * @param file index in {@link #files}
     * @param offset where it starts in the file
     * @return whether to go on with older ones
     */
    boolean part(int file, long offset);
  }

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final int ITEM = 8; // place of the part, and number of the item before it
  private static final int CHUNK_SHIFT = 16; // items of a chunk
  private static final int BLOCK_SHIFT = 9; // pages of a block
  private static final int BLOCK_MASK = (1 << BLOCK_SHIFT) - 1;
  private static final int PLACE_SHIFT = 4; // parts start at multiples of that in a file
  private static final int PLACES_OF_BYTE = 8 << PLACE_SHIFT; // bytes of a file; of the bitmap
  private static final long LOW = 0xFFFF_FFFFL;
  private static final int RECENT = 1 << 12;
  private static final int SEVERAL = -1;

  private final Medium medium;
  private final Image image;
  private final long limit;
  private @Nullable Arena arena; // made for the first part: most openings find none
  private final List<Source> files = new ArrayList<>();
  private final List<MemorySegment> chunks = new ArrayList<>();
  private int[] @Nullable [] newest = new int[64][]; // number of the newest item of each page
  private int items;
  private long pages;
  private long used;
  private boolean complete = true;
  private long end;
  private long highest = Long.MIN_VALUE;

  private long filesEnd; // as if the files stood one behind the other
  private long place; // of the part that is read, from the start of the first file
  private boolean whole; // whether that part is a transaction

  // Of the running transaction.
  private long wanted = Long.MIN_VALUE; // the newest value of the followed word
  private @Nullable CorruptHeapException refused;

  // For some pages: page, address and bytes of what the newest item's part stores to it.
  private long[] recent = {};

  /**
   * An index of no page.
   *
   * @param limit the most bytes that it may take of the Java heap and beside it
   */
  public RedoIndex(Medium medium, Image image, long limit) {
    this.medium = medium;
    this.image = image;
    this.limit = limit;
  }

  @Override
  public void part(String file, long bytes, long key, long offset, long lsn, boolean isWhole) {
    whole = isWhole;
    if (files.isEmpty() || !files.getLast().name.equals(file)) {
      files.add(new Source(file, filesEnd, key, lsn));
      filesEnd += bytes + 15 & -16;
      if (filesEnd >>> PLACE_SHIFT > LOW || !take(bytes / PLACES_OF_BYTE)) {
        giveUp();
      }
    }
    place = files.getLast().start + offset;
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
    long bytes = stride * (times - 1) + 8; // the reader checked that this is no overflow
    if (image.word >= address
        && image.word - address < bytes
        && (image.word - address) % stride == 0) {
      wanted = value;
    }
    if (address >>> image.chunkShift != (address + bytes - 1) >>> image.chunkShift) {
      refuse(
          "fills %d words every %d bytes at address %d, beyond the end of a chunk"
              .formatted(times, stride, address));
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
          "changes address %d, which the home image of %d bytes does not have"
              .formatted(address, image.size));
      return false;
    }
    end = Math.max(end, address + bytes);
    return true;
  }

  private void refuse(String what) {
    if (refused == null) {
      refused = new CorruptHeapException("The log of " + medium.location() + " " + what + ".");
    }
  }

  /**
   * The entries since the last call are those of a transaction.
   *
   * @throws CorruptHeapException if the home image does not have what they store to
   */
  @Override
  public void committed(long lsn) {
    if (refused != null) {
      throw refused;
    }
    highest = Math.max(highest, wanted);
  }

  /**
   * Adds the part that is read to a page.
   *
   * @param bytes of words one behind the other that it stores, all in this page; else {@link
   *     #SEVERAL}
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
      long item = item(number);
      if (placeOf(item) == place) {
        recent[slot + 2] = recent[slot] == page ? SEVERAL : recent[slot + 2];
        return;
      }
      boolean same =
          recent[slot] == page && recent[slot + 1] == address && recent[slot + 2] == bytes;
      if (whole && same && bytes != SEVERAL) {
        set(number, item & LOW);
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
    long bytes = (long) ITEM << CHUNK_SHIFT;
    if (items == 1 << 30 || !take(bytes)) {
      giveUp();
      return false;
    }
    try {
      Arena chunksOf = arena;
      if (chunksOf == null) {
        chunksOf = Arena.ofShared();
        arena = chunksOf;
      }
      chunks.add(chunksOf.allocate(bytes, ITEM));
      return true;
    } catch (OutOfMemoryError e) { // the limit of what a process takes beside its heap
      giveUp();
      return false;
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

  /** The numbers of the newest items of the pages around one; null if there is no memory. */
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
    close();
  }

  /** Whether it has all parts; if not, it took too much memory and has none. */
  public boolean isComplete() {
    return complete;
  }

  /** Bytes of a page, as a power of two. */
  int pageShift() {
    return image.pageShift;
  }

  /** The files that have the parts. */
  List<Source> files() {
    return List.copyOf(files);
  }

  /** Number of pages that the log changes; of a complete index. */
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

  /** Gives the parts that change a page, the newest first. */
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

  /** Gives all parts that a page's redo needs, in the order of the log. */
  void forEachPart(Parts parts) {
    long[] places = new long[(int) (filesEnd >>> PLACE_SHIFT >>> 6) + 1];
    for (int number = 1; number <= items; number++) {
      long bit = placeOf(item(number)) >>> PLACE_SHIFT;
      places[(int) (bit >>> 6)] |= 1L << bit;
    }
    for (int word = 0; word < places.length; word++) {
      for (long rest = places[word]; rest != 0; rest &= rest - 1) {
        long at = (((long) word << 6) + Long.numberOfTrailingZeros(rest)) << PLACE_SHIFT;
        int file = fileOf(at);
        if (!parts.part(file, at - files.get(file).start)) {
          return;
        }
      }
    }
  }

  /** Gives the numbers of all pages that the log changes. */
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

  /** Releases the memory; nothing is asked for afterwards. */
  @Override
  public void close() {
    Arena open = arena;
    if (open != null && open.scope().isAlive()) {
      open.close();
    }
  }
}
