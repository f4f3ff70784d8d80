package io.everheap.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What a file medium maps to be changed: the file counts as open until it is unmapped. */
final class SharedRegion extends Region {
  private @Nullable Runnable onClose;

  /** A region that closes {@code arena} with it, and then runs {@code onClose} once. */
  SharedRegion(MemorySegment segment, Arena arena, Runnable onClose) {
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
