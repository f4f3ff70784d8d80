package io.everheap.testkit.machine;

import java.util.Locale;

/**
 * A moment at which a simulated machine can fail: just after a store or a file call took effect,
 * and, where something is made durable, just before it is durable.
 *
 * @param number counts the moments of one process, from 1
 * @param kind what happened
 * @param file the file or directory it happened to
 * @param position where in the file
 * @param length how many bytes
 */
public record CrashPoint(long number, Kind kind, String file, long position, long length) {
  /** What happened. */
  public enum Kind {
    /** A store to a shared mapping. */
    STORE,
    /** A write-back of a range of a shared mapping, which is about to be durable. */
    FORCE,
    /**
     * Half of the pages of a longer write are in the page cache, the others not yet: a process that
     * is killed here leaves its write unfinished.
     */
    WRITE_PART,
    /** A write that is not durable. */
    WRITE,
    /** A write whose bytes are in the page cache and are about to be durable. */
    DURABLE_WRITE,
    /** A sync of a file, which is about to be durable. */
    SYNC,
    /** A change of a file's length. */
    RESIZE,
    /** A new file. */
    CREATE,
    /** A renamed file. */
    RENAME,
    /** A deleted file. */
    DELETE,
    /** A sync of a directory, which is about to be durable. */
    SYNC_DIRECTORY,
    /** The process ended, by itself or at the end of an exploration. */
    END;

    /**
     * Tells whether a power loss is worth trying here: whatever it could leave behind at an earlier
     * moment, it can leave behind at the next of these.
     *
     * @return {@code true} just before something becomes durable, and at the end
     */
    public boolean persists() {
      return switch (this) {
        case FORCE, DURABLE_WRITE, SYNC, RENAME, SYNC_DIRECTORY, END -> true;
        default -> false;
      };
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "point %d: %s %s %d+%d", number, kind, file, position, length);
  }
}
