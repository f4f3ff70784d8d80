package io.everheap.cache.store;

import io.everheap.memory.BriefLock;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says which ends of entries are written down while not all entries of earlier openings are known:
 * an older entry of the same key may be found later.
 *
 * <pre>
 *   field  mode      guard
 *   map    volatile  written once, under the cache's lock; what it refers to: the cache's lock
 * </pre>
 */
final class Removals {
  private final List<CacheFile> files;
  private final Turn turn;
  private final Progress progress;
  private final Durability durability;
  private final long settled;
  private volatile @Nullable RemovalMap map; // null when all entries are known

  Removals(
      Turn turn, List<CacheFile> files, Epoch epoch, Progress progress, Durability durability) {
    this.turn = turn;
    this.files = files;
    this.progress = progress;
    this.durability = durability;
    this.settled = epoch.settled();
    this.map = new RemovalMap(files, epoch.unknown());
  }

  /** Whether all entries of earlier openings are known; any thread. */
  boolean isIndexed() {
    return map == null;
  }

  /** Whether an entry of an earlier opening that was found just now was removed. */
  boolean covers(long hash, long sequence) {
    return Objects.requireNonNull(map).covers(hash, sequence);
  }

  /**
   * A key is put or removed: entries of its hash are not served that are not known yet. One that is
   * known need not be the newest of its key.
   */
  void rememberAll(long hash) {
    RemovalMap running = map;
    if (running != null && progress.hasEarlier()) {
      progress.changed();
      long _ = remember(running, hash);
    }
  }

  /**
   * An entry is about to end. It covers an older one only if a crash came between the stores that
   * made it and ended that one. A sync since then made the second one durable.
   */
  void rememberEnd(long hash, long sequence) {
    RemovalMap running = map;
    if (running != null
        && sequence > settled
        && progress.isEarlier(sequence)
        && sequence >= progress.validFrom()) {
      // Else a power loss could keep the end and not the bit, and an older entry came back.
      files.getFirst().force(remember(running, hash), Long.BYTES);
    }
  }

  /** Returns where it is written down. */
  private long remember(RemovalMap running, long hash) {
    long at = running.add(hash);
    durability.ended(hash, files.getFirst(), at, Long.BYTES);
    return at;
  }

  /** All entries are known, and the ends of those that are not served are durable. */
  void forget() {
    map = null;
  }

  /** Empties what was written down; a large map takes its time, so a part under each lock. */
  void clear() {
    int steps = RemovalMap.steps(files);
    for (int i = 0; i < steps; i++) {
      int step = i;
      turn.lock.lock();
      try {
        if (!turn.isUsable()) {
          return; // the next opening does not read it
        }
        turn.guarded(() -> RemovalMap.empty(files, step));
      } finally {
        turn.lock.state = BriefLock.FREE;
      }
    }
  }
}
