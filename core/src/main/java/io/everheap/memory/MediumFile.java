package io.everheap.memory;

import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * An open file of a {@link Medium}, with the same rules for threads, interrupts and failures.
 *
 * <p>Positions and sizes are in bytes. After {@link #close} every method throws {@link
 * IllegalStateException}.
 */
public interface MediumFile extends AutoCloseable {
  /** The size, position and address of a durable write are multiples of this many bytes. */
  int BLOCK = 4096;

  /**
   * Returns the name of the file.
   *
   * @return the name relative to the heap's directory
   */
  String name();

  /**
   * Returns the size of the file.
   *
   * @return bytes
   */
  long size();

  /**
   * Sets the size of the file: truncates it, or extends it with zeros that take no space yet. Not
   * durable before {@link #sync}.
   *
   * @param size bytes
   */
  void truncate(long size);

  /**
   * Reads until the buffer is full or the file ends.
   *
   * @param target receives the bytes at its position, which advances
   * @param position in the file
   * @return the number of bytes read; 0 at or behind the end of the file
   */
  int read(ByteBuffer target, long position);

  /**
   * Writes the remaining bytes of the buffer; not durable before {@link #sync}. After a failure the
   * buffer's position is unchanged and any part of the bytes may have been written.
   *
   * @param source the bytes; its position moves to its limit
   * @param position in the file
   */
  void write(ByteBuffer source, long position);

  /**
   * Writes zeros for which the file has space from then on; not durable before {@link #sync}.
   *
   * @param zeros whole blocks; its position moves to its limit
   * @param position in the file, a multiple of {@link #BLOCK}
   */
  default void writeZeros(ByteBuffer zeros, long position) {
    write(zeros, position);
  }

  /** Makes everything written so far, and the size of the file, durable. */
  void sync();

  /**
   * Writes the remaining bytes of the buffer and returns when they are durable. After a failure the
   * buffer's position is unchanged and any part of the bytes may have been written.
   *
   * @param source a direct buffer whose address at its position, and whose remaining size, are
   *     multiples of {@link #BLOCK}; its position moves to its limit
   * @param position in the file, a multiple of {@link #BLOCK}
   * @throws IllegalArgumentException if one of these is not aligned as required
   */
  void writeDurably(ByteBuffer source, long position);

  /**
   * Returns how {@link #writeDurably} works on this file.
   *
   * @return the method in effect
   */
  DurableWrite durableWrite();

  /**
   * Maps a range of the file. A shorter file is first extended sparsely; a read-only medium maps
   * existing bytes only: it refuses ranges behind the end of the file, and {@link Mapping#SHARED}.
   * The region stays valid when the file is closed.
   *
   * @param mapping whether stores reach the file
   * @param position start of the range
   * @param size its length, positive
   * @return the memory, to be closed by the caller
   */
  Region map(Mapping mapping, long position, long size);

  /** Judges a page that is read into memory. */
  @FunctionalInterface
  interface PageCheck {
    /**
     * Checks a page; throws if it is not what it should be. Called by any thread.
     *
     * @param page its number in the file
     * @param contents of the page, from index 0 on
     */
    void check(long page, ByteBuffer contents);
  }

  /**
   * Checks each page of the private mappings of this file when it is first used, from now on. Only
   * on an encrypted medium: elsewhere the kernel reads the pages.
   *
   * @param check called before the page can be used
   */
  default void checkPages(PageCheck check) {}

  /** Closes the file. Makes nothing durable. Idempotent. */
  @Override
  void close();

  /** Throws unless address, size and position of a durable write are multiples of a block. */
  static void requireAligned(ByteBuffer source, long position) {
    int block = BLOCK;
    if (!source.isDirect()) {
      throw new IllegalArgumentException("a durable write needs a direct buffer");
    }
    if (position % block != 0
        || source.remaining() % block != 0
        || source.alignmentOffset(source.position(), block) != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a durable write needs multiples of %d bytes: position %d, size %d, address + %d",
              block,
              position,
              source.remaining(),
              source.alignmentOffset(source.position(), block)));
    }
  }
}
