package io.everheap.structure.bytes;

import io.everheap.engine.tx.Transactions;
import io.everheap.structure.common.StructureContext;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Bytes whose number changes: what a text and a buffer have in common. */
public final class GrowingBytes {
  private static final int PIECE = 1 << 16;

  public final ChunkedBytes chunks;
  final Transactions tx;

  public GrowingBytes(StructureContext heap, long reference, int type) {
    this.chunks = ChunkedBytes.attachOrDead(heap, reference, type);
    this.tx = heap.transactions();
  }

  public long length() {
    return chunks.reads.read(
        chunks.headerGuard(),
        guard -> {
          chunks.checkAlive();
          return chunks.length();
        });
  }

  /** Runs a body that changes the bytes. */
  public void change(Runnable body) {
    tx.run(
        () -> {
          chunks.checkAlive();
          body.run();
        });
  }

  /** Replaces the bytes from one offset to another by others; inside {@link #change}. */
  public void replace(long from, long to, MemorySegment by) {
    long length = chunks.length();
    long delta = by.byteSize() - (to - from);
    if (delta > 0) {
      ChunkedLifecycle.setLength(chunks, Math.addExact(length, delta));
      move(to, to + delta, length - to);
    }
    chunks.store(from, by, 0, by.byteSize());
    if (delta < 0) {
      move(to, to + delta, length - to);
      ChunkedLifecycle.setLength(chunks, length + delta);
    }
  }

  private void move(long from, long to, long n) {
    MemorySegment piece = MemorySegment.ofArray(new byte[(int) Math.min(PIECE, n)]);
    for (long done = 0; done < n; ) {
      long part = Math.min(PIECE, n - done);
      long at = from < to ? n - done - part : done;
      chunks.load(from + at, piece, 0, part);
      chunks.store(to + at, piece, 0, part);
      done += part;
    }
  }

  /**
   * Copies the bytes from one offset to another, all of one commit.
   *
   * @param to or a negative number for the end
   * @throws IndexOutOfBoundsException if there are fewer
   */
  public byte[] read(long from, long to) {
    Optional<byte[]> found =
        chunks.reads.read(
            chunks.guard(),
            guard -> {
              chunks.checkAlive();
              long end = to < 0 ? chunks.length() : to;
              guard.check();
              return isThere(from, end - from) ? Optional.of(copy(from, end)) : Optional.empty();
            });
    return found.orElseThrow(() -> outOfBounds(from, to));
  }

  private byte[] copy(long from, long end) {
    if (end - from > Integer.MAX_VALUE - 16) {
      throw new IllegalArgumentException((end - from) + " bytes do not fit into an array");
    }
    byte[] bytes = new byte[(int) (end - from)];
    chunks.load(from, MemorySegment.ofArray(bytes), 0, bytes.length);
    return bytes;
  }

  /** Copies bytes to a segment, all of one commit. */
  public void read(long from, MemorySegment target, long at, long n) {
    boolean found =
        chunks.reads.read(
            chunks.guard(),
            guard -> {
              chunks.checkAlive();
              boolean there = isThere(from, n);
              guard.check();
              if (there) {
                chunks.load(from, target, at, n);
              }
              return there;
            });
    if (!found) {
      throw outOfBounds(from, from + n);
    }
  }

  /** Loads a value of 1 or 2 bytes. */
  public int get(long offset, int width) {
    int value =
        chunks.reads.read(
            chunks.guard(offset, width),
            guard -> {
              chunks.checkAlive();
              return isThere(offset, width)
                  ? (int) chunks.load(offset, width) & (width == 1 ? 0xff : 0xffff)
                  : -1;
            });
    if (value < 0) {
      throw outOfBounds(offset, offset + width);
    }
    return value;
  }

  /**
   * Gives a body a read-only copy of some bytes, all of one commit, that ends with the body.
   *
   * @throws IndexOutOfBoundsException if there are fewer
   */
  public <T> T view(long from, long n, Function<? super MemorySegment, T> body) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment view = allocate(arena, from, n);
      read(from, view, 0, n);
      return body.apply(view.asReadOnly());
    }
  }

  /**
   * Gives a body a copy of some bytes to change, which ends with the body, and stores it then: one
   * transaction, or a part of the running one.
   *
   * @throws IndexOutOfBoundsException if there are fewer, before the body or behind it
   */
  public void edit(long from, long n, Consumer<? super MemorySegment> body) {
    change(
        () -> {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment view = allocate(arena, from, n);
            chunks.load(from, view, 0, n);
            body.accept(view);
            chunks.checkAlive(); // the body may have removed or cut it
            requireRange(from, n);
            chunks.store(from, view, 0, n);
          }
        });
  }

  /** Memory for a copy of bytes, once it is known that they are there. */
  private MemorySegment allocate(Arena arena, long from, long n) {
    Objects.checkFromIndexSize(from, n, length());
    return arena.allocate(n);
  }

  private boolean isThere(long from, long n) {
    long length = chunks.length();
    return from >= 0 && n >= 0 && n <= length && from <= length - n;
  }

  private static IndexOutOfBoundsException outOfBounds(long from, long to) {
    return new IndexOutOfBoundsException("there are no bytes from " + from + " to " + to);
  }

  /** Checks, inside a transaction, that the bytes are there. */
  public void requireRange(long from, long n) {
    Objects.checkFromIndexSize(from, n, chunks.length());
  }
}
