package io.everheap.testkit.error;

import io.everheap.testkit.error.ErrorPoints.Place;

/** What is thrown, and for how long. */
enum Kind {
  /** One call fails. */
  OVERFLOW_ONCE,
  /** Each call fails from as many frames on as the one that failed first. */
  OVERFLOW_BELOW,
  /** Each call fails until the thread has left the library. */
  OVERFLOW_EVERYWHERE,
  /** One allocation fails. */
  MEMORY_ONCE,
  /** Each allocation fails until the thread has left the library. */
  MEMORY,
  /** One call fails with an error that no code knows. */
  ERROR;

  boolean strikesAt(Place place) {
    return (this == MEMORY_ONCE || this == MEMORY) ? place.allocates() : place.calls();
  }

  boolean lasts() {
    return this == OVERFLOW_BELOW || this == OVERFLOW_EVERYWHERE || this == MEMORY;
  }

  Error make(String where) {
    return switch (this) {
      case OVERFLOW_ONCE, OVERFLOW_BELOW, OVERFLOW_EVERYWHERE -> new StackOverflowError(where);
      case MEMORY_ONCE, MEMORY -> new OutOfMemoryError(where);
      case ERROR -> new StruckError(where);
    };
  }

  /** An error that no code knows. */
  static final class StruckError extends Error {
    private static final long serialVersionUID = 1;

    StruckError(String message) {
      super(message);
    }
  }
}
