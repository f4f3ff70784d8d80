package io.everheap.collection;

import io.everheap.error.CorruptHeapException;

/** Makes the exceptions for bytes that a map cannot have written. */
final class Damage {
  private Damage() {}

  static CorruptHeapException at(long address, String what) {
    return new CorruptHeapException(
        "the home image is damaged at address " + address + ": " + what);
  }
}
