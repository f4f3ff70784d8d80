package io.everheap.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Memory that is mapped to be changed: its file counts as open until it is unmapped. */
class SharedRegion extends Region {
  private @Nullable Runnable onClose;

  /**
   * A region that closes {@code arena} with it, and then runs {@code onClose} once; without an
   * arena the memory stays.
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
