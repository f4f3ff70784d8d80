package io.everheap;

import io.everheap.stability.Stable;
import java.time.Duration;
import java.util.Objects;

/**
 * When a commit is safe from power loss. In every mode, a commit that returned survives the end of
 * the process, and a heap never holds half a transaction.
 *
 * @since 0.9
 */
@Stable
public sealed interface Durability {
  /** A commit returns when it survives power loss. Commits that wait together share one sync. */
  Durability SYNC = new Sync();

  /**
   * A commit returns at once. A power loss loses at most the commits of the last interval plus the
   * duration of one sync, and those that remain are a prefix of the commits. On byte-addressable
   * media it is the same as {@link #SYNC}, which costs one fence there.
   *
   * @param interval between background syncs, at least 100 microseconds
   */
  static Durability async(Duration interval) {
    return new Async(interval);
  }

  /** See {@link Durability#SYNC}. */
  record Sync() implements Durability {}

  /**
   * See {@link Durability#async}.
   *
   * @param interval between background syncs
   */
  record Async(Duration interval) implements Durability {
    private static final Duration MIN_INTERVAL = Duration.ofNanos(100_000);
    private static final Duration MAX_INTERVAL = Duration.ofHours(1);

    /** Checks the interval. */
    public Async {
      Objects.requireNonNull(interval, "interval");
      if (interval.compareTo(MIN_INTERVAL) < 0 || interval.compareTo(MAX_INTERVAL) > 0) {
        throw new IllegalArgumentException(
            "interval " + interval + " is not between " + MIN_INTERVAL + " and " + MAX_INTERVAL);
      }
    }
  }
}
