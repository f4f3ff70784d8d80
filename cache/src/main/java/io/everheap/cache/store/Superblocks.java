package io.everheap.cache.store;

import io.everheap.cache.format.State;
import java.util.List;
import java.util.function.UnaryOperator;

/** The state of a cache, and its superblocks in all files. Thread-safe. */
final class Superblocks {
  private final List<CacheFile> files;
  private volatile State state;

  Superblocks(List<CacheFile> files, State state) {
    this.files = files;
    this.state = state;
  }

  /** The state as it was last written. */
  State state() {
    return state;
  }

  /** Changes the state, durably. */
  synchronized void update(UnaryOperator<State> change) {
    State next = change.apply(state).next();
    for (CacheFile file : files) {
      file.write(next);
    }
    state = next;
  }
}
