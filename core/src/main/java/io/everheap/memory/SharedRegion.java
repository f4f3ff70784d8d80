package io.everheap.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A mapping for changes: its file counts as open until the region is closed. */
class SharedRegion extends Region {
  private @Nullable Runnable onClose;

  /**
   * Creates a region whose close closes {@code arena}, if there is one, and then runs {@code
   * onClose} once.
   */
  SharedRegion(MemorySegment segment, @Nullable Arena arena, Runnable onClose) {
    super(segment, arena);
    this.onClose = onClose;
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
