package io.everheap.memory;

import io.everheap.error.DiskFullException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file in memory: disjoint pieces that cover the parts that were written or mapped;
 * the rest is zeros. Thread-safe; its monitor guards all fields.
 *
 * <p>A mapping must lie within one piece, so that all mappings of a byte are the same memory. The
 * first mapping of a range determines the borders of its piece, whatever was written there before;
 * after that, ranges that cross these borders cannot be mapped.
 */
final class MemoryContent {
  /** A contiguous part of the file in memory of its own. */
  private static final class Piece {
    final long start;
    final MemorySegment memory;
    final Region region;
    int mappings;
    boolean mapped;
    boolean discarded;

    Piece(long start, long size) {
      this.start = start;
      Arena arena = Arena.ofShared();
      this.memory = allocate(arena, size);
      this.region = new Region(memory, arena);
    }

    long end() {
      return start + memory.byteSize();
    }
  }

  private static final long GRANULE = 64 << 10;

  private final String name;
  private final NavigableMap<Long, Piece> pieces = new TreeMap<>();
  private long size;

  MemoryContent(String name) {
    this.name = name;
  }

  synchronized long size() {
    return size;
  }

  /** Extends the content with zeros, or truncates it and frees memory that is not mapped. */
  synchronized void resize(long newSize) {
    if (newSize < size) {
      for (Piece piece : overlapping(newSize, size)) {
        if (piece.start >= newSize) {
          pieces.remove(piece.start);
          discard(piece);
        } else {
          long kept = newSize - piece.start;
          piece.memory.asSlice(kept).fill((byte) 0);
        }
      }
    }
    size = newSize;
  }

  /** Copies bytes out, until the buffer is full or the content ends. */
  synchronized int read(ByteBuffer target, long position) {
    int length = (int) Math.min(target.remaining(), Math.max(0, size - position));
    var memory = MemorySegment.ofBuffer(target);
    memory.asSlice(0, length).fill((byte) 0);
    for (Piece piece : overlapping(position, position + length)) {
      copy(piece, memory, position, length, false);
    }
    target.position(target.position() + length);
    return length;
  }

  /** Copies bytes in; extends the content if needed. */
  synchronized void write(ByteBuffer source, long position) {
    int length = source.remaining();
    var memory = MemorySegment.ofBuffer(source);
    cover(position, position + length);
    for (Piece piece : overlapping(position, position + length)) {
      copy(piece, memory, position, length, true);
    }
    size = Math.max(size, position + length);
    source.position(source.limit());
  }

  /** Returns a region over the file's own memory. */
  synchronized Region mapShared(long position, long length) {
    Piece piece = pieceFor(position, position + length);
    size = Math.max(size, position + length);
    piece.mapped = true;
    piece.mappings++;
    return new Unforced(
        piece.memory.asSlice(position - piece.start, length), null, () -> unmap(piece));
  }

  /** Returns a region over a copy. */
  synchronized Region mapPrivate(long position, long length) {
    Arena arena = Arena.ofShared();
    MemorySegment copy = allocate(arena, length);
    for (Piece piece : overlapping(position, position + length)) {
      copy(piece, copy, position, length, false);
    }
    size = Math.max(size, position + length);
    return new Unforced(copy, arena, () -> {});
  }

  /** Called when the file is deleted: mapped memory stays until it is unmapped. */
  synchronized void discard() {
    pieces.values().forEach(MemoryContent::discard);
    pieces.clear();
  }

  /** Called when the medium is closed: frees all memory, even if it is mapped. */
  synchronized void free() {
    pieces.values().forEach(piece -> Closing.unmap(piece.region));
    pieces.clear();
  }

  private synchronized void unmap(Piece piece) {
    piece.mappings--;
    if (piece.mappings == 0 && piece.discarded) {
      Closing.unmap(piece.region);
    }
  }

  private static void discard(Piece piece) {
    piece.discarded = true;
    if (piece.mappings == 0) {
      Closing.unmap(piece.region);
    }
  }

