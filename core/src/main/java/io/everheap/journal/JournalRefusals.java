package io.everheap.journal;

import io.everheap.error.EverheapException;
import io.everheap.error.JournalClosedException;
import io.everheap.error.JournalFailedException;
import io.everheap.log.GroupCommit;
import org.jspecify.annotations.Nullable;

/**
 * What appenders are told when the journal ended.
 *
 * @param location of the journal
 */
record JournalRefusals(String location) implements GroupCommit.Refusals {
  @Override
  public RuntimeException closed() {
    return new JournalClosedException(location);
  }

  @Override
  public EverheapException poisoned(@Nullable Throwable cause) {
    return new JournalFailedException(location, cause);
  }
}
