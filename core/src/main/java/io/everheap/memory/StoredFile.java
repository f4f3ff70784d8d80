package io.everheap.memory;

import io.everheap.error.MediumException;
import io.everheap.error.ReadOnlyException;
import io.everheap.files.FileChecks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file of a {@link FileMedium}. Its channels are opened when first needed. Thread-safe; the
 * monitor guards the opening and closing of channels.
 */
final class StoredFile implements MediumFile {
  private static final OpenOption[] READ = {StandardOpenOption.READ};
  private static final OpenOption[] READ_WRITE = {
    StandardOpenOption.READ, StandardOpenOption.WRITE
  };
  private static final OpenOption[] DSYNC = {
    StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DSYNC
  };

  private final FileMedium medium;
  private final String name;
  private final Path path;
  private final DurableWrite durableWrite;
  private final @Nullable OpenFile openFile; // null on a read-only medium
  private volatile @Nullable SteadyChannel channel;
  private volatile @Nullable SteadyChannel durableChannel;
  private volatile boolean closed;

  /**
   * Opens a file.
   *
   * @param how the durable write to use; the next simpler one if the file system refuses it
   */
  StoredFile(FileMedium medium, String name, Path path, DurableWrite how) {
    this.medium = medium;
    this.name = name;
    this.path = path;
    this.openFile = medium.readOnly() ? null : medium.files().use(path);
    boolean opened = false;
    try {
      this.durableWrite = medium.readOnly() ? DurableWrite.FDATASYNC : effective(path, how);
      opened = true;
    } finally {
      if (!opened) {
        release();
      }
    }
  }

  private void release() {
    if (openFile != null) {
      medium.files().release(openFile);
    }
  }

