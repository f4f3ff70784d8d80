package io.everheap.durable.handle;

import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.StoredVersion;
import io.everheap.durable.type.Versions;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;

/**
 * Where the fields of an object are, and in which layout.
 *
 * @param base address from which the offsets of its layout count
 * @param body reference of its body if it was moved, else 0
 * @param version that it was written with
 */
record Place(long base, long body, StoredVersion version) {
  /**
   * Finds an object; by the writer, or optimistically under the object's stripe.
   *
   * @throws GoneException if there is none
   * @throws CorruptException if what is there cannot be an object
   */
  static Place find(HeapMemory memory, Allocator allocator, Versions versions, long reference) {
    int type = Allocator.typeOf(allocator.header(reference));
    long address = Reference.address(reference);
    if (type != ObjectLayout.MOVED) {
      return new Place(address, 0, versions.of(ObjectLayout.number(type)));
    }
    long body = memory.getLong(address + ObjectLayout.TO_BODY);
    int bodyType;
    try {
      bodyType = Allocator.typeOf(allocator.header(body));
    } catch (GoneException e) {
      throw CorruptException.heap(
          "The object at " + Reference.describe(reference) + " has no body: " + e.getMessage());
    }
    if (bodyType != ObjectLayout.BODY) {
      throw CorruptException.heap(
          "The object at "
              + Reference.describe(reference)
              + " leads to a block of type "
              + bodyType
              + " in place of its body.");
    }
    long at = Reference.address(body);
    long number = memory.getLong(at + ObjectLayout.VERSION);
    return new Place(at + ObjectLayout.BODY_BASE, body, versions.of(number));
  }
}
