package io.everheap.engine.tx;

import io.everheap.engine.home.Home;
import io.everheap.error.OutsideTransactionException;
import io.everheap.memory.Region;
import io.everheap.memory.Window;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bytes of the home image as the calling thread sees them: the writer sees its own stores, all
 * other threads see the committed state. Addresses are in bytes; words are aligned.
 *
 * <p>A load of one word is atomic. Several loads are consistent only inside a transaction, or after
 * a stripe validated them. Loads of addresses that are not mapped throw a {@link RuntimeException},
 * which an optimistic reader discards unless its stripe validates.
 *
 * <p>Thread-safe; stores are for the thread that runs the transaction, and throw in others.
 */
public sealed class HeapMemory permits SnapshotMemory {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Home home;
  private final WriterLock lock;
  private final WriteSet writes;

  HeapMemory(Home home, WriterLock lock, WriteSet writes) {
    this.home = home;
    this.lock = lock;
    this.writes = writes;
  }

  /** Loads the word at an aligned address. */
  public long getLong(long address) {
    if (lock.isWriter()) {
      int i = writes.find(address);
      if (i >= 0) {
        return writes.word(i);
      }
    }
    return home.getLong(address);
  }

  /**
   * The index, for {@link #storedWord}, of the running transaction's store to an aligned address;
   * -1 if there is none. Valid until the next store.
   */
  public int stored(long address) {
    return writes.find(address);
  }

  /** The word at an index that {@link #stored} returned. */
  public long storedWord(int index) {
    return writes.word(index);
  }

  /**
   * Whether the running transaction has stored nothing yet, so that it sees the committed words. To
   * be called by the writer only.
   */
  public boolean isUntouched() {
    return writes.isEmpty();
  }

  /** Whether the running transaction has stored to a line of this range; for the writer only. */
  public boolean isTouched(long address, int bytes) {
    return writes.hasAny(address, bytes);
  }

  /**
   * Loads the committed word at an aligned address, without consulting the write set: for readers
   * that know that their thread is not the writer.
   */
  public long getCommitted(long address) {
    return home.getLong(address);
  }

  /**
   * The extent that contains an address, from which a read can load several committed words. A
   * reader gets it after it samples its stripe, and drops it after it validates, because the extent
   * may be remapped.
   */
  public Region extent(long address) {
    return home.mapped(address);
  }

  /** Offset of an address in its {@link #extent}. */
  public long offset(long address) {
    return home.offset(address);
  }

  /** Address of the first byte of the {@link #extent} that holds an address. */
  public long extentStart(long address) {
    return address - home.offset(address);
  }

  /** Copies committed bytes from any address, as {@link #getCommitted} loads words. */
  public void copyCommitted(long address, byte[] dst, int at, int len) {
    home.copyOut(address, dst, at, len);
  }

  /** The window on the {@link #extent} of an address; the same object until the heap is closed. */
  public Window window(long address) {
    return home.window(address);
  }

  /** Offset of an address in its {@link #window}. */
  public int windowOffset(long address) {
    return (int) home.offset(address);
  }

  /** Notes that the running transaction frees an object, or changes its layout. */
  public void noteFree() {
    lock.noteFree();
  }

  /** Copies {@code len} bytes from any address. */
  public void copyOut(long address, byte[] dst, int at, int len) {
    home.copyOut(address, dst, at, len);
    if (len > 0 && lock.isWriter() && writes.lineCount() > 0) {
      overlay(address, dst, at, len);
    }
  }

  /** Copies bytes of one block to a segment. */
  public void copyOut(long address, MemorySegment dst, long at, long len) {
    home.copyOut(address, dst, at, len);
    if (lock.isWriter() && writes.lineCount() > 0) {
      overlay(address, dst, at, len);
    }
  }

  private void overlay(long address, MemorySegment dst, long at, long len) {
    for (long word = address & ~7; word < address + len; word += 8) {
      int i = writes.find(word);
      if (i >= 0) {
        long value = writes.word(i);
        for (int b = 0; b < 8; b++) {
          long to = word + b - address;
          if (to >= 0 && to < len) {
            dst.set(ValueLayout.JAVA_BYTE, at + to, (byte) (value >>> (8 * b)));
          }
        }
      }
    }
  }

  private void overlay(long address, byte[] dst, int at, int len) {
    for (long word = address & ~7; word < address + len; word += 8) {
      int i = writes.find(word);
      if (i >= 0) {
        long value = writes.word(i);
        for (int b = 0; b < 8; b++) {
          long to = word + b - address;
          if (to >= 0 && to < len) {
            dst[at + (int) to] = (byte) (value >>> (8 * b));
          }
        }
      }
    }
  }

  /**
   * Stores an aligned word in the running transaction.
   *
   * @param stripe the stripe that readers of this word validate, or {@link Stripes#NONE}
   * @throws OutsideTransactionException outside a transaction of this thread
   */
  public void putLong(int stripe, long address, long value) {
    requireWriter();
    writes.put(stripe, address, value);
  }

  /** Stores bytes at an aligned address; the last word keeps its bytes beyond {@code len}. */
  public void putBytes(int stripe, long address, byte[] src, int at, int len) {
    requireWriter();
    if (stripe >= 0) {
      writes.touch(stripe);
    }
    int whole = len & ~7;
    int i = 0;
    while (i < whole) {
      long to = address + i;
      int first = (int) (to >>> 3) & 7;
      int words = Math.min(8 - first, (whole - i) >>> 3);
      writes.set(writes.line(to >>> 6), first, words, src, at + i);
      i += 8 * words;
    }
    if (whole < len) {
      long mask = (1L << (8 * (len - whole))) - 1;
      long old = getLong(address + whole);
      writes.put(stripe, address + whole, (old & ~mask) | tail(src, at + whole, len - whole));
    }
  }

