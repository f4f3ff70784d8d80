package io.everheap.engine.tx;

import io.everheap.engine.home.Home;
import io.everheap.memory.Region;
import io.everheap.memory.Window;
import java.lang.foreign.MemorySegment;

/**
 * The memory of a {@link Snapshot}. It has a writer lock of its own that no thread takes, so every
 * store throws.
 */
final class SnapshotMemory extends HeapMemory {
  private final Snapshot snapshot;

  SnapshotMemory(Home home, Snapshot snapshot) {
    super(home, new WriterLock(0), new WriteSet(1 << 12));
    this.snapshot = snapshot;
  }

  @Override
  public long getLong(long address) {
    return snapshot.getLong(address);
  }

  @Override
  public long getCommitted(long address) {
    return snapshot.getLong(address);
  }

  /** Refuses, because loads from the extent would bypass the snapshot. */
  @Override
  public Region extent(long address) {
    throw new UnsupportedOperationException("a snapshot has no extents");
  }

  @Override
  public Window window(long address) {
    throw new UnsupportedOperationException("a snapshot has no windows");
  }

  @Override
  public void copyCommitted(long address, byte[] dst, int at, int len) {
    copyOut(address, dst, at, len);
  }

  @Override
  public void copyOut(long address, byte[] dst, int at, int len) {
    snapshot.copyOut(address, MemorySegment.ofArray(dst), at, len);
  }

  @Override
  public void copyOut(long address, MemorySegment dst, long at, long len) {
    snapshot.copyOut(address, dst, at, len);
  }
}
