package io.everheap.engine.bytes;

import io.everheap.engine.tx.HeapMemory;
import java.lang.foreign.MemorySegment;

/**
 * Loads and stores of 1 to 8 bytes at any address of the home image, and copies of ranges, in terms
 * of the words that transactions load and store. A range lies within one block. An access to more
 * than one word is not atomic for readers, which must validate a stripe.
 *
 * <p>Thread-safe, like {@link HeapMemory}: stores are for the writer.
 */
public final class HeapBytes {
  private static final int PIECE = 8192;

  private final HeapMemory memory;

  /** Access to the bytes of a home image. */
  public HeapBytes(HeapMemory memory) {
    this.memory = memory;
  }

  /**
   * Loads a value.
   *
   * @param width bytes: 1, 2, 4 or 8
   * @return the bytes, little-endian; the bits above them are arbitrary
   */
  public long get(long address, int width) {
    int first = (int) address & 7;
    long low = memory.getLong(address - first);
    if (first == 0) {
      return low;
    }
    low >>>= first << 3;
    int here = 8 - first;
    if (width <= here) {
      return low;
    }
    long high = memory.getLong(address + here) << (here << 3);
    return (low & mask(here)) | high;
  }

  /** Whether a value lies in one word, so that its load or store is atomic. */
  public static boolean inOneWord(long address, int width) {
    return ((int) address & 7) + width <= 8;
  }

  /** Stores the lowest {@code width} bytes of a value in the running transaction. */
  public void put(int stripe, long address, long value, int width) {
    int first = (int) address & 7;
    if (width == 8 && first == 0) {
      memory.putLong(stripe, address, value);
      return;
    }
    int here = Math.min(width, 8 - first);
    putPart(stripe, address - first, first, value, here);
    if (here < width) {
      putPart(stripe, address + here, 0, value >>> (here << 3), width - here);
    }
  }

  private void putPart(int stripe, long word, int first, long value, int width) {
    memory.putLong(stripe, word, merged(memory.getLong(word), first, value, width));
  }

  /**
   * Stores a value directly to a block that was allocated since the current nesting level began, at
   * an address to which this transaction has no store in its write set.
   */
  public void init(long address, long value, int width) {
    int first = (int) address & 7;
    int here = Math.min(width, 8 - first);
    long word = address - first;
    memory.initLong(word, merged(memory.getLong(word), first, value, here));
    if (here < width) {
      word += 8;
      long rest = value >>> (here << 3);
      memory.initLong(word, merged(memory.getLong(word), 0, rest, width - here));
    }
  }

  private static long merged(long old, int first, long value, int width) {
    long mask = mask(width) << (first << 3);
    long moved = value << (first << 3);
    return (old & ~mask) | (moved & mask);
  }

  private static long mask(int bytes) {
    return bytes == 8 ? -1 : (1L << (bytes << 3)) - 1;
  }

  /** Copies bytes out, as the calling thread sees them. */
  public void copyOut(long address, MemorySegment target, long at, long length) {
    if (length > 0) {
      memory.copyOut(address, target, at, length);
    }
  }

  /** Stores bytes of a segment in the running transaction. */
  public void copyIn(int stripe, long address, MemorySegment source, long at, long length) {
    byte[] piece = new byte[(int) Math.min(PIECE, length + 8)];
    MemorySegment target = MemorySegment.ofArray(piece);
    long done = 0;
    while (done < length) {
      int first = (int) (address + done) & 7;
      int n = (int) Math.min(piece.length - first, length - done);
      MemorySegment.copy(source, at + done, target, first, n);
      putPiece(stripe, address + done, piece, first, n);
      done += n;
    }
  }

  /** Stores one byte everywhere in a range, in the running transaction. */
  public void fill(int stripe, long address, long length, byte value) {
    byte[] piece = new byte[(int) Math.min(PIECE, length + 8)];
    long done = 0;
    while (done < length) {
      int first = (int) (address + done) & 7;
      int n = (int) Math.min(piece.length - first, length - done);
      java.util.Arrays.fill(piece, first, first + n, value);
      putPiece(stripe, address + done, piece, first, n);
      done += n;
    }
  }

  /** Copies bytes within the home image, in the running transaction; the ranges may overlap. */
  public void move(int stripe, long from, long to, long length) {
    byte[] piece = new byte[(int) Math.min(PIECE, length + 8)];
    boolean backwards = from < to && to < from + length;
    long done = 0;
    while (done < length) {
      int n;
      long at;
      if (backwards) {
        n = (int) Math.min(piece.length - 8, length - done);
        at = length - done - n;
      } else {
        n = (int) Math.min(piece.length - ((int) (to + done) & 7), length - done);
        at = done;
      }
      int first = (int) (to + at) & 7;
      memory.copyOut(from + at, piece, first, n);
      putPiece(stripe, to + at, piece, first, n);
      done += n;
    }
  }

  /** Stores the bytes of a piece from {@code first} on, the offset of the address in its word. */
  private void putPiece(int stripe, long address, byte[] piece, int first, int length) {
    long word = address - first;
    if (first > 0) {
      long old = memory.getLong(word);
      for (int i = 0; i < first; i++) {
        piece[i] = (byte) (old >>> (i << 3));
      }
    }
    memory.putBytes(stripe, word, piece, 0, first + length);
  }
}
