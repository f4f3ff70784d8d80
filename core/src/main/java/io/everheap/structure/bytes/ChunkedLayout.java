package io.everheap.structure.bytes;

import io.everheap.engine.alloc.Reference;

/**
 * The layout of bytes in chunks: a header, and nothing, one chunk, or a directory of chunks. A
 * chunk that was never stored to is not there, and is all zeros. Offsets are bytes from the address
 * of a block, which starts with its 8-byte block header.
 *
 * <pre>
 * header                                          directory
 *  0  block header                                 0  block header
 *  8  number of the type of the elements, or 0     8  index of the first chunk not yet freed
 * 16  length in bytes                             16  reference of chunk 0, or 0
 * 24  flags                                       24  reference of chunk 1, or 0
 * 32  reference of the only chunk or the              ...
 *     directory, or 0
 * 40  chunks that the directory has room for,
 *     0 if there is none
 * </pre>
 *
 * <p>With a directory, chunk <i>c</i> holds the bytes from {@value #CHUNK} <i>c</i> on.
 */
public final class ChunkedLayout {
  public static final int TYPE = 8;
  public static final int LENGTH = 16;
  public static final int FLAGS = 24;
  public static final int ROOT = 32;
  public static final int ROOM = 40;

  /** Payload bytes of the header. */
  public static final int HEADER_BYTES = 40;

  /** Bytes of a chunk: with its block header 31 pages, so that two fit where 63 pages are. */
  public static final int CHUNK = 31 * 4096 - 8;

  /** Nothing changes any more. */
  public static final long FROZEN = 0x100;

  /** Bytes of an element, in the lowest bits of the flags. */
  public static final long WIDTH = 0xff;

  /** Stripes that one structure uses: one for each chunk, again from the first after the last. */
  static final int STRIPES = 64;

  private ChunkedLayout() {}

  /** Chunks of so many bytes. */
  public static long chunks(long bytes) {
    return bytes <= 0 ? 0 : (bytes - 1) / CHUNK + 1; // of whatever a damaged header says
  }

  /** Payload bytes of a directory with room for so many chunks. */
  public static long directoryBytes(long room) {
    return 8 + 8 * room;
  }

  /** Where a directory keeps the reference of a chunk. */
  public static long slot(long directory, long chunk) {
    return Reference.payload(directory) + 8 + 8 * chunk;
  }
}
