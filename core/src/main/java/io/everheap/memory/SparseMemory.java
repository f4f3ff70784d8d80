package io.everheap.memory;

import io.everheap.error.MediumException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Memory of zeros that takes none until it is stored to: private mappings of an empty file that has
 * no name any more. What is stored never reaches that file. Thread-safe.
 */
public final class SparseMemory implements AutoCloseable {
  /** Up to this size, memory is simply allocated. */
  private static final long SMALL = 1 << 20;

  private volatile @Nullable Zeros zeros;
  private boolean closed;

  /** Creates it; the file is made when it is needed. */
  public SparseMemory() {}

  /** The file, for mapping, and for reading. */
  private record Zeros(FileChannel mappable, SteadyChannel readable) implements AutoCloseable {
    static Zeros create() throws IOException {
      Path file = Files.createTempFile("everheap", ".zeros");
      try {
        FileChannel mappable =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
          return new Zeros(mappable, SteadyChannel.open(file, StandardOpenOption.READ));
        } catch (Throwable t) {
          mappable.close();
          throw t;
        }
      } finally {
        boolean _ = file.toFile().delete(); // nothing is ever written to it
      }
    }

    @Override
    public void close() throws IOException {
      try (mappable) {
        readable.close();
      }
    }
  }

  /**
   * Creates memory, which can be used after {@link #close}.
   *
   * @param size bytes
   * @return zeros, at an address that is a multiple of {@link MediumFile#BLOCK}
   * @throws MediumException if there is no place for a temporary file
   */
  public Region create(long size) {
    if (size <= SMALL) {
      return Region.allocate(size);
    }
    Arena arena = Arena.ofShared();
    boolean mapped = false;
    try {
      Region region = Threads.run("everheap-map", () -> map(arena, size));
      mapped = true;
      return region;
    } catch (IOException e) {
      throw failed("create", e);
    } finally {
      if (!mapped) {
        arena.close();
      }
    }
  }

  private synchronized Region map(Arena arena, long size) throws IOException {
    if (closed) {
      throw new IllegalStateException("the file is closed");
    }
    Zeros file = zeros;
    if (file == null) {
      file = Zeros.create();
      zeros = file;
    }
    return new Region(file.mappable().map(MapMode.PRIVATE, 0, size, arena), arena);
  }

  /**
   * Makes the first store to a page fast: this reads a zero of it, which takes microseconds, where
   * a page fault reads as much around it as the disk is set to read ahead, megabytes on some. If
   * that fails, or if {@link #close} was called, the store is only slower.
   *
   * @param offset where in any of the memory
   */
  public void prepare(long offset) {
    Zeros file = zeros;
    if (file != null) {
      try {
        int _ = file.readable().read(ByteBuffer.allocate(1), offset);
      } catch (IOException e) {
        return;
      }
    }
  }

  private static MediumException failed(String what, IOException cause) {
    return new MediumException(
        String.format(
            Locale.ROOT,
            "cannot %s a temporary file in %s, over which memory is mapped: %s",
            what,
            System.getProperty("java.io.tmpdir"),
            cause),
        cause);
  }

  /** Closes the file. */
  @Override
  public synchronized void close() {
    closed = true;
    Zeros file = zeros;
    zeros = null;
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw failed("close", e);
      }
    }
  }
}
