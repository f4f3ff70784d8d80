package io.everheap.engine;

import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Frees memory during a replay that makes too many pages private: writes the changed ones to the
 * file, and remaps all extents with private pages. The log is durable up to its end before, and a
 * superblock says that replay must reach it. Used by the thread that opens the heap.
 */
final class Spill implements Runnable {
  private static final int PAGE = HomeLayout.PAGE_SIZE;
  private static final int MAX_ROUND_PAGES = 256;

  private final Home home;
  private final CheckedPages checked;
  private final ChangedPages changes;
  private final SuperblockStore superblocks;
  private final boolean interrupted;
  private @Nullable ByteBuffer buffer; // allocated by the first run

  /**
   * Creates a spill.
   *
   * @param interrupted whether a crash interrupted a checkpoint, so that changed pages may not
   *     match their checksums
   */
  Spill(
      Home home,
      CheckedPages checked,
      ChangedPages changes,
      SuperblockStore superblocks,
      boolean interrupted) {
    this.changes = changes;
    this.home = home;
    this.checked = checked;
    this.superblocks = superblocks;
    this.interrupted = interrupted;
  }

  @Override
  public void run() {
    if (interrupted) {
      checked.doubt(home.dirty());
    }
    long[] pages = home.dirty().toArray();
    home.dirty().clear();
    long reach = superblocks.current().minReplayEnd();
    checked.announce(pages, 0, pages.length, reach, superblocks::sync);
    superblocks.beginWriting(reach);
    ByteBuffer memory = buffer;
    if (memory == null) {
      memory = ByteBuffer.allocateDirect(MAX_ROUND_PAGES * PAGE);
      buffer = memory;
    }
    MemorySegment segment = MemorySegment.ofBuffer(memory);
    for (int from = 0; from < pages.length; from += MAX_ROUND_PAGES) {
      int to = Math.min(pages.length, from + MAX_ROUND_PAGES);
      home.copyPages(pages, from, to, segment);
      changes.add(pages, from, to);
      checked.check(pages, from, to, home.written());
      checked.write(pages, from, to, memory, reach);
    }
    home.file().sync();
    for (int extent = 0; extent < home.maxExtents(); extent++) {
      if (home.resident().count(extent) > 0 || home.clear().count(extent) > 0) {
        home.remap(extent).close();
      }
    }
  }
}
