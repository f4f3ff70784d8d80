package io.everheap.memory;

import static io.everheap.memory.Layouts.BYTE;
import static io.everheap.memory.Layouts.INT;
import static io.everheap.memory.Layouts.LONG;
import static io.everheap.memory.Layouts.SHORT;
import static io.everheap.memory.Layouts.WORD;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A contiguous range of memory: a mapped part of a file, or allocated memory. Every load and every
 * store of Everheap goes through a region.
 *
 * <p>Offsets are in bytes from the start of the region; values are little-endian. Plain accesses
 * tolerate any alignment; an access of an 8-byte word at an offset divisible by 8 is atomic.
 * Acquire, release and opaque accesses need such an offset ({@link IllegalArgumentException}
 * otherwise). Out of bounds is an {@link IndexOutOfBoundsException}, after {@link #close} an {@link
 * IllegalStateException}.
 *
 * <p>Any thread may use a region. Stores can be overridden, so that a simulated medium sees all of
 * them, and so can loads, so that {@link PagedRegion} and {@link PendingRegion} can prepare pages.
 * On a byte-addressable medium {@link #force} makes stores durable; on others, regions never make
 * anything durable.
 */
public class Region implements AutoCloseable {
  private static final VarHandle ARRAY_WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The memory itself, for subclasses that override stores. */
  protected final MemorySegment segment;

  private final MemorySegment readOnly;
  private final @Nullable SteadyArena arena;

  /**
   * Creates a region over memory.
   *
   * @param segment a native segment
   * @param arenaToClose the arena that {@link #close} closes, or {@code null} for none
   */
  protected Region(MemorySegment segment, @Nullable Arena arenaToClose) {
    this.segment = segment;
    this.readOnly = segment.asReadOnly();
    this.arena = arenaToClose == null ? null : new SteadyArena(arenaToClose);
  }

  /**
   * Allocates memory that belongs to no file.
   *
   * @param size bytes
   * @return zeros, whose address is a multiple of {@link MediumFile#BLOCK}
   */
  public static Region allocate(long size) {
    Arena arena = Arena.ofShared();
    return new Region(arena.allocate(size, MediumFile.BLOCK), arena);
  }

  /**
   * Returns the memory for reading.
   *
   * @return a read-only segment over the whole region
   */
  public final MemorySegment segment() {
    return readOnly;
  }

  /**
   * Returns the length of the region.
   *
   * @return bytes
   */
  public final long size() {
    return segment.byteSize();
  }

  /**
   * Loads a byte.
   *
   * @param offset where
   * @return the value
   */
  public byte getByte(long offset) {
    return segment.get(BYTE, offset);
  }

  /**
   * Loads 2 bytes at any alignment.
   *
   * @param offset where
   * @return the value
   */
  public short getShort(long offset) {
    return segment.get(SHORT, offset);
  }

  /**
   * Loads 4 bytes at any alignment.
   *
   * @param offset where
   * @return the value
   */
  public int getInt(long offset) {
    return segment.get(INT, offset);
  }

  /**
   * Loads 8 bytes at any alignment; atomically if aligned.
   *
   * @param offset where
   * @return the value
   */
  public long getLong(long offset) {
    return segment.get(LONG, offset);
  }

  /**
   * Loads an aligned word with acquire semantics: no later load or store moves before it.
   *
   * @param offset where, divisible by 8
   * @return the value
   */
  public long getLongAcquire(long offset) {
    return (long) WORD.getAcquire(segment, offset);
  }

  /**
   * Loads an aligned word in opaque mode: the load is not elided, and is in order with the thread's
   * other opaque accesses of that word.
   *
   * @param offset where, divisible by 8
   * @return the value
   */
  public long getLongOpaque(long offset) {
    return (long) WORD.getOpaque(segment, offset);
  }

  /**
   * Copies bytes out of the region.
   *
   * @param offset where they start
   * @param target the array that receives them
   * @param at the first index to write
   * @param length how many
   */
  public void copyTo(long offset, byte[] target, int at, int length) {
    MemorySegment.copy(segment, BYTE, offset, target, at, length);
  }

  /**
   * Copies words out of the region.
   *
   * @param offset where they start, in bytes
   * @param target the array that receives them
   * @param at the first index to write
   * @param length how many words
   */
  public void copyTo(long offset, long[] target, int at, int length) {
    MemorySegment.copy(segment, LONG, offset, target, at, length);
  }

  /**
   * Copies bytes out of the region.
   *
   * @param offset where they start
   * @param target the segment that receives them
   * @param at the first offset to write
   * @param length how many
   */
  public void copyTo(long offset, MemorySegment target, long at, long length) {
    MemorySegment.copy(segment, offset, target, at, length);
  }

  /**
   * Compares bytes of the region with those of an array. Loads words: {@link
   * MemorySegment#mismatch} crashes the virtual machine if a page of a mapped file is gone.
   *
   * @param offset where those of the region start
   * @param other the array
   * @param at the index of the first one to compare
   * @param length how many
   * @return the index, relative to the start, of the first byte that differs; -1 if none does
   */
  public long mismatch(long offset, byte[] other, int at, int length) {
    Objects.checkFromIndexSize(offset, length, size());
    Objects.checkFromIndexSize(at, length, other.length);
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      long differences = segment.get(LONG, offset + i) ^ (long) ARRAY_WORD.get(other, at + i);
      if (differences != 0) {
        return (long) i + (Long.numberOfTrailingZeros(differences) >>> 3);
      }
    }
    for (; i < length; i++) {
      if (segment.get(BYTE, offset + i) != other[at + i]) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns a new buffer over the whole region for checksums and channel writes.
   *
   * @return a direct, read-only, little-endian buffer at position 0
   * @throws UnsupportedOperationException if the region is larger than 2 GiB
   */
  public final ByteBuffer view() {
    return readOnly.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Stores a byte.
   *
   * @param offset where
   * @param value what
   */
  public void putByte(long offset, byte value) {
    segment.set(BYTE, offset, value);
  }

  /**
   * Stores 2 bytes at any alignment.
   *
   * @param offset where
   * @param value what
   */
  public void putShort(long offset, short value) {
    segment.set(SHORT, offset, value);
  }

  /**
   * Stores 4 bytes at any alignment.
   *
   * @param offset where
   * @param value what
   */
  public void putInt(long offset, int value) {
    segment.set(INT, offset, value);
  }

  /**
   * Stores 8 bytes at any alignment; atomically if aligned.
   *
   * @param offset where
   * @param value what
   */
  public void putLong(long offset, long value) {
    segment.set(LONG, offset, value);
  }

  /**
   * Stores an aligned word in opaque mode: the store is not elided, and is in order with the
   * thread's other opaque accesses of that word.
   *
   * @param offset where, divisible by 8
   * @param value what
   */
  public void putLongOpaque(long offset, long value) {
    WORD.setOpaque(segment, offset, value);
  }

  /**
   * Stores an aligned word with release semantics: no earlier load or store moves behind it.
   *
   * @param offset where, divisible by 8
   * @param value what
   */
  public void putLongRelease(long offset, long value) {
    WORD.setRelease(segment, offset, value);
  }

  /**
   * Copies bytes into the region.
   *
   * @param offset where to
   * @param source the array
   * @param at the first index to read
   * @param length how many
   */
  public void copyFrom(long offset, byte[] source, int at, int length) {
    MemorySegment.copy(source, at, segment, BYTE, offset, length);
  }

  /**
   * Copies bytes of another region, or of this one, into the region; the ranges may overlap.
   *
   * @param offset where to
   * @param source the region to read
   * @param at the first offset to read
   * @param length how many
   */
  public void copyFrom(long offset, Region source, long at, long length) {
    MemorySegment.copy(source.segment, at, segment, offset, length);
  }

  /**
   * Copies bytes of a segment into the region; the ranges may overlap.
   *
   * @param offset where to
   * @param source the segment to read
   * @param at the first offset to read
   * @param length how many
   */
  public void copyFrom(long offset, MemorySegment source, long at, long length) {
    MemorySegment.copy(source, at, segment, offset, length);
  }

  /**
   * Stores the same value into every byte of a range.
   *
   * @param offset where the range starts
   * @param length how many bytes
   * @param value what
   */
  public void fill(long offset, long length, byte value) {
    segment.asSlice(offset, length).fill(value);
  }

  /**
   * Returns the memory of a range for direct stores, which bypass this object. A call of {@link
   * #claimed} must follow them.
   *
   * @param offset where the range starts
   * @param length how many bytes
   * @return the memory itself
   */
  public MemorySegment claim(long offset, long length) {
    return segment.asSlice(offset, length);
  }

  /**
   * Reports that all direct stores to a range that {@link #claim} returned are done.
   *
   * @param offset where the range starts
   * @param length how many bytes
   */
  public void claimed(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, size());
  }

  /**
   * Writes a range of a shared mapping back to its storage. On a byte-addressable medium this
   * writes back the cache lines, fences, and makes the range durable; on an ordinary file it is an
   * {@code msync} of the range.
   *
   * @param offset where the range starts
   * @param length how many bytes
   * @throws UnsupportedOperationException if the memory is not a mapping
   */
  public void force(long offset, long length) {
    segment.asSlice(offset, length).force();
  }

  /**
   * Whether the memory may be loaded from directly, bypassing this object, as a {@link Window}
   * does.
   *
   * @return false for a {@link PendingRegion}
   */
  public boolean isDirect() {
    return true;
  }

  /** Whether a direct load must be announced by {@link #expect}. */
  boolean isPaged() {
    return false;
  }

  /**
   * Announces a direct load of a word, so that its page is read from the file as a load through the
   * region would read it.
   *
   * @param offset of the word
   * @throws IndexOutOfBoundsException if the region has no such page
   */
  void expect(long offset) {}

  /**
   * Returns a region over the same memory, for a file that does not fit into memory: single pages
   * are read on demand, instead of with their surroundings as on a page fault.
   *
   * @param times of the whole file, which its regions share
   * @param isStored whether the page with this number, from the start of the region, was stored to
   * @return a region to use, and to close, in place of this one; this region itself if it is not a
   *     private mapping of a file
   */
  public Region paged(PageTimes times, IntPredicate isStored) {
    return this;
  }

  /**
   * Unmaps or frees the memory; later accesses throw {@link IllegalStateException}. Does nothing if
   * the region is closed, or if it does not own its memory. Makes nothing durable. If an error of
   * the virtual machine strikes in the JDK, the memory may stay mapped until the process ends.
   *
   * @throws IllegalStateException if a channel is reading or writing the memory at this time
   */
  @Override
  public void close() {
    SteadyArena owned = arena;
    if (owned != null) {
      owned.close();
    }
  }
}
