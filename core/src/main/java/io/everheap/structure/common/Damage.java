package io.everheap.structure.common;

import io.everheap.error.CorruptHeapException;

/** Makes the exceptions for bytes that a map cannot have written. */
public final class Damage {
  private Damage() {}

  public static CorruptHeapException at(long address, String what) {
    return new CorruptHeapException(
        "the home image is damaged at address " + address + ": " + what);
  }
}
