package io.everheap.log;

import io.everheap.error.EverheapException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The copies of a log on other machines, for which commits and appends wait after they are durable
 * on this one. Thread-safe.
 */
public interface RemoteCopies {
  /** Whether commits wait for copies now. */
  boolean wanted();

  /**
   * Waits until enough copies have the log up to an LSN; that of a journal is a position.
   *
   * @throws io.everheap.error.ReplicationException if they will not have it; what was written
   *     stands on this machine
   */
  void await(long lsn);

  /**
   * Calls an action when enough copies have the log up to an LSN, or with the reason for which they
   * will not.
   */
  void whenCopied(long lsn, Consumer<@Nullable EverheapException> action);
}
