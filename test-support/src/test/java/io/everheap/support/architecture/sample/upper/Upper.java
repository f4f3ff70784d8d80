package io.everheap.support.architecture.sample.upper;

import io.everheap.support.architecture.sample.lower.Lower;

public class Upper {
  public static final int LIMIT = 1;

  Lower lower;
}