  /** Finds or creates the one piece that contains a whole range. */
  private Piece pieceFor(long from, long to) {
    List<Piece> found = overlapping(from, to);
    if (found.size() == 1 && found.getFirst().start <= from && to <= found.getFirst().end()) {
      return found.getFirst();
    }
    if (found.stream().anyMatch(piece -> piece.mapped)) {
      throw new IllegalArgumentException(
          "a mapping of " + name + " in memory cannot cross the borders of an earlier one");
    }
    // Pieces that were only written are not referenced by any region: merge them.
    long start = found.isEmpty() ? from : Math.min(from, found.getFirst().start);
    long end = found.isEmpty() ? to : Math.max(to, found.getLast().end());
    var merged = new Piece(from, to - from);
    for (Piece piece : found) {
      copy(piece, merged.memory, from, to - from, false);
      pieces.remove(piece.start);
    }
    pieces.put(from, merged);
    keepRemainder(found, start, from);
    keepRemainder(found, to, end);
    found.forEach(MemoryContent::discard);
    return merged;
  }

  /**
   * Keeps the bytes outside of a new mapping in a piece of their own, which can be mapped later.
   */
  private void keepRemainder(List<Piece> old, long from, long to) {
    if (from < to) {
      var rest = new Piece(from, to - from);
      old.forEach(piece -> copy(piece, rest.memory, from, to - from, false));
      pieces.put(from, rest);
    }
  }

  /** Creates pieces for the parts of a range that have none. */
  private void cover(long from, long to) {
    long at = from;
    for (Piece piece : overlapping(from, to)) {
      add(at, piece.start);
      at = piece.end();
    }
    add(at, to);
  }

  private void add(long from, long to) {
    if (from >= to) {
      return;
    }
    // Rounded, within the neighbours, so that small appends do not create small pieces.
    Map.Entry<Long, Piece> below = pieces.floorEntry(from);
    Map.Entry<Long, Piece> above = pieces.ceilingEntry(to);
    long lowest = below == null ? 0 : below.getValue().end();
    long highest = above == null ? Long.MAX_VALUE : above.getKey();
    long start = Math.max(lowest, from / GRANULE * GRANULE);
    long end = Math.min(highest, (to + GRANULE - 1) / GRANULE * GRANULE);
    pieces.put(start, new Piece(start, end - start));
  }

  private List<Piece> overlapping(long from, long to) {
    List<Piece> found = new ArrayList<>();
    if (from < to) {
      Map.Entry<Long, Piece> first = pieces.floorEntry(from);
      long start = first != null && first.getValue().end() > from ? first.getKey() : from;
      found.addAll(pieces.subMap(start, to).values());
    }
    return found;
  }

  /** Copies the intersection of a piece and a range, out of the piece or into it. */
  private static void copy(
      Piece piece, MemorySegment range, long position, long length, boolean into) {
    long from = Math.max(piece.start, position);
    long to = Math.min(piece.end(), position + length);
    if (from >= to) {
      return;
    }
    MemorySegment inPiece = piece.memory.asSlice(from - piece.start, to - from);
    MemorySegment inRange = range.asSlice(from - position, to - from);
    if (into) {
      inPiece.copyFrom(inRange);
    } else {
      inRange.copyFrom(inPiece);
    }
  }

  private static MemorySegment allocate(Arena arena, long size) {
    try {
      return arena.allocate(size, MediumFile.BLOCK);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new DiskFullException("cannot allocate " + size + " bytes of memory for a heap", e);
    }
  }

  /** A mapped part of the memory; a force has nothing to do. */
  private static final class Unforced extends SharedRegion {
    Unforced(MemorySegment segment, @Nullable Arena arena, Runnable onClose) {
      super(segment, arena, onClose);
    }

    @Override
    public void force(long offset, long length) {
      Objects.checkFromIndexSize(offset, length, size());
    }
  }
}
