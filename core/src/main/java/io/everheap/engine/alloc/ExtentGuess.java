package io.everheap.engine.alloc;

import io.everheap.engine.home.HomeLayout;
import java.util.function.LongUnaryOperator;

/** Guesses the size of a home image's extents without a superblock. Stateless. */
public final class ExtentGuess {
  /** Score of a chunk whose header agrees with its table entry; a zero that should be one has 1. */
  private static final int MATCH = 4;

  private ExtentGuess() {}

  /**
   * The size, as a power of two, for which the chunk tables agree best with the chunks.
   *
   * @param word loads a word of the image
   * @param size of the image
   */
  public static int shift(LongUnaryOperator word, long size) {
    int best = HomeLayout.MIN_EXTENT_SHIFT;
    long bestScore = Long.MIN_VALUE;
    for (int shift = HomeLayout.MIN_EXTENT_SHIFT; shift <= HomeLayout.MAX_EXTENT_SHIFT; shift++) {
      long score = score(word, size, shift);
      if (score > bestScore) {
        bestScore = score;
        best = shift;
      }
    }
    return best;
  }

  private static long score(LongUnaryOperator word, long size, int shift) {
    long score = 0;
    int perExtent = ChunkLayout.chunksPerExtent(shift);
    int chunks = (int) (size >>> ChunkLayout.CHUNK_SHIFT);
    for (int chunk = 0; chunk < chunks; chunk++) {
      long entry = word.applyAsLong(ChunkLayout.entry(chunk, shift));
      int kind = ChunkLayout.kind(entry);
      if ((chunk & (perExtent - 1)) == 0) {
        score += entry == 0 ? 1 : -1;
      } else if (ChunkKind.isSlots(kind) || kind == ChunkKind.PAGES) {
        long header = word.applyAsLong(ChunkLayout.address(chunk));
        score += (header & 0xff) == kind ? MATCH : -MATCH;
      } else if (!ChunkKind.isStorable(kind)) {
        score -= MATCH;
      }
    }
    return score;
  }
}