  /** Checks that the path, by which a channel was just opened, still leads to the same file. */
  private void requireSame() {
    if (openFile != null) {
      openFile.check();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long size() {
    requireOpen();
    try {
      return channel().size();
    } catch (IOException e) {
      throw Failures.of("find the size of", path, e);
    }
  }

  @Override
  public void truncate(long size) {
    requireChangeable("resize");
    if (size < 0) {
      throw new IllegalArgumentException("negative size: " + size);
    }
    try {
      OpenFile file = Objects.requireNonNull(openFile);
      SteadyChannel open = channel();
      if (size < open.size()) {
        file.cut(size);
        open.truncate(size);
      } else if (size > open.size()) {
        map(Mapping.PRIVATE, size - 1, 1).close(); // extends a shorter file with a hole
      }
    } catch (IOException e) {
      throw Failures.of("resize to " + size + " bytes the file", path, e);
    }
  }

  @Override
  public int read(ByteBuffer target, long position) {
    requireOpen();
    int length = target.remaining();
    try {
      return channel().read(target, position);
    } catch (IOException e) {
      throw Failures.of("read", path, position, length, e);
    }
  }

  @Override
  public void write(ByteBuffer source, long position) {
    requireChangeable("write");
    int start = source.position();
    int length = source.remaining();
    try {
      whole(channel(), position + length).write(source, position);
    } catch (IOException e) {
      source.position(start);
      throw Failures.ofWrite("write", path, position, length, e);
    }
  }

  /**
   * Checks that the file was not truncated, before a write that would give it back its size: no
   * later {@link OpenFile#check} could see the hole.
   */
  private SteadyChannel whole(SteadyChannel open, long end) throws IOException {
    OpenFile file = openFile;
    if (file != null && file.reaches(end)) {
      file.requireSize(open);
    }
    return open;
  }

  @Override
  public void sync() {
    requireChangeable("sync");
    try {
      channel().sync();
    } catch (IOException e) {
      throw Failures.of("sync", path, e);
    }
  }

  @Override
  public void writeDurably(ByteBuffer source, long position) {
    requireChangeable("write");
    MediumFile.requireAligned(source, position);
    int start = source.position();
    int length = source.remaining();
    try {
      if (durableWrite == DurableWrite.FDATASYNC) {
        SteadyChannel plain = whole(channel(), position + length);
        plain.write(source, position);
        plain.sync();
      } else {
        whole(durableChannel(), position + length).writeBlocks(source, position);
      }
    } catch (IOException e) {
      source.position(start);
      throw Failures.ofWrite("write durably", path, position, length, e);
    }
  }

  @Override
  public DurableWrite durableWrite() {
    return durableWrite;
  }

  @Override
  public Region map(Mapping mapping, long position, long size) {
    requireOpen();
    Objects.checkFromIndexSize(position, size, Long.MAX_VALUE);
    if (size == 0) {
      throw new IllegalArgumentException("cannot map 0 bytes of " + path);
    }
    if (medium.readOnly() || mapping == Mapping.READ) {
      requireMappableForReading(mapping, position, size);
    }
    Arena arena = Arena.ofShared();
    boolean mapped = false;
    try {
      MapMode mode =
          switch (mapping) {
            case SHARED -> medium.sharedMode();
            case PRIVATE -> MapMode.PRIVATE;
            case READ -> MapMode.READ_ONLY;
          };
      MemorySegment segment = mapOrLoad(arena, mode, position, size);
      mapped = true;
      return region(mapping, segment, arena, position + size);
    } catch (IOException e) {
      throw Failures.of("map", path, position, size, e);
    } catch (UnsupportedOperationException e) {
      throw new MediumException("cannot map " + path + ": " + e.getMessage(), e);
    } finally {
      if (!mapped) {
        arena.close();
      }
    }
  }

  private Region region(Mapping mapping, MemorySegment segment, Arena arena, long end) {
    OpenFile file = openFile;
    if (file != null && mapping != Mapping.READ) {
      file.grown(end);
    }
    if (file != null && mapping == Mapping.SHARED) {
      medium.files().again(file);
      return new SharedRegion(segment, arena, () -> medium.files().release(file));
    }
    return mapping == Mapping.PRIVATE
        ? new PrivateRegion(segment, arena)
        : new Region(segment, arena);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      release();
    }
    closed = true;
    SteadyChannel plain = channel;
    SteadyChannel durable = durableChannel;
    channel = null;
    durableChannel = null;
    try (plain;
        durable) {
      // Both are closed even if one fails.
    } catch (IOException e) {
      throw Failures.of("close", path, e);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }

  private void requireMappableForReading(Mapping mapping, long position, long size) {
    if (mapping == Mapping.SHARED) {
      throw ReadOnlyException.heap(
          "cannot map " + path + " shared: the heap is open for reading only");
    }
    long end = size();
    if (position + size > end) {
      throw new MediumException(
          String.format(
              Locale.ROOT,
              "cannot map %d bytes at offset %d of %s: the file has %d bytes, and is mapped for"
                  + " reading only",
              size,
              position,
              path,
              end),
          null);
    }
  }

  private MemorySegment mapOrLoad(Arena arena, MapMode mode, long position, long size)
      throws IOException {
    try {
      return Threads.run(
          "everheap-map",
          () -> {
            // Even a private mapping needs a channel that is open for writing.
            try (var file =
                FileChannel.open(
                    FileChecks.refusePipe(path),
                    mode.equals(MapMode.READ_ONLY) ? READ : READ_WRITE)) {
              requireSame(); // first: mapping extends a shorter file
              return file.map(mode, position, size, arena);
            }
          });
    } catch (FileSystemException e) {
      if (!medium.readOnly() || mode.equals(MapMode.READ_ONLY)) {
        throw e;
      }
      return load(arena, position, size, e);
    }
  }

  /**
   * Reads a range that cannot be mapped privately into memory: the file has no write permission, or
   * the file system is read-only.
   */
  private MemorySegment load(Arena arena, long position, long size, FileSystemException reason)
      throws IOException {
    MemorySegment memory = arena.allocate(size, BLOCK);
    for (long done = 0; done < size; ) {
      long length = Math.min(size - done, 1 << 30);
      int read = channel().read(memory.asSlice(done, length).asByteBuffer(), position + done);
      if (read == 0) {
        throw reason;
      }
      done += read;
    }
    return memory;
  }

  private SteadyChannel channel() throws IOException {
    SteadyChannel open = channel;
    return open != null ? open : openChannel();
  }

  private synchronized SteadyChannel openChannel() throws IOException {
    SteadyChannel open = channel;
    if (open == null) {
      requireOpen();
      open = same(SteadyChannel.open(path, medium.readOnly() ? READ : READ_WRITE));
      channel = open;
    }
    return open;
  }

  private SteadyChannel durableChannel() throws IOException {
    SteadyChannel open = durableChannel;
    return open != null ? open : openDurableChannel();
  }

  private synchronized SteadyChannel openDurableChannel() throws IOException {
    SteadyChannel open = durableChannel;
    if (open == null) {
      requireOpen();
      open =
          same(
              durableWrite == DurableWrite.DIRECT_DSYNC
                  ? DirectOption.open(path)
                  : SteadyChannel.open(path, DSYNC));
      durableChannel = open;
    }
    return open;
  }

  private SteadyChannel same(SteadyChannel opened) throws IOException {
    try {
      requireSame();
      return opened;
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private void requireOpen() {
    medium.requireOpen();
    if (closed) {
      throw new IllegalStateException("the file is closed: " + path);
    }
  }

  private void requireChangeable(String operation) {
    requireOpen();
    medium.requireChangeable(operation, name);
  }

  private static DurableWrite effective(Path path, DurableWrite wanted) {
    DurableWrite honest = wanted.on(System.getProperty("os.name", ""));
    return honest == DurableWrite.DIRECT_DSYNC && !DirectOption.works(path)
        ? DurableWrite.DSYNC
        : honest;
  }
}
