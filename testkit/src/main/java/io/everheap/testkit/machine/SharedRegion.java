package io.everheap.testkit.machine;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A shared mapping: stores reach the file at once, and stay when the process is killed. */
public final class SharedRegion extends SimulatedRegion {
  private final FileContent.SharedMemory memory;

  SharedRegion(
      FileContent content, FileContent.SharedMemory memory, MemorySegment segment, long position) {
    super(content, segment, null, position);
    this.memory = memory;
  }

  @Override
  void before(long offset, long length) {
    content.medium.requireAlive();
    content.beforeStore(position + offset, length);
  }

  @Override
  void after(long offset, long length) {
    content.afterStore(position + offset, length);
    content.medium.happened(CrashPoint.Kind.STORE, content.name(), position + offset, length);
  }

  @Override
  boolean copiesInPieces() {
    return true;
  }

  @Override
  public void force(long offset, long length) {
    synchronized (content.medium) {
      Objects.checkFromIndexSize(offset, length, size());
      requireOpen();
      content.medium.requireAlive();
      content.forcing(position + offset, length);
      content.medium.happened(CrashPoint.Kind.FORCE, content.name(), position + offset, length);
      content.forced(position + offset, length);
    }
  }

  @Override
  void onClose() {
    memory.mappings--;
  }
}
