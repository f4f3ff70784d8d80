package io.everheap.engine;

import io.everheap.engine.event.Recording;
import io.everheap.engine.event.Recording.CheckpointEvent;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.Log;
import io.everheap.engine.tx.Transactions;
import io.everheap.memory.Medium;
import io.everheap.memory.Region;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzy checkpoints: bring the dirty pages to the medium while transactions go on, then say in a
 * superblock that replay starts later, then let the log before it be recycled. Every step is
 * durable before the next one begins.
 */
final class Checkpointer {
  private static final int FEW_PAGES = 256;
  private static final int PASSES = 8;

  private final Medium medium;
  private final Home home;
  private final @Nullable CheckedPages checked;
  private final Log log;
  private final Transactions transactions;
  private final SuperblockStore superblocks;
  private final PageWriter pages;
  private final long epoch;
  private final Object running = new Object();
  private final LongAdder checkpoints = new LongAdder();

  /**
   * Checkpoints of a heap.
   *
   * @param checked the pages of a file; none on a byte-addressable medium
   * @param epoch of the log; the first checkpoint makes it the superblock's
   */
  Checkpointer(
      Medium medium,
      Home home,
      @Nullable CheckedPages checked,
      Log log,
      Transactions transactions,
      SuperblockStore superblocks,
      long epoch) {
    this.epoch = epoch;
    this.medium = medium;
    this.home = home;
    this.checked = checked;
    this.log = log;
    this.transactions = transactions;
    this.superblocks = superblocks;
    this.pages = new PageWriter(home, checked, log, transactions, superblocks::beginWriting);
  }

  /** What a checkpoint covers, taken with no transaction running. */
  private final class Capture implements Runnable {
    long[] pages = {};
    long lsn;
    int chain;
    long capacity;

    /** The pages are known before they cease to be dirty, so that a failure can undo that. */
    @Override
    public void run() {
      lsn = log.appended();
      chain = log.chain();
      capacity = home.getLong(HomeLayout.CAPACITY_ADDRESS);
      pages = home.dirty().toArray();
      home.dirty().clear();
    }
  }

  /** Runs one checkpoint; one at a time. */
  void checkpoint() {
    checkpoint(false);
  }

  /**
   * Runs one checkpoint.
   *
   * @param closing whether nothing will be appended after it
   * @throws io.everheap.error.EverheapException when it failed; the pages are dirty again and
   *     nothing is lost
   */
  void checkpoint(boolean closing) {
    synchronized (running) {
      CheckpointEvent event = Recording.isOn() ? new CheckpointEvent() : null;
      if (event != null) {
        event.begin();
      }
      superblocks.check();
      finishRedo();
      Capture capture = new Capture();
      try {
        transactions.quiesced(capture);
        pages.write(capture.pages);
        log.awaitDurable(capture.lsn); // also when no page was dirty
        superblocks.syncFile();
        superblocks.write(after(capture, closing));
      } catch (RuntimeException | Error e) {
        boolean dirtyAgain = false;
        try {
          makeDirtyAgain(capture.pages);
          dirtyAgain = true;
        } finally {
          if (!dirtyAgain && transactions.lock.broken == null) {
            transactions.lock.broken = e; // by a store, for any call may fail
          }
        }
        throw e;
      }
      log.recycleOld();
      log.recycleBelow(capture.lsn);
      checkpoints.increment();
      if (event != null) {
        event.pages = capture.pages.length;
        event.lsn = capture.lsn;
        event.commit();
      }
    }
  }

  /** Pages that nothing knows of would not be in the image when the log is recycled. */
  private void makeDirtyAgain(long[] pages) {
    transactions.quiesced(
        () -> {
          for (long page : pages) {
            home.markDirty(page * HomeLayout.PAGE_SIZE, HomeLayout.PAGE_SIZE);
          }
        });
  }

  /** The checksums are durable before a superblock takes the pages out of the reach of replay. */
  private Superblock after(Capture capture, boolean closing) {
    CheckedPages file = checked;
    boolean checksums = file != null && file.active();
    if (file != null) {
      file.sync(superblocks::sync);
    }
    Superblock next =
        superblocks
            .current()
            .checkpointed(epoch, capture.lsn, capture.chain, capture.capacity, closing);
    return checksums ? next.with(Superblock.CHECKSUMS) : next;
  }

  /**
   * Gives back the memory of private pages: maps the extents that hold most of them anew, until at
   * most {@code keep} pages stay private.
   */
  void releasePrivatePages(long keep) {
    if (medium.byteAddressable()) {
      return;
    }
    synchronized (running) {
      finishRedo();
      for (int extent = 0; extent < home.maxExtents(); extent++) {
        if (home.resident().count() <= keep) {
          return;
        }
        if (home.resident().count(extent) > 0) {
          remap(extent);
        }
      }
    }
  }

  /** Writes the extent's dirty pages until few are left, then the rest and the re-map at once. */
  private void remap(int extent) {
    for (int pass = 0; pass < PASSES && home.dirty().count(extent) > FEW_PAGES; pass++) {
      checkpoint();
    }
    Region[] old = new Region[1];
    transactions.quiesced(
        () -> {
          long[] rest = dirtyPagesOf(extent);
          if (rest.length > 0) {
            pages.write(rest);
            // They are newer than the last checkpoint, so replay covers them until the next one.
            home.dirty().clear(extent);
            superblocks.syncFile();
          }
          old[0] = home.remap(extent);
        });
    old[0].close();
  }

  private long[] dirtyPagesOf(int extent) {
    int shift = home.extentShift() - HomeLayout.PAGE_SHIFT;
    return java.util.Arrays.stream(home.dirty().toArray())
        .filter(page -> page >>> shift == extent)
        .toArray();
  }

  /** A page that is written, mapped anew or cut off shows what the log says of it. */
  private void finishRedo() {
    home.redo().finish(transactions::quiesced);
  }

  /** Runs {@code action} while no checkpoint runs. */
  void exclusively(Runnable action) {
    synchronized (running) {
      finishRedo();
      action.run();
    }
  }

  /** Checkpoints completed since the heap was opened. */
  long checkpoints() {
    return checkpoints.sum();
  }
}
