package io.everheap.memory;

import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.files.FileChecks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import jdk.nio.mapmode.ExtendedMapMode;
import org.jspecify.annotations.Nullable;

/**
 * A single file of which a range is mapped, without the lock and directory of a heap. Thread-safe,
 * like its {@link Region}.
 */
public final class PersistentFile implements AutoCloseable {
  private static final int CHUNK = 1 << 20;
  private static final OpenOption[] READ = {StandardOpenOption.READ};
  private static final OpenOption[] READ_WRITE = {
    StandardOpenOption.READ, StandardOpenOption.WRITE
  };

  private final Path path;
  private final boolean direct;
  private final Region region;
  private final @Nullable SteadyChannel channel; // for systems where the force of a mapping is weak

  private PersistentFile(
      Path path, boolean direct, Region region, @Nullable SteadyChannel channel) {
    this.path = path;
    this.direct = direct;
    this.region = region;
    this.channel = channel;
  }

  /**
   * Opens or creates a file that reaches to the end of a range at least; the bytes of the range
   * have space on the medium.
   *
   * @param path of the file
   * @param from where the range starts
   * @param size bytes to map, positive
   * @return the file, mapped as persistent memory if possible
   */
  public static PersistentFile open(Path path, long from, long size) {
    return open(path, from, size, System.getProperty("os.name", ""));
  }

  /** Opens a file on an operating system, named as in the property {@code os.name}. */
  static PersistentFile open(Path path, long from, long size, String system) {
    try {
      Path parent = path.toAbsolutePath().getParent();
      if (!Files.exists(path)) {
        NewFiles.createFile(path);
      }
      reserve(path, from, from + size);
      syncName(path, parent);
      boolean direct = parent != null && !Writeback.missing() && DaxMedium.supported(parent);
      MapMode mode = direct ? ExtendedMapMode.READ_WRITE_SYNC : MapMode.READ_WRITE;
      // Where a write with O_DSYNC stays in the disk's cache, so does what msync(2) writes.
      boolean weak = DurableWrite.DSYNC.on(system) != DurableWrite.DSYNC;
      return map(path, mode, from, size, weak && !direct);
    } catch (IOException e) {
      throw Failures.of("map", path, from, size, e);
    }
  }

  /**
   * Maps a range of a file for reading.
   *
   * @throws EverheapException if there is no such file, or the range exceeds it
   */
  public static PersistentFile read(Path path, long from, long size) {
    try {
      long end = Files.size(FileChecks.refusePipe(path));
      if (from + size > end) {
        throw new MediumException(
            String.format(
                Locale.ROOT,
                "cannot map %d bytes at offset %d of %s: the file has %d bytes",
                size,
                from,
                path,
                end),
            null);
      }
      return map(path, MapMode.READ_ONLY, from, size, false);
    } catch (IOException e) {
      throw Failures.of("map", path, from, size, e);
    }
  }

  private static PersistentFile map(
      Path path, MapMode mode, long from, long size, boolean syncsFile) throws IOException {
    boolean writes = !mode.equals(MapMode.READ_ONLY);
    OpenOption[] options = writes ? READ_WRITE : READ;
    Arena arena = Arena.ofShared();
    try {
      MemorySegment mapped =
          Threads.run(
              "everheap-map",
              () -> {
                try (FileChannel file = FileChannel.open(FileChecks.refusePipe(path), options)) {
                  return file.map(mode, from, size, arena);
                }
              });
      boolean direct = mode.equals(ExtendedMapMode.READ_WRITE_SYNC);
      SteadyChannel channel = syncsFile ? SteadyChannel.open(path, READ_WRITE) : null;
      return new PersistentFile(path, direct, new Region(mapped, arena), channel);
    } catch (Throwable t) {
      arena.close();
      throw t;
    }
  }

  /**
   * Appends zeros to a file that ends before a range does, and writes zeros over zeros in the
   * range, which may be holes that have no space yet. Durable on return, even if an earlier process
   * was killed before its sync.
   */
  private static void reserve(Path path, long from, long to) throws IOException {
    try (SteadyChannel channel = SteadyChannel.open(path, READ_WRITE)) {
      ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(CHUNK, to));
      long end = Math.min(to, channel.size());
      if (end > from) {
        fillHoles(channel, path, from, end, zeros);
      }
      for (long at = end; at < to; at += zeros.limit()) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
        writeZeros(channel, path, zeros, at);
      }
      channel.syncAll();
    }
  }

  private static void fillHoles(
      SteadyChannel channel, Path path, long from, long end, ByteBuffer zeros) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect((int) Math.min(CHUNK, end - from));
    for (long at = from; at < end; at += bytes.limit()) {
      bytes.clear().limit((int) Math.min(bytes.capacity(), end - at));
      channel.read(bytes, at);
      for (int piece = 0, length; piece < bytes.limit(); piece += length) {
        // Up to the end of a block of the file system, which is a hole or has its space as a whole.
        long left = MediumFile.BLOCK - (at + piece) % MediumFile.BLOCK;
        length = (int) Math.min(left, bytes.limit() - piece);
        zeros.clear().limit(length);
        if (zeros.equals(bytes.slice(piece, length))) {
          writeZeros(channel, path, zeros, at + piece);
        }
      }
    }
  }

  /** Makes the file's name durable. */
  private static void syncName(Path path, @Nullable Path parent) throws IOException {
    Path directory = parent == null ? null : path.toRealPath().getParent();
    if (directory == null || !NewFiles.posix(directory)) {
      return; // directories cannot be opened there, and the system syncs their entries
    }
    try (SteadyChannel channel = SteadyChannel.open(directory, StandardOpenOption.READ)) {
      channel.syncAll();
    }
  }

  private static void writeZeros(SteadyChannel channel, Path path, ByteBuffer zeros, long at) {
    int length = zeros.remaining();
    try {
      channel.write(zeros, at);
    } catch (IOException e) {
      throw Failures.ofWrite("write", path, at, length, e);
    }
  }

  /**
   * Returns how {@link #force} works.
   *
   * @return true if it writes back cache lines
   */
  public boolean direct() {
    return direct;
  }

  /**
   * Returns the memory.
   *
   * @return the range
   */
  public Region region() {
    return region;
  }

  /**
   * Makes a range durable.
   *
   * @param offset of the first byte
   * @param length number of bytes
   * @throws EverheapException if the operating system reports a failure
   */
  public void force(long offset, long length) {
    try {
      region.force(offset, length);
      if (channel != null) {
        channel.sync();
      }
    } catch (IOException e) {
      throw Failures.of("sync", path, offset, length, e);
    } catch (UncheckedIOException e) {
      throw Failures.of("sync", path, offset, length, new IOException(e.getMessage(), e));
    }
  }

  @Override
  public void close() {
    try (channel) {
      Closing.unmap(region);
    } catch (IOException e) {
      throw Failures.of("close", path, e);
    }
  }
}
