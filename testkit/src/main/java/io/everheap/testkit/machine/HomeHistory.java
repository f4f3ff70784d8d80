package io.everheap.testkit.machine;

import io.everheap.engine.Engine;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The home image of one process after each of its commits: what a recovery up to the LSN of a
 * commit must restore. A successor's history continues where its recovery ended.
 *
 * <p>Only pages that a commit changed are kept. Thread-safe.
 */
public final class HomeHistory {
  private static final byte[] ZEROS = new byte[HomeLayout.PAGE_SIZE];
  private static final int FIRST_PAGE =
      (int) (HomeLayout.CATALOG_ADDRESS >>> HomeLayout.PAGE_SHIFT);

  private final @Nullable HomeHistory before;
  private final long start;
  private final NavigableMap<Long, Long> capacities = new TreeMap<>();
  private final Map<Long, List<Version>> pages = new HashMap<>();
  private final byte[] scratch = new byte[HomeLayout.PAGE_SIZE];
  private long last;

  /** The content of a page from the commit that ended at an LSN on. */
  @SuppressWarnings("ArrayRecordComponent") // it is neither changed nor compared
  private record Version(long lsn, byte[] bytes) {}

  private HomeHistory(@Nullable HomeHistory before, long start) {
    this.before = before;
    this.start = start;
    this.last = start;
  }

  /**
   * A history that begins with the present image of an engine, of which nothing earlier is known.
   */
  static HomeHistory begin(Engine engine) {
    long now = engine.log().appended();
    var history = new HomeHistory(null, now);
    long capacity = capacity(engine);
    for (long page = FIRST_PAGE; page < pages(capacity); page++) {
      history.record(engine.home(), page, now);
    }
    history.capacities.put(now, capacity);
    return history;
  }

  /** A history that continues this one after a recovery, whose image was compared. */
  HomeHistory continueFrom(Engine engine) {
    long end = engine.recovery().endLsn();
    var history = new HomeHistory(this, end);
    history.capacities.put(end, capacity(engine));
    return history;
  }

  /** A commit was applied. Called with the writer lock held. */
  synchronized void committed(Engine engine) {
    long lsn = engine.log().appended();
    long capacity = capacity(engine);
    long capacityBefore = capacities.lastEntry().getValue();
    for (long page : engine.home().dirty().toArray()) {
      if (page >= FIRST_PAGE && page < pages(capacity)) {
        record(engine.home(), page, lsn);
      }
    }
    // What the image grows by holds what it holds, be it stored or not.
    for (long page = pages(capacityBefore); page < pages(capacity); page++) {
      record(engine.home(), page, lsn);
    }
    capacities.put(lsn, capacity);
    last = lsn;
  }

  private void record(Home home, long page, long lsn) {
    home.copyOut(page * HomeLayout.PAGE_SIZE, scratch, 0, scratch.length);
    byte[] known = page(page, last);
    if (!Arrays.equals(known, scratch)) {
      pages.computeIfAbsent(page, p -> new ArrayList<>()).add(new Version(lsn, scratch.clone()));
    }
  }

  /** Whether the image at an LSN is unknown, since the history begins later. */
  boolean isUnknown(long lsn) {
    return lsn < start && before == null;
  }

  /**
   * The capacity after the last commit up to an LSN, behind which the log may be filled up; null if
   * an earlier recovery got further.
   */
  synchronized @Nullable Long capacityAt(long lsn) {
    Map.Entry<Long, Long> entry = capacities.floorEntry(lsn);
    return entry == null ? null : entry.getValue();
  }

  /** What a page held after the last commit up to an LSN; not to be changed. */
  synchronized byte[] page(long page, long lsn) {
    List<Version> versions = pages.getOrDefault(page, List.of());
    for (int i = versions.size() - 1; i >= 0; i--) {
      if (versions.get(i).lsn <= lsn) {
        return versions.get(i).bytes;
      }
    }
    HomeHistory earlier = before;
    return earlier == null ? ZEROS : earlier.page(page, start);
  }

  private static long capacity(Engine engine) {
    return engine.home().getLong(HomeLayout.CAPACITY_ADDRESS);
  }

  private static long pages(long capacity) {
    return capacity >>> HomeLayout.PAGE_SHIFT;
  }
}
