package io.everheap.memory;

import java.nio.ByteBuffer;

/** The alignment that durable writes need. */
final class BlockAlignment {
  private BlockAlignment() {}

  /** Throws unless address, size and position are multiples of the block size. */
  static void requireAligned(ByteBuffer source, long position) {
    int block = MediumFile.BLOCK;
    if (!source.isDirect()) {
      throw new IllegalArgumentException("a durable write needs a direct buffer");
    }
    if (position % block != 0
        || source.remaining() % block != 0
        || source.alignmentOffset(source.position(), block) != 0) {
      throw new IllegalArgumentException(
          "a durable write needs multiples of %d bytes: position %d, size %d, address + %d"
              .formatted(
                  block,
                  position,
                  source.remaining(),
                  source.alignmentOffset(source.position(), block)));
    }
  }
}
