package io.everheap.it.replication;

import java.util.List;

/**
 * What a client did to a register, as it saw it.
 *
 * @param kind what
 * @param key of the register
 * @param value that it writes, if any; no other operation writes the same
 * @param expected what a comparison expects
 * @param found what the register had before; meaningless while the end is {@link #NEVER}
 * @param start when it was called, by the machine's monotonic clock
 * @param end when it returned; {@link #NEVER} if nobody knows whether it happened
 */
record Operation(Kind kind, int key, long value, long expected, long found, long start, long end) {
  /** The end of an operation whose client heard nothing. */
  static final long NEVER = Long.MAX_VALUE;

  /** What can be done. */
  enum Kind {
    READ,
    WRITE,
    COMPARE_AND_SET;

    private static final List<Kind> ALL = List.of(values());

    /** The number of a kind in reports. */
    int number() {
      return ALL.indexOf(this);
    }

    /** The kind that has a number, from 0 on. */
    static Kind of(int number) {
      return ALL.get(number);
    }

    /** Whether it changes a register with a value. */
    boolean writes(long found, long expected) {
      return this == WRITE || (this == COMPARE_AND_SET && found == expected);
    }
  }

  boolean isKnown() {
    return end != NEVER;
  }

  /** Whether it can be the next one when the register has a value. */
  boolean isPossible(long state) {
    return !isKnown() || found == state;
  }

  /** What the register has after it. */
  long next(long state) {
    return kind.writes(state, expected) ? value : state;
  }
}
