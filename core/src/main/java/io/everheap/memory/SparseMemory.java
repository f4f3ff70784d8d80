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
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Memory of zeros that takes none until it is stored to: private mappings of an empty file without
 * a name. What is stored never reaches that file.
 *
 * <p>On a file system in memory each page that is used takes a page there as well, so such a file
 * system is soon full. The file is therefore made in the first of some directories that is on a
 * disk: {@code java.io.tmpdir}, one of the owner, {@code /var/tmp}. If none is, it is made in the
 * first of them, and the owner uses {@link #full} for a store that fails.
 *
 * <p>Thread-safe.
 */
public final class SparseMemory implements AutoCloseable {
  /** Up to this size, memory is simply allocated. */
  private static final long SMALL = 1 << 20;

  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  private final List<Path> directories;
  private volatile @Nullable Zeros zeros;
  private boolean closed;

  /** Creates it; the file is made when it is needed. */
  public SparseMemory() {
    this(directories(null));
  }

  /**
   * Creates it; the file is made when it is needed.
   *
   * @param own a directory that the owner may write to; null for none
   */
  public SparseMemory(@Nullable Path own) {
    this(directories(own));
  }

  /** Creates it with the directories in which the file may be. */
  SparseMemory(List<Path> directories) {
    this.directories = directories;
  }

  private static List<Path> directories(@Nullable Path own) {
    return Stream.of(Path.of(System.getProperty("java.io.tmpdir")), own, Path.of("/var/tmp"))
        .flatMap(Stream::ofNullable)
        .toList();
  }

  /** The first directory on a disk, or else the first one. */
  private Path directory() {
    for (Path each : directories) {
      if (Files.isWritable(each) && !isInMemory(each)) {
        return each;
      }
    }
    return directories.getFirst();
  }

  private static boolean isInMemory(Path directory) {
    try {
      return IN_MEMORY.contains(Files.getFileStore(directory).type());
    } catch (IOException e) {
      return false; // not known
    }
  }

  /** The file, for mapping, and for reading. */
  private record Zeros(FileChannel mappable, SteadyChannel readable) implements AutoCloseable {
    static Zeros create(Path directory) throws IOException {
      Path file = NewFiles.createTempFile(directory, "everheap", ".zeros");
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
      file = Zeros.create(directory());
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

  private MediumException failed(String what, Throwable cause) {
    return new MediumException(
        String.format(
            Locale.ROOT,
            "cannot %s a temporary file in %s, over which memory is mapped: %s",
            what,
            directory(),
            cause),
        cause);
  }

  /**
   * The exception for a store that failed with a fault of mapped memory.
   *
   * @param fault for which {@link MappedFaults#isFault} is true
   */
  public MediumException full(InternalError fault) {
    return new MediumException(
        "cannot map memory over a temporary file in "
            + directory()
            + ": its file system is in memory, and full. Set -Djava.io.tmpdir to a directory on a"
            + " disk; nothing is written to it.",
        fault);
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
