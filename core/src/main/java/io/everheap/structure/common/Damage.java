package io.everheap.structure.common;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.CorruptException;

/** Makes the exceptions for bytes that a structure cannot have written. */
public final class Damage {
  private Damage() {}

  public static CorruptException at(long address, String what) {
    return CorruptException.heap("the home image is damaged at address " + address + ": " + what);
  }

  /**
   * Throws an exception that says nothing about the bytes that were read: the log that changes them
   * is damaged.
   */
  public static void rethrowOfLog(RuntimeException e) {
    if (e instanceof CorruptException damage && damage.kind() == CorruptException.Kind.LOG) {
      throw e;
    }
  }

  /**
   * Returns a stored number of elements.
   *
   * @param header address of the structure
   * @throws CorruptException if it is negative, or the heap has no room for so many words
   */
  public static long requireCount(HeapMemory memory, long header, long count) {
    if (count < 0 || count > memory.getLong(HomeLayout.CAPACITY_ADDRESS) / Long.BYTES) {
      throw at(header, "a structure of " + count + " elements");
    }
    return count;
  }
}
