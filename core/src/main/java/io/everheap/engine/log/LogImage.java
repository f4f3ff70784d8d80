package io.everheap.engine.log;

import io.everheap.log.SegmentLayout;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file of the log, read into memory that is valid until {@link #close}. For one
 * thread.
 *
 * @param name of the file
 * @param arena of the memory
 * @param memory with the bytes
 * @param bytes a little-endian buffer over the memory
 */
record LogImage(String name, Arena arena, MemorySegment memory, ByteBuffer bytes)
    implements AutoCloseable {
  /** Reads up to {@code size} bytes of a file; a shorter file is extended with zeros. */
  static LogImage read(Medium medium, String name, long size) {
    Arena arena = Arena.ofConfined();
    try {
      return read(medium, name, arena, arena.allocate(size, SegmentLayout.BLOCK));
    } catch (Throwable t) {
      arena.close();
      throw t;
    }
  }

  /**
   * The same into the memory of an image that is not needed any more, if that has the size: new
   * memory costs a page fault for each of its pages. The old image is of no use afterwards.
   */
  static LogImage read(Medium medium, String name, long size, @Nullable LogImage old) {
    if (old != null && old.memory.byteSize() == size) {
      try {
        return read(medium, name, old.arena, old.memory);
      } catch (Throwable t) {
        old.close();
        throw t;
      }
    }
    if (old != null) {
      old.close();
    }
    return read(medium, name, size);
  }

  private static LogImage read(Medium medium, String name, Arena arena, MemorySegment memory) {
    try (MediumFile file = medium.open(name)) {
      ByteBuffer bytes = memory.asByteBuffer();
      int read = 1;
      while (bytes.hasRemaining() && read > 0) {
        read = file.read(bytes, bytes.position());
      }
      memory.asSlice(bytes.position()).fill((byte) 0);
      return new LogImage(
          name, arena, memory, memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN));
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