  /**
   * Like {@link #putBytes}, but stores only the words that change, so that only those are logged.
   * The range lies in one block.
   */
  public void putChanged(int stripe, long address, byte[] src, int at, int len) {
    requireWriter();
    int whole = len & ~7;
    if (writes.hasAny(address, len)) { // the home image does not have the present bytes
      putBytes(stripe, address, src, at, len);
      return;
    }
    if (stripe >= 0) {
      writes.touch(stripe);
    }
    Region region = home.mapped(address);
    long offset = home.offset(address);
    int i = 0;
    while (i < whole) {
      int words = Math.min(8 - ((int) ((address + i) >>> 3) & 7), (whole - i) >>> 3);
      boolean changed = putChangedWords(region, offset + i, address + i, words, src, at + i);
      i += 8 * words;
      if (!changed && i < whole) {
        i += equalBytes(region, offset + i, src, at + i, whole - i) & ~7;
      }
    }
    if (whole < len) {
      long mask = (1L << (8 * (len - whole))) - 1;
      long old = region.getLong(offset + whole);
      long tail = (old & ~mask) | tail(src, at + whole, len - whole);
      if (tail != old) {
        writes.put(stripe, address + whole, tail);
      }
    }
  }

  /** Stores those words of a line that differ from the home image; returns whether any differs. */
  private boolean putChangedWords(
      Region region, long offset, long address, int words, byte[] src, int at) {
    int first = (int) (address >>> 3) & 7;
    int line = -1;
    for (int n = 0; n < words; n++) {
      long word = (long) WORD.get(src, at + 8 * n);
      if (word != region.getLong(offset + 8L * n)) {
        if (line < 0) {
          line = writes.line(address >>> 6);
        }
        writes.set(line, first + n, word);
      }
    }
    return line >= 0;
  }

  private static int equalBytes(Region region, long offset, byte[] src, int at, int len) {
    long first = region.mismatch(offset, src, at, len);
    return first < 0 ? len : (int) first;
  }

  /**
   * Stores a word of the payload of a block that was allocated since the current nesting level
   * began. The store goes directly to the home image, where no committed state can reach the block.
   */
  public void initLong(long address, long value) {
    requireWriter();
    home.putLong(address, value);
  }

  /**
   * The extent of a block that was allocated since the current nesting level began, for direct
   * stores like those of {@link #initLong}. Valid until the transaction ends.
   */
  public Region fresh(long address) {
    requireWriter();
    return home.mapped(address);
  }

  /** Stores bytes like {@link #initLong}; the rest of the last word becomes zero. */
  public void initBytes(long address, byte[] src, int at, int len) {
    requireWriter();
    init(home.mapped(address), home.offset(address), src, at, len);
  }

  /** Like {@link #initBytes}, in a region that {@link #fresh} returned. */
  public static void init(Region fresh, long offset, byte[] src, int at, int len) {
    int whole = len & ~7;
    if (whole > 0) {
      fresh.copyFrom(offset, src, at, whole);
    }
    if (whole < len) {
      fresh.putLong(offset + whole, tail(src, at + whole, len - whole));
    }
  }

  /** Stores bytes of a segment like {@link #initLong}, at any address; changes no other byte. */
  public void initBytes(long address, MemorySegment src, long at, long len) {
    requireWriter();
    home.mapped(address).copyFrom(home.offset(address), src, at, len);
  }

  /** Zeroes a range of whole words like {@link #initLong}. */
  public void initZero(long address, long bytes) {
    requireWriter();
    home.mapped(address).fill(home.offset(address), bytes, (byte) 0);
  }

  /**
   * Stores {@code value} to {@code times} words that are {@code stride} bytes apart, at the commit;
   * until then loads see the old words. Takes one entry in the log, however many words there are.
   */
  public void fillWords(long address, int stride, int times, long value) {
    requireWriter();
    writes.fill(address, stride, times, value);
  }

  /** Records that bytes of a fresh block are stored to the home image before the commit. */
  public void markResident(long address, long bytes) {
    home.markResident(address, bytes);
  }

  /** Adds a stripe to the commit, although no word of it is stored: its readers try again. */
  public void touch(int stripe) {
    requireWriter();
    writes.touch(stripe);
  }

  /**
   * Whether damaged data caused the failure of a load. False if its extent was being remapped or
   * was not mapped: then the reader tries again.
   */
  public boolean isDataFault(RuntimeException e) {
    return !(e instanceof IllegalStateException || e instanceof NullPointerException);
  }

  private static long tail(byte[] src, int at, int len) {
    long word = 0;
    for (int i = 0; i < len; i++) {
      word |= (src[at + i] & 0xffL) << (8 * i);
    }
    return word;
  }

  /**
   * Compares the pages of a range with their checksums, each once until the heap is closed; to be
   * called before the range is taken as a proof that something does not exist. Loads are not
   * compared.
   *
   * @throws io.everheap.error.CorruptException if one is damaged
   */
  public void requireSound(long address, long bytes) {
    home.requireSound(address, bytes);
  }

  /** Whether {@link #requireSound} compares anything on this medium. */
  public boolean comparesPages() {
    return home.comparesPages();
  }

  /**
   * Checks that the calling thread may store.
   *
   * @throws OutsideTransactionException outside a transaction of this thread
   */
  public void requireWriter() {
    if (!lock.isWriter()) {
      throw OutsideTransactionException.required();
    }
  }
}
