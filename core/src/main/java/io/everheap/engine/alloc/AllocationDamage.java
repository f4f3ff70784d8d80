package io.everheap.engine.alloc;

import io.everheap.error.CorruptException;

/** Creates the exceptions for bytes that the allocator cannot have written. Stateless. */
final class AllocationDamage {
  private AllocationDamage() {}

  static CorruptException chunk(int chunk, String what) {
    return at(ChunkLayout.address(chunk), "The chunk cannot be used: " + what);
  }

  static CorruptException at(long address, String what) {
    return CorruptException.heap(
        "The home image is damaged at address " + address + ". " + what + '.');
  }
}
