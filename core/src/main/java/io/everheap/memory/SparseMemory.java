package io.everheap.memory;

import io.everheap.error.MediumException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory of zeros that takes none until it is stored to: a private mapping of an empty file that
 * has no name any more. What is stored never reaches that file. Stateless.
 */
public final class SparseMemory {
  /** Up to this size, memory is simply allocated. */
  private static final long SMALL = 1 << 20;

  private SparseMemory() {}

  /**
   * Creates memory.
   *
   * @param size bytes
   * @return zeros, at an address that is a multiple of {@link MediumFile#BLOCK}
   * @throws MediumException if there is no place for a temporary file
   */
  public static Region create(long size) {
    if (size <= SMALL) {
      return Region.allocate(size);
    }
    Arena arena = Arena.ofShared();
    boolean mapped = false;
    try {
      MemorySegment segment = Threads.run("everheap-map", () -> map(arena, size));
      mapped = true;
      return new Region(segment, arena);
    } catch (IOException e) {
      throw new MediumException(
          "cannot create a temporary file in "
              + System.getProperty("java.io.tmpdir")
              + ", over which memory is mapped: "
              + e,
          e);
    } finally {
      if (!mapped) {
        arena.close();
      }
    }
  }

  private static MemorySegment map(Arena arena, long size) throws IOException {
    Path file = Files.createTempFile("everheap", ".zeros");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(MapMode.PRIVATE, 0, size, arena);
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
