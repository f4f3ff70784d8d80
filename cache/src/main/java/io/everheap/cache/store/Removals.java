package io.everheap.cache.store;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says which ends of entries are written down while not all entries of earlier openings are known:
 * an older entry of the same key may be found later.
 *
 * <pre>
 *   field  mode      guard
 *   list   volatile  written once, under the cache's lock; what it refers to: the cache's lock
 * </pre>
 */
final class Removals {
  /** The pairs that the end of one entry, and what replaces it, may take. */
  private static final int MOST_PAIRS = 3;

  private final List<CacheFile> files;
  private final Progress progress;
  private final Durability durability;
  private volatile @Nullable RemovalList list; // null when all entries are known

  Removals(List<CacheFile> files, Progress progress, Durability durability) {
    this.files = files;
    this.progress = progress;
    this.durability = durability;
    this.list = new RemovalList(files);
  }

  /** Whether all entries of earlier openings are known; any thread. */
  boolean isIndexed() {
    return list == null;
  }

  /** Whether the list, if there is one, has room for another entry's end. */
  boolean mayEnd() {
    RemovalList running = list;
    return running == null || running.hasRoom(MOST_PAIRS);
  }

  /** Whether an entry of an earlier opening that was found just now was removed. */
  boolean covers(long hash, long sequence) {
    return Objects.requireNonNull(list).covers(hash, sequence);
  }

  /** An entry is made: older ones of its hash are not served that are not known yet. */
  void rememberOlder(long hash, long sequence) {
    RemovalList running = list;
    if (running != null) {
      long _ = remember(running, hash, sequence - 1);
    }
  }

  /** A key is removed: the entry that is known need not be the newest one of its key. */
  void rememberAll(long hash) {
    RemovalList running = list;
    if (running != null) {
      long _ = remember(running, hash, progress.next());
    }
  }

  /** An entry is about to end. */
  void rememberEnd(long hash, long sequence) {
    RemovalList running = list;
    if (running != null && sequence >= progress.validFrom()) {
      long pair = remember(running, hash, sequence);
      if (progress.isEarlier(sequence)) {
        // Else a power loss could keep the end and not the pair, and an older entry came back.
        long page = RemovalList.page(pair);
        files.getFirst().force(page, pair + RemovalList.PAIR - page);
      }
    }
  }

  /** Says in the list that entries up to a sequence are not served; returns where. */
  private long remember(RemovalList running, long hash, long through) {
    long at = running.add(hash, through);
    long page = RemovalList.page(at);
    durability.ended(hash, files.getFirst(), page, (int) (at + RemovalList.PAIR - page));
    return at;
  }

  /** All entries are known, and the ends of those that are not served are durable. */
  void forget() {
    list = null;
    RemovalList.clear(files);
  }
}
