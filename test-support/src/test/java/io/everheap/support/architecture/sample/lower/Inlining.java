package io.everheap.support.architecture.sample.lower;

import io.everheap.support.architecture.sample.upper.Upper;

/** Points up by a constant alone. */
public class Inlining {
  int limit() {
    return Upper.LIMIT;
  }
}
