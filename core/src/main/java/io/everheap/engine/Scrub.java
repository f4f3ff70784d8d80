package io.everheap.engine;

import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.CheckedPages.PageDamage;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the home file and compares its pages with their checksums, in slices. Checkpoints can run
 * between two slices, so transactions and the log never wait for the whole scrub.
 */
final class Scrub {
  private static final long SLICE_PAGES = 1024;

  private final Home home;
  private final @Nullable CheckedPages checked;
  private final Checkpointer checkpointer;

  Scrub(Home home, @Nullable CheckedPages checked, Checkpointer checkpointer) {
    this.home = home;
    this.checked = checked;
    this.checkpointer = checkpointer;
  }

  /** Reports the damaged pages; the caller holds no lock. */
  void run(Consumer<PageDamage> findings) {
    CheckedPages file = checked;
    if (file == null) {
      return;
    }
    checkpointer.exclusively(() -> file.scrubTable(capacity(), findings));
    long[] next = {0};
    while (next[0] >= 0) {
      checkpointer.exclusively(
          () -> {
            long end = capacity() >>> HomeLayout.PAGE_SHIFT; // the image may grow and shrink
            long to = Math.min(end, next[0] + SLICE_PAGES);
            file.scrub(next[0], to, findings);
            next[0] = to < end ? to : -1;
          });
    }
    checkpointer.exclusively(() -> file.scrubRoot(findings));
  }

  private long capacity() {
    return home.getLong(HomeLayout.CAPACITY_ADDRESS);
  }
}
