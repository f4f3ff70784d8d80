package io.everheap.engine.tx;

import io.everheap.engine.home.Home;
import io.everheap.error.TooLargeException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The stores of the running transaction, invisible to all other threads: images of lines of 64
 * bytes, each with a mask of the words that were stored. Lines are found by a linear search, or in
 * a hash table if there are more than {@value #MAX_LINEAR}; a Bloom filter of one word makes misses
 * fast. It also holds the stripes that the stores touch, the fills, and, inside a savepoint, an
 * undo log of replaced words. Used by the writer only.
 */
final class WriteSet {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Lines that are searched linearly at most. */
  private static final int MAX_LINEAR = 8;

  private static final int INITIAL_LINES = 64;

  /** Lines of a transaction above which its arrays are replaced by the initial ones. */
  private static final int MAX_KEPT_LINES = 1 << 16;

  private static final long[] EMPTY = {};

  /** The initial arrays, which are used again after a large transaction. */
  private static final class Spare {
    final long[] lines = new long[INITIAL_LINES];
    final long[] words = new long[INITIAL_LINES * 8];
    final byte[] masks = new byte[INITIAL_LINES];
    final byte[] logged = new byte[INITIAL_LINES];
    final int[] slots = new int[INITIAL_LINES];
    final int[] table = new int[INITIAL_LINES * 4];
  }

  private final long maxLines;
  private final Spare spare = new Spare();
  private long[] lines = spare.lines; // line number: address / 64
  private long[] words = spare.words;
  private byte[] masks = spare.masks;
  private byte[] logged = spare.logged; // mask of words that the entry of a fresh block contains
  private int[] slots = spare.slots; // the line's slot in the table, to empty it
  private int[] table = spare.table; // index + 1; 0 is empty; unused for few lines
  private int count;
  private long bloom;

  private int[] stripes = new int[64];
  private int stripeCount;
  private final long[] stripeSeen = new long[Stripes.COUNT / 64];

  private long[] fills = new long[0]; // address, stride << 32 | times, value
  private int fillCount;

  private boolean torn;
  private boolean recording; // inside a savepoint
  private long[] undo = new long[0]; // word index << 1 | was stored, old value
  private int undoCount;

  /** Thrown by a store of the innermost level; null if none was refused. */
  private @Nullable TooLargeException refusal;

  WriteSet(long maxBytes) {
    this.maxLines = Math.min(Math.max(1, maxBytes / 64), (1 << 28) - 8);
  }

  /**
   * The exception by which a store of the innermost level was refused; null if none was. An
   * operation of the level stored only a part of its words then, so the level must not commit.
   */
  @Nullable TooLargeException refusal() {
    return refusal;
  }

  boolean isEmpty() {
    return count == 0 && fillCount == 0;
  }

  /**
   * Whether an error of the virtual machine interrupted a change, so that lookups are not reliable;
   * {@link #clear} ends this.
   */
  boolean isTorn() {
    return torn;
  }

  /** Index of the stored word in {@link #word}, or -1 if this address was not stored to. */
  int find(long address) {
    long line = address >>> 6;
    int h = hash(line);
    if ((bloom & (1L << h)) == 0) {
      return -1;
    }
    int i = lookup(line, h);
    int word = (int) (address >>> 3) & 7;
    return i >= 0 && (masks[i] & (1 << word)) != 0 ? (i << 3) + word : -1;
  }

  long word(int index) {
    return words[index];
  }

  void put(int stripe, long address, long value) {
    if (stripe >= 0) {
      touch(stripe);
    }
    set(line(address >>> 6), (int) (address >>> 3) & 7, value);
  }

  /** Index of a line for {@link #set}; adds the line if it is missing. */
  int line(long line) {
    int h = hash(line);
    int i = (bloom & (1L << h)) == 0 ? -1 : lookup(line, h);
    return i < 0 ? add(line, h) : i;
  }

  /** Whether a line of this range was stored to. */
  boolean hasAny(long address, int bytes) {
    if (count == 0) {
      return false;
    }
    long end = (address + bytes - 1) >>> 6;
    for (long line = address >>> 6; line <= end; line++) {
      int h = hash(line);
      if ((bloom & (1L << h)) != 0 && lookup(line, h) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Stores a word of a line. */
  void set(int i, int word, long value) {
    int index = (i << 3) + word;
    if (recording) {
      record(index, (masks[i] >>> word) & 1);
    }
    masks[i] |= (byte) (1 << word);
    words[index] = value;
  }

  /** Stores consecutive words of a line from little-endian bytes. */
  void set(int i, int first, int count, byte[] src, int at) {
    if (recording) {
      for (int word = first; word < first + count; word++) {
        record((i << 3) + word, (masks[i] >>> word) & 1);
      }
    }
    torn = true;
    masks[i] |= (byte) (((1 << count) - 1) << first);
    long[] target = words;
    int index = (i << 3) + first;
    for (int n = 0; n < count; n++) {
      target[index + n] = (long) WORD.get(src, at + 8 * n);
    }
    torn = false;
  }

  void touch(int stripe) {
    long bit = 1L << stripe;
    if ((stripeSeen[stripe >>> 6] & bit) == 0) {
      if (stripeCount == stripes.length) {
        stripes = Arrays.copyOf(stripes, stripeCount * 2);
      }
      stripeSeen[stripe >>> 6] |= bit;
      stripes[stripeCount++] = stripe;
    }
  }

  void fill(long address, int stride, int times, long value) {
    if (fillCount + 3 > fills.length) {
      fills = Arrays.copyOf(fills, Math.max(48, fills.length * 2));
    }
    fills[fillCount++] = address;
    fills[fillCount++] = (long) stride << 32 | times;
    fills[fillCount++] = value;
  }

  /** Begins a savepoint: stores from now on record the words that they replace. */
  Savepoint savepoint(int participantMark) {
    Savepoint s = new Savepoint(undoCount, fillCount, recording, participantMark, refusal);
    recording = true;
    refusal = null;
    return s;
  }

  /**
   * A savepoint. A rollback to it keeps lines and stripes that were added since: a line with an
   * empty mask has no stores.
   */
  record Savepoint(
      int undo,
      int fills,
      boolean wasRecording,
      int participantMark,
      @Nullable TooLargeException refusalBefore) {}

  void rollbackTo(Savepoint s) {
    while (undoCount > s.undo) {
      long old = undo[--undoCount];
      long key = undo[--undoCount];
      int index = (int) (key >>> 1);
      words[index] = old;
      if ((key & 1) == 0) {
        masks[index >>> 3] &= (byte) ~(1 << (index & 7));
      }
    }
    fillCount = s.fills;
    recording = s.wasRecording;
    refusal = s.refusalBefore;
  }

  void release(Savepoint s) {
    recording = s.wasRecording;
    refusal = s.refusalBefore;
    if (!recording) {
      undoCount = 0;
    }
  }

  int lineCount() {
    return count;
  }

  long lineAddress(int i) {
    return lines[i] << 6;
  }

  int mask(int i) {
    return masks[i] & 0xff;
  }

  /** The words of all lines; those of line {@code i} begin at index {@code 8 * i}. */
  long[] words() {
    return words;
  }

  /** Stores all lines to the home image. */
  void storeTo(Home home) {
    home.putLines(lines, masks, words, count);
  }

  /** Mask of the stored words of a line that no entry of a fresh block contains. */
  int unloggedMask(int i) {
    return masks[i] & ~logged[i] & 0xff;
  }

  /** Records that the entry of a fresh block contains the word at an index of {@link #find}. */
  void setLogged(int index) {
    logged[index >>> 3] |= (byte) (1 << (index & 7));
  }

  int fillCount() {
    return fillCount / 3;
  }

  long fillAddress(int i) {
    return fills[3 * i];
  }

  int fillStride(int i) {
    return (int) (fills[3 * i + 1] >>> 32);
  }

  int fillTimes(int i) {
    return (int) fills[3 * i + 1];
  }

  long fillValue(int i) {
    return fills[3 * i + 2];
  }

  int[] stripes() {
    return stripes;
  }

  int stripeCount() {
    return stripeCount;
  }

  /** Removes everything. Allocates nothing: large arrays are replaced by the initial ones. */
  void clear() {
    for (int i = 0; i < stripeCount; i++) {
      stripeSeen[stripes[i] >>> 6] = 0;
    }
    stripeCount = 0;
    fillCount = 0;
    undoCount = 0;
    recording = false;
    refusal = null;
    bloom = 0;
    if (count > MAX_KEPT_LINES) {
      lines = spare.lines;
      words = spare.words;
      masks = spare.masks;
      logged = spare.logged;
      slots = spare.slots;
      table = spare.table;
      undo = EMPTY;
      torn = true; // they may contain old entries, from before they became too small
    }
    if (torn) {
      Arrays.fill(masks, (byte) 0);
      Arrays.fill(logged, (byte) 0);
      Arrays.fill(table, 0);
      torn = false;
    } else {
      for (int i = 0; i < count; i++) {
        masks[i] = 0;
        logged[i] = 0;
      }
      if (count > MAX_LINEAR) {
        for (int i = 0; i < count; i++) {
          table[slots[i]] = 0;
        }
      }
    }
    count = 0;
    if (undo.length > MAX_KEPT_LINES) {
      undo = EMPTY;
    }
  }

  private static int hash(long line) {
    return (int) ((line * 0x9E37_79B9_7F4A_7C15L) >>> 33);
  }

  private int lookup(long line, int h) {
    if (count <= MAX_LINEAR) {
      int i = count - 1;
      while (i >= 0 && lines[i] != line) {
        i--;
      }
      return i;
    }
    int mask = table.length - 1;
    for (int slot = (h >>> 6) & mask; ; slot = (slot + 1) & mask) {
      int i = table[slot] - 1;
      if (i < 0 || lines[i] == line) {
        return i;
      }
    }
  }

  private int add(long line, int h) {
    if (count == lines.length) {
      grow();
    }
    torn = true;
    int i = count++;
    lines[i] = line;
    bloom |= 1L << h;
    if (i == MAX_LINEAR) {
      insertAll();
    } else if (i > MAX_LINEAR) {
      insert(i, h);
    }
    torn = false;
    return i;
  }

  private void insert(int i, int h) {
    int mask = table.length - 1;
    int slot = (h >>> 6) & mask;
    while (table[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    table[slot] = i + 1;
    slots[i] = slot;
  }

  private void grow() {
    if (count >= maxLines) {
      throw refuse(count * 64L);
    }
    int capacity = (int) Math.min(count * 2L, (1 << 28) - 8);
    long[] newLines = Arrays.copyOf(lines, capacity);
    long[] newWords = Arrays.copyOf(words, capacity * 8);
    byte[] newMasks = Arrays.copyOf(masks, capacity);
    byte[] newLogged = Arrays.copyOf(logged, capacity);
    int[] newSlots = Arrays.copyOf(slots, capacity);
    int[] newTable = new int[Integer.highestOneBit(capacity * 2 - 1) * 2];
    torn = true; // only now, since all allocations are done
    lines = newLines;
    words = newWords;
    masks = newMasks;
    logged = newLogged;
    slots = newSlots;
    table = newTable;
    insertAll();
    torn = false;
  }

  private TooLargeException refuse(long bytes) {
    TooLargeException e = TooLargeException.transaction(bytes, maxLines * 64L);
    refusal = e;
    return e;
  }

  private void insertAll() {
    for (int i = 0; i < count; i++) {
      insert(i, hash(lines[i]));
    }
  }

  private void record(int index, int wasStored) {
    if (undoCount + 2 > undo.length) {
      if (undoCount / 2
          >= Math.min(8 * maxLines, 1 << 29)) { // the same limit as for the words themselves
        throw refuse(undoCount * 4L);
      }
      undo = Arrays.copyOf(undo, (int) Math.min((1L << 31) - 16, Math.max(64, undo.length * 2L)));
    }
    undo[undoCount++] = (long) index << 1 | wasStored;
    undo[undoCount++] = words[index];
  }
}
