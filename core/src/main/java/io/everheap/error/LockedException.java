package io.everheap.error;

import io.everheap.stability.Stable;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A heap, store, cache or journal cannot be opened because it is open already, in this process or
 * in another; code {@value #CODE}, for a journal {@value #JOURNAL_CODE}. A heap is open for writing
 * once, or for reading by any number of processes. A journal can be read while it is written.
 *
 * @since 0.9
 */
@Stable
public final class LockedException extends EverheapException {
  /** The code for heaps, stores and caches. */
  public static final String CODE = "EH-LOCKED";

  /** The code for journals. */
  public static final String JOURNAL_CODE = "EH-JOURNAL-LOCKED";

  private static final long serialVersionUID = 1L;

  private final long pid;

  private LockedException(
      String code, String message, OptionalLong holder, @Nullable Throwable cause) {
    super(code, message, cause);
    this.pid = holder.orElse(-1);
  }

  /**
   * Creates the exception for a directory that is not a journal's.
   *
   * @param message the directory, the process that holds it, and what to do
   * @param holder the process that has it open, if it is known
   * @return the exception
   */
  public static LockedException heap(String message, OptionalLong holder) {
    return new LockedException(CODE, message, holder, null);
  }

  /**
   * Creates the exception for a journal.
   *
   * @param location of the journal
   * @param holder the process that has it open, if it is known
   * @param cause the refused lock, or {@code null}
   * @return the exception
   */
  public static LockedException journal(
      String location, OptionalLong holder, @Nullable Throwable cause) {
    return new LockedException(
        JOURNAL_CODE,
        "the journal at "
            + location
            + " is open for writing in "
            + (holder.isPresent() ? "process " + holder.getAsLong() : "this or another process")
            + "; open it read-only to read it now",
        holder,
        cause);
  }

  /**
   * Returns the process that has it open.
   *
   * @return its id, or empty if it is not known, for example because it only reads
   */
  public OptionalLong pid() {
    return pid < 0 ? OptionalLong.empty() : OptionalLong.of(pid);
  }
}
