package io.everheap.codec;

import io.everheap.stability.Stable;

/**
 * A reference to an object, as a tool reads it that does not have the object's class.
 *
 * @param type the name of the type that the reference was declared with
 * @param reference the word in the heap
 * @since 0.9
 */
@Stable
public record ObjectReference(String type, long reference) {
  /** The type and the address in hexadecimal. */
  @Override
  public String toString() {
    return type + '@' + Long.toHexString((reference & ((1L << 40) - 1)) << 4);
  }
}
