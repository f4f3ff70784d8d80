package io.everheap.engine.home;

import io.everheap.error.EverheapException;
import io.everheap.memory.PendingRegion;
import io.everheap.memory.Region;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The pages of an encrypted home image that are decrypted in memory. A page is decrypted when it is
 * first used, which each access checks for; an image that fits into memory is decrypted ahead, and
 * when all pages of an extent are, its accesses check nothing any more. Decrypted pages are private
 * memory until their extent is remapped, whether something was stored to them or not.
 *
 * <p>Of an image that is not encrypted this knows nothing.
 */
public final class ClearPages {
  private final Home home;
  private final @Nullable Region[] extents; // of the image
  private final AtomicReferenceArray<PendingRegion.@Nullable Redo> loaders;
  private volatile boolean damaged; // a page could not be decrypted
  private volatile Runnable listener = () -> {};

  ClearPages(Home home, @Nullable Region[] extents) {
    this.home = home;
    this.extents = extents;
    this.loaders = new AtomicReferenceArray<>(extents.length);
  }

  private void grew() {
    listener.run();
  }

  /** Notes what decrypts the pages of an extent that is mapped. */
  void mapped(int extent, Region region) {
    PendingRegion lazy = lazy(region);
    if (lazy != null) {
      loaders.set(extent, lazy.redo());
      lazy.redo().onFilled(this::grew);
    }
  }

  /** The region that decrypts pages, which may be under one whose redo is pending. */
  private static @Nullable PendingRegion lazy(@Nullable Region region) {
    Region at = region;
    while (at instanceof PendingRegion pending) {
      if (pending.redo().filled() >= 0) {
        return pending;
      }
      at = pending.under();
    }
    return null;
  }

  /**
   * Sets what is called after each mebibyte that was decrypted, by the thread that needed it.
   *
   * @param newListener allocates nothing and does not wait
   */
  public void onGrowth(Runnable newListener) {
    listener = newListener;
  }

  /** Whether pages are decrypted when they are used. */
  public boolean isUsed() {
    return loaders.length() > 0 && loaders.get(0) != null;
  }

  /** Number of decrypted pages. */
  public long count() {
    long count = 0;
    for (int i = 0; i < extents.length && loaders.get(i) != null; i++) {
      count += count(i);
    }
    return count;
  }

  /** Number of decrypted pages of an extent. */
  public long count(int extent) {
    PendingRegion.Redo loader = loaders.get(extent);
    return loader == null || extents[extent] == null ? 0 : loader.filled();
  }

  /** Whether there are pages to decrypt ahead: some extent still checks each access. */
  public boolean isPending() {
    if (damaged) {
      return false;
    }
    for (int i = 0; i < extents.length; i++) {
      if (lazy(extents[i]) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Decrypts pages in their order until a deadline.
   *
   * @param deadline in the time of {@link System#nanoTime}
   * @return whether there is an extent for {@link #settle}
   */
  public boolean decrypt(long deadline) {
    boolean complete = false;
    for (int i = 0; i < extents.length && deadline - System.nanoTime() > 0; i++) {
      Region region = extents[i];
      PendingRegion lazy = lazy(region);
      if (lazy != null) {
        complete |= decrypt(lazy, deadline) && lazy.equals(region);
      }
    }
    return complete;
  }

  private boolean decrypt(PendingRegion lazy, long deadline) {
    try {
      return lazy.useAll(deadline);
    } catch (IllegalStateException e) {
      return false; // the extent was remapped, or the heap is being closed
    } catch (EverheapException e) {
      damaged = true; // who needs the page will get the exception
      return false;
    }
  }

  /**
   * Replaces regions of which all pages are decrypted by the memory under them; for a caller that
   * keeps transactions and checkpoints out.
   */
  public void settle() {
    for (int i = 0; i < extents.length; i++) {
      if (extents[i] instanceof PendingRegion pending
          && pending.redo().filled() >= 0
          && pending.pendingPages() == 0) {
        home.set(i, pending.under());
      }
    }
  }
}
