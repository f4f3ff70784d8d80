package io.everheap.gc;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import java.util.Arrays;

/**
 * A set of blocks: a bitmap with one bit for each 16 bytes, in pieces of 2 KiB that are allocated
 * for a chunk of 256 KiB when its first block is added. One thread adds; another one may test at
 * the same time without a lock: it may miss recent additions, but sees nothing that was not added.
 */
final class MarkBits {
  private static final int GRANULE_SHIFT = 4;
  private static final int CHUNK_GRANULES_SHIFT = HomeLayout.CHUNK_SHIFT - GRANULE_SHIFT;
  private static final int WORDS = 1 << (CHUNK_GRANULES_SHIFT - 6);

  private long[][] pieces;

  /** An empty set for a home image of this size; it grows if more is added. */
  MarkBits(long capacity) {
    pieces = new long[Math.toIntExact(capacity >>> HomeLayout.CHUNK_SHIFT) + 1][];
  }

  /** Adds a block; false if it was there. */
  boolean add(long reference) {
    long granule = Reference.address(reference) >>> GRANULE_SHIFT;
    long[] piece = piece((int) (granule >>> CHUNK_GRANULES_SHIFT));
    int word = (int) (granule >>> 6) & (WORDS - 1);
    long bit = 1L << granule;
    if ((piece[word] & bit) != 0) {
      return false;
    }
    piece[word] |= bit;
    return true;
  }

  /** Whether a block is in the set. */
  boolean contains(long reference) {
    return containsAddress(Reference.address(reference));
  }

  /** Whether the block at an address is in the set. */
  boolean containsAddress(long address) {
    long granule = address >>> GRANULE_SHIFT;
    int chunk = (int) (granule >>> CHUNK_GRANULES_SHIFT);
    long[][] all = pieces;
    long[] piece = chunk < all.length ? all[chunk] : null;
    return piece != null && (piece[(int) (granule >>> 6) & (WORDS - 1)] & 1L << granule) != 0;
  }

  private long[] piece(int chunk) {
    if (chunk >= pieces.length) {
      pieces = Arrays.copyOf(pieces, chunk + 1 + chunk / 8);
    }
    long[] piece = pieces[chunk];
    if (piece == null) {
      piece = new long[WORDS];
      pieces[chunk] = piece;
    }
    return piece;
  }

  /**
   * Removes blocks in ascending order, and stores their addresses into an array until it is full.
   *
   * @param from address to begin at
   * @return how many were removed; if the array is not full, no block remains at or behind {@code
   *     from}
   */
  int take(long from, long[] addresses) {
    int taken = 0;
    int first = (int) (from >>> HomeLayout.CHUNK_SHIFT);
    for (int chunk = first; chunk < pieces.length; chunk++) {
      long[] piece = pieces[chunk];
      for (int word = 0; piece != null && word < WORDS; word++) {
        while (piece[word] != 0) {
          if (taken == addresses.length) {
            return taken;
          }
          long granule = 64L * word + Long.numberOfTrailingZeros(piece[word]);
          addresses[taken++] =
              ((long) chunk << HomeLayout.CHUNK_SHIFT) + (granule << GRANULE_SHIFT);
          piece[word] &= piece[word] - 1;
        }
      }
    }
    return taken;
  }
}
