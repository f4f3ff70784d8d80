package io.everheap.support.architecture.sample.lower;

import io.everheap.support.architecture.sample.upper.Upper;

/** Points up, and so closes a cycle of packages. */
public class Climbing {
  Upper[] uppers;
}
