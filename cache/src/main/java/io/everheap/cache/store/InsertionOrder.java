package io.everheap.cache.store;

import io.everheap.cache.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tells the policy in which order the entries of earlier openings were made. Takes the cache's lock
 * for a segment, and for a part of the entries, at a time.
 */
final class InsertionOrder {
  private static final int BATCH = 1 << 12;

  private final Turn turn;
  private final Space space;
  private final Contents contents;
  private final Entries entries;
  private final Progress progress;
  private final Policy policy;

  InsertionOrder(Base base, Contents contents, Entries entries, Progress progress) {
    this.turn = base.turn();
    this.space = base.space();
    this.contents = contents;
    this.entries = entries;
    this.progress = progress;
    this.policy = base.policy();
  }

  /** Restores the order of so many entries, unless they are too many to be sorted in memory. */
  void restore(long recovered) {
    long most = Math.min(Integer.MAX_VALUE / 2, Runtime.getRuntime().maxMemory() / 64);
    if (recovered > most) {
      return; // they stay in the order of the scan
    }
    long[] ages = ages();
    for (int to = ages.length; to > 0; to -= BATCH) {
      int[] oldestFirst = new int[Math.min(to, BATCH)];
      for (int i = 0; i < oldestFirst.length; i++) {
        oldestFirst[i] = Ages.slot(ages[to - oldestFirst.length + i]);
      }
      turn.runGently(() -> turn.whole(() -> policy.restored(oldestFirst)));
    }
  }

  /** The words of all entries, oldest first. */
  private long[] ages() {
    long[] found = new long[1024];
    int count = 0;
    for (int i = 0; i < space.segmentCount(); i++) {
      for (long[] entry : entriesOf(space.segment(i))) {
        if (count == found.length) {
          found = Arrays.copyOf(found, 2 * count);
        }
        found[count++] = Ages.word(entry[0], (int) entry[1], progress.sequence());
      }
    }
    Arrays.sort(found, 0, count);
    return Arrays.copyOf(found, count);
  }

  /** Sequences and slots. */
  private List<long[]> entriesOf(Segment segment) {
    List<long[]> found = new ArrayList<>();
    turn.runGently(
        () ->
            segment.forEachUsed(
                slot -> {
                  if (entries.isLive(slot)) {
                    found.add(new long[] {contents.sequence(slot), slot});
                  }
                }));
    return found;
  }
}
