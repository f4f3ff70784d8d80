package io.everheap.structure.common;

import io.everheap.engine.tx.ReadAgain;

/** Ends an optimistic attempt whose guard no longer holds; the loop around it tries again. */
@SuppressWarnings(
    "StaticAssignmentOfThrowable") // it has no stack trace and takes no suppressed ones
public final class Retry extends ReadAgain {
  private static final long serialVersionUID = 1L;

  public static final Retry INSTANCE = new Retry();

  private Retry() {
    super("a read met a concurrent commit");
  }
}
