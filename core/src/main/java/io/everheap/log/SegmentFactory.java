package io.everheap.log;

import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the files of segments: full of zeros and durable under a temporary name, then renamed, the
 * name durable on return. So a store to a mapped segment never meets a hole of a full disk, and
 * what a segment holds is never lost with its name. One thread at a time makes files.
 */
public final class SegmentFactory {
  private static final int CHUNK = 256 << 10;

  private final Medium medium;
  private final String temporary;
  private volatile @Nullable Throwable failure;

  /**
   * Deletes what is left of a file that was being made.
   *
   * @param temporary name of files that are being made
   */
  public SegmentFactory(Medium medium, String temporary) {
    this.medium = medium;
    this.temporary = temporary;
    discard(medium, temporary);
  }

  /**
   * Why the sync of a directory failed after a rename, or null. From then on it is unknown whether
   * that name is durable, also if a later sync succeeds: the owner must make no more files.
   */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Makes a file; {@code directories} must be durable for its name to be. */
  public void make(String name, long size, String... directories) {
    fill(medium, temporary, size);
    try {
      rename(temporary, name, directories);
    } catch (Throwable t) {
      discardAfter(t, medium, temporary);
      throw t;
    }
  }

  /** Gives a file another name. */
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

  /** Makes a file full of zeros, in place of what has its name; durable on return. */
  public static void fill(Medium medium, String name, long size) {
    discard(medium, name);
    try (Arena arena = Arena.ofConfined();
        MediumFile file = medium.create(name)) {
      ByteBuffer zeros = arena.allocate(Math.min(CHUNK, size), SegmentLayout.BLOCK).asByteBuffer();
      for (long at = 0; at < size; at += zeros.limit()) {
        zeros.clear().limit((int) Math.min(zeros.capacity(), size - at));
        file.write(zeros, at);
      }
      file.sync();
    } catch (Throwable t) {
      discardAfter(t, medium, name);
      throw t;
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
