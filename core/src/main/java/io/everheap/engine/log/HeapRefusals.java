package io.everheap.engine.log;

import io.everheap.error.EverheapException;
import io.everheap.error.HeapClosedException;
import io.everheap.error.PoisonedException;
import io.everheap.log.GroupCommit;
import org.jspecify.annotations.Nullable;

/**
 * What committers are told when the log of a heap ended.
 *
 * @param location of the heap
 */
record HeapRefusals(String location) implements GroupCommit.Refusals {
  @Override
  public RuntimeException closed() {
    return new HeapClosedException(location);
  }

  @Override
  public EverheapException poisoned(@Nullable Throwable cause) {
    return new PoisonedException(location, cause);
  }
}
