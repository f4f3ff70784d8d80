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
 * The redo of pages of a home image after a recovery. The extents with pages that the log changes
 * are {@link PendingRegion}s until {@link #finish}. One thread at a time calls {@link #begin} and
 * {@link #finish}; the other methods are for any thread.
 */
public final class HomeRedo {
  private static final VarHandle EXTENT = MethodHandles.arrayElementVarHandle(Region[].class);

  private final Home home;
  private final @Nullable Region[] extents; // of the image
  private final @Nullable Window[] windows;

  /** Applies the log to pages; null before {@link #begin} and after {@link #finish}. */
  private volatile PendingRegion.@Nullable Redo source;

  HomeRedo(Home home, @Nullable Region[] extents, @Nullable Window[] windows) {
    this.home = home;
    this.extents = extents;
    this.windows = windows;
  }

  /** The set of pages that the log changes. */
  public interface Changed {
    /** A bitmap of {@code count} pages from {@code first} on; null if none of them is changed. */
    long @Nullable [] pages(long first, int count);
  }

  /**
   * Makes the pages that the log changes pending: the log is applied to each when it is first used.
   * From now on these pages count as dirty. No other thread uses the image during this call.
   *
   * @param redo applies the log; closed with the image, or by {@link #finish}
   * @param changed the pages
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
      if (EXTENT.getAcquire(extents, i) instanceof PendingRegion pending && pending.isOf(source)) {
        count += pending.pendingPages();
      }
    }
    return count;
  }

  /**
   * Brings all pages up to date and releases the log, unless this was done before; called by one
   * thread at a time. From then on loads and stores go directly to the memory.
   *
   * @param quiesced runs an action while no transaction runs
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

  /** The region of a page; null if all pages of its extent are up to date. */
  private @Nullable PendingRegion pending(long page) {
    int extent = (int) (page >>> (home.extentShift() - HomeLayout.PAGE_SHIFT));
    return EXTENT.getAcquire(extents, extent) instanceof PendingRegion pending
            && pending.isOf(source)
        ? pending
        : null;
  }

  /** Replaces pending regions; another thread, without the writer lock, may unmap meanwhile. */
  private void end() {
    for (int i = 0; i < extents.length; i++) {
      if (extents[i] instanceof PendingRegion pending
          && pending.isOf(source)
          && EXTENT.compareAndSet(extents, i, pending, pending.under())) {
        Objects.requireNonNull(windows[i]).show(pending.under());
      }
    }
    if (home.isUnmapped()) {
      home.closeAll();
    }
  }

  /** Releases the log; called when the image is unmapped. */
  void release() {
    PendingRegion.Redo unfinished = source;
    if (unfinished != null) {
      unfinished.close();
    }
  }
}
