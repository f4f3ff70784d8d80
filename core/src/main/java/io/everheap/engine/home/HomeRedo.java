package io.everheap.engine.home;

import io.everheap.memory.PendingRegion;
import io.everheap.memory.Region;
import io.everheap.memory.Window;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The redo of the pages of a home image after a recovery. The extents with pages that the log
 * changes are {@link PendingRegion}s until {@link #finish}.
 */
public final class HomeRedo {
  private static final VarHandle EXTENT = MethodHandles.arrayElementVarHandle(Region[].class);

  private final Home home;
  private final @Nullable Region[] extents; // of the image
  private final @Nullable Window[] windows;

  /** What brings pages up to date, or null. */
  private volatile PendingRegion.@Nullable Redo source;

  HomeRedo(Home home, @Nullable Region[] extents, @Nullable Window[] windows) {
    this.home = home;
    this.extents = extents;
    this.windows = windows;
  }

  /** Pages that a log changes. */
  public interface Changed {
    /** Those of {@code count} pages from {@code first} on, as a bitmap; null if there is none. */
    long @Nullable [] pages(long first, int count);
  }

  /**
   * Lets each page that a log changes be brought up to date when it is first used. From now on the
   * pages count as dirty. The caller is the only one that uses the image.
   *
   * @param redo is closed with the image, or by {@link #finish}
   */
  public void begin(PendingRegion.Redo redo, Changed changed) {
    source = redo;
    int count = 1 << (home.extentShift() - HomeLayout.PAGE_SHIFT);
    for (int i = 0; i < extents.length; i++) {
      Region region = extents[i];
      long first = (long) i * count;
      long[] pages = region == null ? null : changed.pages(first, count);
      if (region != null && pages != null) {
        for (int page = 0; page < count; page++) {
          if ((pages[page >>> 6] & (1L << page)) != 0) {
            home.markDirty((first + page) << HomeLayout.PAGE_SHIFT, HomeLayout.PAGE_SIZE);
          }
        }
        home.set(i, new PendingRegion(region, first, pages, redo));
      }
    }
  }

  /** Number of pages that are not up to date yet. */
  public long pendingPages() {
    long count = 0;
    for (int i = 0; i < extents.length; i++) {
      if (EXTENT.getAcquire(extents, i) instanceof PendingRegion pending) {
        count += pending.pendingPages();
      }
    }
    return count;
  }

  /**
   * Brings all pages up to date and releases the log, unless that was done; by one thread at a
   * time. From then on loads and stores go to the memory without a look whether a page is up to
   * date.
   *
   * @param quiesced runs what it is given with no transaction running
   */
  public void finish(Consumer<Runnable> quiesced) {
    PendingRegion.Redo finished = source;
    if (finished != null) {
      finished.redoAll(this::pending);
      quiesced.accept(this::end);
      source = null;
      finished.close();
    }
  }

  /** The region that a page is in; null if all pages of its extent are up to date. */
  private @Nullable PendingRegion pending(long page) {
    int extent = (int) (page >>> (home.extentShift() - HomeLayout.PAGE_SHIFT));
    return EXTENT.getAcquire(extents, extent) instanceof PendingRegion pending ? pending : null;
  }

  /** The image may be unmapped meanwhile, by a thread without the writer lock. */
  private void end() {
    for (int i = 0; i < extents.length; i++) {
      if (extents[i] instanceof PendingRegion pending
          && EXTENT.compareAndSet(extents, i, pending, pending.under())) {
        Objects.requireNonNull(windows[i]).show(pending.under());
      }
    }
    if (home.isUnmapped()) {
      home.closeAll();
    }
  }

  /** Releases the log; when nothing is mapped any more. */
  void release() {
    PendingRegion.Redo unfinished = source;
    if (unfinished != null) {
      unfinished.close();
    }
  }
}
