package io.everheap.benchmarks.medium;

import io.everheap.memory.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A shared mapping of an ordinary file whose force writes back cache lines and fences. */
final class EmulatedDaxRegion extends Region {
  private final long address;

  EmulatedDaxRegion(MemorySegment segment, Arena arena) {
    super(segment, arena);
    this.address = segment.address();
  }

  @Override
  public void force(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, segment.byteSize());
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException("already closed");
    }
    CacheLines.writeBack(address + offset, length);
  }
}
