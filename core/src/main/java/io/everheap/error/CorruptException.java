package io.everheap.error;

import io.everheap.stability.Stable;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Stored bytes are not what Everheap can have written there, or bytes that were durable are
 * missing: something other than a crash changed them. They are not used, and nothing is changed.
 * Restore from a backup, or save what is left with {@code everheap salvage}. The code is that of
 * {@link #kind}.
 *
 * @since 0.9
 */
@Stable
public final class CorruptException extends EverheapException {
  /** The code of {@link Kind#HEAP}. */
  public static final String CODE = "EH-CORRUPT";

  /** The code of {@link Kind#LOG}. */
  public static final String LOG_CODE = "EH-CORRUPT-LOG";

  /** The code of {@link Kind#JOURNAL}. */
  public static final String JOURNAL_CODE = "EH-CORRUPT-JOURNAL";

  /** The code of {@link Kind#TRUNCATED}. */
  public static final String TRUNCATED_CODE = "EH-TRUNCATED";

  private static final long serialVersionUID = 1L;

  /** Where the damage is. */
  public enum Kind {
    /** In a heap, store, cache or replica, or in a file that belongs to one. */
    HEAP(CODE),

    /** In the log of a heap. */
    LOG(LOG_CODE),

    /** In a journal. */
    JOURNAL(JOURNAL_CODE),

    /** A file of a heap is shorter than its superblock says. */
    TRUNCATED(TRUNCATED_CODE);

    private final String code;

    Kind(String code) {
      this.code = code;
    }
  }

  private final Kind kind;
  private final @Nullable String path;
  private final long offset;

  private CorruptException(Kind kind, String message, @Nullable String path, long offset) {
    super(kind.code, message);
    this.kind = kind;
    this.path = path;
    this.offset = offset;
  }

  /**
   * Creates the exception for damage that has no place in one file, or whose place is not known.
   *
   * @param message where, and what is wrong
   * @return the exception
   */
  public static CorruptException heap(String message) {
    return new CorruptException(Kind.HEAP, message, null, -1);
  }

  /**
   * Creates the exception for damage at a place in a file.
   *
   * @param path the damaged file
   * @param offset of the damage in it, in bytes
   * @param message where, and what is wrong
   * @return the exception
   */
  public static CorruptException heap(String path, long offset, String message) {
    return new CorruptException(Kind.HEAP, message, path, offset);
  }

  /**
   * Says where the log of a heap is damaged.
   *
   * @param path the damaged file
   * @param offset of the damage in it, in bytes
   * @param what was found there, or is missing
   * @return the exception
   */
  public static CorruptException log(String path, long offset, String what) {
    return damaged(Kind.LOG, path, offset, what, "heap");
  }

  /**
   * Says where a journal is damaged.
   *
   * @param path the damaged file
   * @param offset of the damage in it, in bytes
   * @param what was found there, or is missing
   * @return the exception
   */
  public static CorruptException journal(String path, long offset, String what) {
    return damaged(Kind.JOURNAL, path, offset, what, "journal");
  }

  private static CorruptException damaged(
      Kind kind, String path, long offset, String what, String whole) {
    return new CorruptException(
        kind,
        path
            + " is damaged at byte "
            + offset
            + ": "
            + what
            + "; restore the "
            + whole
            + " from a backup, or save what is left with salvage",
        path,
        offset);
  }

  /**
   * Says that a file is too short.
   *
   * @param path the file
   * @param size that it has, in bytes
   * @param expected minimum size, in bytes
   * @return the exception
   */
  public static CorruptException truncated(String path, long size, long expected) {
    return new CorruptException(
        Kind.TRUNCATED,
        path
            + " has "
            + size
            + " bytes, but at least "
            + expected
            + " belong to it; restore it from a backup, or save what is left with salvage",
        path,
        size);
  }

  /**
   * Returns what is damaged.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Returns the damaged file.
   *
   * @return its path; empty if the damage has no place in one file, or its place is not known
   */
  public Optional<String> path() {
    return Optional.ofNullable(path);
  }

  /**
   * Returns where in the file the damage starts.
   *
   * @return an offset in bytes; empty if {@link #path} is
   */
  public OptionalLong offset() {
    return path == null ? OptionalLong.empty() : OptionalLong.of(offset);
  }
}
