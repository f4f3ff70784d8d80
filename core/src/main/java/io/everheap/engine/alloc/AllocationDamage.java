package io.everheap.engine.alloc;

import io.everheap.error.CorruptHeapException;

/** Creates the exceptions for bytes that the allocator cannot have written. Stateless. */
final class AllocationDamage {
  private AllocationDamage() {}

  static CorruptHeapException chunk(int chunk, String what) {
    return at(ChunkLayout.address(chunk), "The chunk cannot be used: " + what);
  }

  static CorruptHeapException at(long address, String what) {
    return new CorruptHeapException(
        "The home image is damaged at address " + address + ". " + what + '.');
  }
}
