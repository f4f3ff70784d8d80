package io.everheap.log;

import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Creates the files of segments: writes them full of zeros and syncs them under a temporary name,
 * then renames them; the name is durable on return. So a store to a mapped segment never fails on a
 * full disk, and the records of a segment are never lost with its name. One thread at a time
 * creates files; {@link #failure} is for any thread.
 */
public final class SegmentFactory {
  private static final int CHUNK = 256 << 10;

  private final Medium medium;
  private final String temporary;
  private volatile @Nullable Throwable failure;

  /**
   * Creates the factory; deletes an incomplete file of an earlier process.
   *
   * @param temporary name of files until they are complete
   */
  public SegmentFactory(Medium medium, String temporary) {
    this.medium = medium;
    this.temporary = temporary;
    discard(medium, temporary);
  }

  /**
   * The failure of a directory's sync after a rename, or null. After it, it is unknown whether that
   * name is durable, even if a later sync succeeds: the owner must create no more files.
   */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Creates a file; {@code directories} are those to sync to make its name durable. */
  public void make(String name, long size, String... directories) {
    fill(medium, temporary, size);
    try {
      rename(temporary, name, directories);
    } catch (Throwable t) {
      discardAfter(t, medium, temporary);
      throw t;
    }
  }

  /** Renames a file; {@code directories} are those to sync to make the name durable. */
  public void rename(String from, String to, String... directories) {
    medium.rename(from, to);
    try {
      for (String directory : directories) {
        medium.syncDirectory(directory);
      }
    } catch (Throwable t) {
      failure = t;
      throw t;
    }
  }

  /** Creates a file full of zeros, replacing one of that name; its bytes are durable on return. */
  public static void fill(Medium medium, String name, long size) {
    discard(medium, name);
    try (MediumFile file = medium.create(name)) {
      writeZeros(file, size);
      file.sync();
    } catch (Throwable t) {
      discardAfter(t, medium, name);
      throw t;
    }
  }

  /** Writes zeros to the beginning of a file; they need not be durable on return. */
  public static void writeZeros(MediumFile file, long size) {
    try (Arena arena = Arena.ofConfined()) {
      ByteBuffer zeros = arena.allocate(Math.min(CHUNK, size), SegmentLayout.BLOCK).asByteBuffer();
      for (long at = 0; at < size; at += zeros.limit()) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), size - at));
        file.writeZeros(zeros, at);
      }
    }
  }

  private static void discardAfter(Throwable reason, Medium medium, String name) {
    try {
      discard(medium, name);
    } catch (RuntimeException | Error e) {
      reason.addSuppressed(e);
    }
  }

  private static void discard(Medium medium, String name) {
    if (medium.exists(name)) {
      medium.delete(name);
    }
  }
}
