package io.everheap.memory;

import io.everheap.error.LockedException;
import io.everheap.error.MediumException;
import io.everheap.error.MissingException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jdk.nio.mapmode.ExtendedMapMode;

/**
 * A directory of a file system on persistent memory that is mapped directly (DAX). A shared mapping
 * is the storage itself: {@link Region#force} writes back cache lines and fences, which makes the
 * range durable. Thread-safe.
 */
public final class DaxMedium extends FileMedium {
  private static final int PROBE_BYTES = 4096;

  private DaxMedium(Path root, boolean readOnly, HeapLock lock) {
    super(root, readOnly, lock);
  }

  /**
   * Opens a directory and takes the heap's lock, with the rules of {@link FileMedium#open(Path,
   * boolean, boolean)}.
   *
   * @param directory the heap
   * @param readOnly whether to refuse every change
   * @param create whether to create the directory if it is missing; ignored for reading
   * @return the medium
   * @throws MissingException if there is no directory
   * @throws LockedException if the heap is open in another process, or in this one in any mode
   * @throws MediumException if the directory cannot be used, for example for lack of permission; or
   *     if this JVM or this directory does not support it, which is not checked for reading only,
   *     because nothing is written back
   */
  public static DaxMedium open(Path directory, boolean readOnly, boolean create) {
    if (!readOnly && Writeback.missing()) {
      throw MediumException.unsupported(
          "cannot open "
              + directory
              + " on persistent memory: this JVM runs without the C2 compiler, and then crashes"
              + " when it writes back cache lines; remove -XX:TieredStopAtLevel, -Xint, -client and"
              + " -XX:CompilationMode");
    }
    Path root = prepare(directory, create && !readOnly);
    var medium = new DaxMedium(root, readOnly, HeapLock.acquire(root, readOnly));
    if (readOnly) {
      medium.requireSettled();
      return medium;
    }
    medium.tidy();
    if (!supported(root)) {
      medium.close();
      throw MediumException.unsupported(
          root
              + " is not on persistent memory: its file system or this JVM cannot map a file with"
              + " MAP_SYNC; mount it with dax, or use the file medium");
    }
    return medium;
  }

  /**
   * Returns whether files of a directory can be mapped as persistent memory, by trying it with a
   * temporary file, which is deleted. If the directory does not exist yet, its nearest existing
   * ancestor is tried.
   *
   * @param directory a directory that can be written
   * @return {@code true} if they can
   */
  public static boolean supported(Path directory) {
    // A failed attempt leaves the file extended, so it never touches a file of the heap.
    Path existing = directory.toAbsolutePath();
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    Path probe = existing.resolve(DurableWriteProbe.fileName());
    try {
      NewFiles.createFile(probe);
      try {
        return Threads.run("everheap-probe", () -> maps(probe));
      } finally {
        Files.deleteIfExists(probe);
      }
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  @Override
  public String name() {
    return "dax";
  }

  @Override
  public boolean byteAddressable() {
    return true;
  }

  @Override
  MapMode sharedMode() {
    return ExtendedMapMode.READ_WRITE_SYNC;
  }

  private static boolean maps(Path probe) throws IOException {
    try (var channel = FileChannel.open(probe, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofShared()) {
      return channel.map(ExtendedMapMode.READ_WRITE_SYNC, 0, PROBE_BYTES, arena).byteSize() > 0;
    }
  }
}
