package io.everheap.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Memory of a {@link MemoryMedium}: there is nothing behind it that could be forced. */
final class MemoryRegion extends Region {
  private @Nullable Runnable onClose;

  /** A region that runs {@code onClose} once; without an arena the memory stays. */
  MemoryRegion(MemorySegment segment, @Nullable Arena arena, Runnable onClose) {
    super(segment, arena);
    this.onClose = onClose;
  }

  @Override
  public void force(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, size());
  }

  @Override
  public void close() {
    super.close();
    Runnable action;
    synchronized (this) {
      action = onClose;
      onClose = null;
    }
    if (action != null) {
      action.run();
    }
  }
}
