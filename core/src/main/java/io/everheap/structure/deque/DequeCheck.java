package io.everheap.structure.deque;

import io.everheap.codec.Codec;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.ValueCheck;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks a deque chunk by chunk, whatever its bytes are: that chunks are there and owned once, lead
 * to each other, and have growing positions; that the ends are elements, and as many places between
 * are gone as the header says; that the values are sound.
 */
public final class DequeCheck {
  private static final String KIND = "deque";

  private final DequeChunks chunks;
  private final StructureFindings findings;
  private final BlockCheck blocks;
  private final ValueCheck values;
  private final long head;
  private final long tail;
  private long found;

  public DequeCheck(
      StructureContext heap,
      DequeChunks chunks,
      @Nullable Codec<?> codec,
      StructureFindings findings) {
    this.chunks = chunks;
    this.findings = findings;
    this.blocks = new BlockCheck(heap, findings);
    boolean words = chunks.words();
    Codec<?> fitting = ValueCheck.fitting(findings, chunks.at(), words, codec);
    this.values = new ValueCheck(heap, findings, words, fitting);
    this.head = chunks.head();
    this.tail = chunks.tail();
  }

  public void run() {
    long kind = chunks.memory().getLong(chunks.at() + DequeLayout.KIND);
    long size = tail - head - chunks.gone();
    boolean none = chunks.firstChunk() == Reference.NULL;
    boolean plausible =
        head <= tail
            && tail - head >= 0
            && chunks.gone() >= 0
            && size >= 0
            && (size > 0) == (head < tail)
            && kind >= 0
            && kind <= 1
            && none == (chunks.lastChunk() == Reference.NULL)
            && none == (size == 0 && head == DequeLayout.base(head));
    if (!plausible) {
      problem(
          chunks.at(),
          String.format(
              Locale.ROOT,
              "an impossible deque from %d to %d, %d gone",
              head,
              tail,
              chunks.gone()));
      return;
    }
    if (walk() && found != size) {
      problem(chunks.at(), "the size is " + size + ", the elements are " + found);
    }
  }

  private void problem(long at, String message) {
    findings.problem(KIND, at, null, message);
  }

  /** Goes through all chunks; false if that was not possible. */
  private boolean walk() {
    long at = chunks.at() + DequeLayout.FIRST;
    long previous = Reference.NULL;
    long least = DequeLayout.base(head);
    for (long chunk = chunks.firstChunk(); chunk != Reference.NULL; ) {
      if (!blocks.own(at, "a chunk", chunk, BlockType.DEQUE_CHUNK, DequeLayout.CHUNK_BYTES)) {
        return false;
      }
      long base = chunks.base(chunk);
      boolean first = previous == Reference.NULL;
      boolean inOrder =
          base == DequeLayout.base(base) && (first ? base == least : base >= least && base < tail);
      if (!inOrder || chunks.previous(chunk) != previous) {
        problem(Reference.address(chunk), "a chunk at " + base + " is out of order");
        return false;
      }
      places(chunk, base);
      least = base + DequeLayout.CHUNK_PLACES;
      previous = chunk;
      at = Reference.address(chunk) + DequeLayout.NEXT;
      chunk = chunks.next(chunk);
    }
    if (previous != chunks.lastChunk() || (previous != Reference.NULL && least < tail)) {
      problem(chunks.at() + DequeLayout.LAST, "the last chunk is not the one that it should be");
      return false;
    }
    return true;
  }

  private void places(long chunk, long base) {
    long dead = chunks.dead(chunk);
    for (long p = base; p < base + DequeLayout.CHUNK_PLACES; p++) {
      boolean gone = (dead & DequeLayout.bit(p)) != 0;
      if (gone && (p <= head || p >= tail - 1)) {
        problem(
            Reference.address(chunk) + DequeLayout.DEAD,
            "the place of " + p + " is gone, which is not between the ends");
      }
      if (!gone && p >= head && p < tail) {
        long at = DequeLayout.place(chunk, p);
        found++;
        findings.counted();
        values.check(at, chunks.memory().getLong(at), found - 1);
      }
    }
  }
}
