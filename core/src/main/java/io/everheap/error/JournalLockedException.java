package io.everheap.error;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A journal cannot be opened for writing because it is open for writing already, in this process or
 * in another; code {@value #CODE}. Any number of processes may read it meanwhile.
 */
public final class JournalLockedException extends EverheapException {
  /** The stable code of this failure. */
  public static final String CODE = "EH-JOURNAL-LOCKED";

  private static final long serialVersionUID = 1L;

  private final long pid;

  /**
   * Says which journal, and which process holds it.
   *
   * @param location of the journal
   * @param holder the process that has it open, if it is known
   * @param cause the refused lock, or {@code null}
   */
  public JournalLockedException(String location, OptionalLong holder, @Nullable Throwable cause) {
    super(
        CODE,
        "the journal at "
            + location
            + " is open for writing in "
            + (holder.isPresent() ? "process " + holder.getAsLong() : "this or another process")
            + "; open it read-only to read meanwhile",
        cause);
    this.pid = holder.orElse(-1);
  }

  /**
   * Returns the process that holds the journal.
   *
   * @return its id, or empty if it is not known
   */
  public OptionalLong pid() {
    return pid < 0 ? OptionalLong.empty() : OptionalLong.of(pid);
  }
}
