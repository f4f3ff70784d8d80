package io.everheap.journal;

import io.everheap.log.GroupCommit;
import io.everheap.memory.MappedFaults;
import io.everheap.memory.Medium;
import org.jspecify.annotations.Nullable;

/** The failure that ended all appending, if there was one. Thread-safe. */
final class WriterFailure {
  /** Allocated in advance: when it is needed, there may be no memory for it. */
  @SuppressWarnings("StaticAssignmentOfThrowable")
  static final Throwable UNFINISHED =
      new IllegalStateException("an error of the virtual machine ended an append half-way");

  private final Medium medium;
  private final GroupCommit.Refusals refusals;
  private final GroupCommit group;

  /**
   * The cause, stored without a call; {@link #check} then ends the group commit with it. The first
   * cause stays, except in races.
   */
  volatile @Nullable Throwable broken;

  WriterFailure(Medium medium, GroupCommit.Refusals refusals, GroupCommit group) {
    this.medium = medium;
    this.refusals = refusals;
    this.group = group;
  }

  /** Where the journal is, for messages. */
  String location() {
    return medium.location();
  }

  /** Ends all appending. */
  void fail(Throwable cause) {
    broken = cause; // first: a call may fail
    Throwable why = MappedFaults.isFault(cause) ? MappedFaults.explain(medium, cause) : cause;
    broken = why;
    group.fail(why);
  }

  /** Throws if appending has ended. */
  void check() {
    Throwable cause = broken;
    if (cause != null) {
      fail(cause);
    }
    group.check();
  }

  /** Throws a cause that was stored and not reported yet. */
  void requireNone() {
    Throwable cause = broken;
    if (cause != null) {
      throw refusals.poisoned(cause);
    }
  }

  /** What ended all appending, or null. */
  @Nullable Throwable cause() {
    Throwable cause = broken;
    return cause != null ? cause : group.failure();
  }

  /** The exception for use after the journal was closed. */
  RuntimeException closed() {
    return refusals.closed();
  }

  /** Ends all appending after a lost page, and throws why; returns any other error. */
  InternalError faulted(InternalError error) {
    if (MappedFaults.isFault(error)) {
      fail(error);
      group.check();
    }
    return error;
  }
}
