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
    return read(medium, name, size, null);
  }

  /**
   * The same into the memory of an image that is not needed any more, if that has the size: new
   * memory costs a page fault for each of its pages. The old image is closed.
   */
  static LogImage read(Medium medium, String name, long size, @Nullable LogImage old) {
    boolean fits = old != null && old.memory.byteSize() == size;
    if (old != null && !fits) {
      old.close();
    }
    Arena arena = fits ? old.arena : Arena.ofConfined();
    try (MediumFile file = medium.open(name)) {
      MemorySegment memory = fits ? old.memory : arena.allocate(size, SegmentLayout.BLOCK);
      ByteBuffer bytes = memory.asByteBuffer();
      int read = 1;
      while (bytes.hasRemaining() && read > 0) {
        read = file.read(bytes, bytes.position());
      }
      if (fits) {
        memory.asSlice(bytes.position()).fill((byte) 0);
      }
      return new LogImage(
          name, arena, memory, memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN));
    } catch (Throwable t) {
      arena.close();
      throw t;
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
