package io.everheap.codec;

/**
 * What tools see of a reference to an object, for they do not have its class.
 *
 * @param type the name of the type that the reference was declared with
 * @param reference the word in the heap
 */
public record ObjectReference(String type, long reference) {
  /** The type and the address, as they stand in the text of an object. */
  @Override
  public String toString() {
    return type + '@' + Long.toHexString((reference & ((1L << 40) - 1)) << 4);
  }
}
