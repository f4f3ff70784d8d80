package io.everheap.engine;

import io.everheap.engine.event.Recording;
import io.everheap.engine.event.Recording.CheckpointEvent;
import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.Log;
import io.everheap.engine.tx.Transactions;
import io.everheap.memory.Closing;
import io.everheap.memory.Medium;
import io.everheap.memory.Region;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Fuzzy checkpoints: write the dirty pages to the medium while transactions go on, then a
 * superblock with a later start of replay, then recycle the log before it. Every step is durable
 * before the next one begins. Thread-safe: {@link #running} serializes checkpoints and everything
 * that must not overlap one.
 */
final class Checkpointer {
  private static final int FEW_PAGES = 256;
  private static final int PASSES = 8;

  private final Medium medium;
  private final Home home;
  private final @Nullable CheckedPages checked;
  private final ChangedPages changes;
  private final Log log;
  private final Transactions transactions;
  private final SuperblockStore superblocks;
  private final PageWriter pages;
  private final long epoch;
  private final Object running = new Object();
  private final LongAdder checkpoints = new LongAdder();

  /**
   * Creates the checkpointer of a heap.
   *
   * @param checked the checksums of a file's pages; null on a byte-addressable medium
   * @param epoch of the log, which each checkpoint writes to the superblock
   */
  Checkpointer(
      Medium medium,
      Home home,
      @Nullable CheckedPages checked,
      ChangedPages changes,
      Log log,
      Transactions transactions,
      SuperblockStore superblocks,
      long epoch) {
    this.epoch = epoch;
    this.medium = medium;
    this.home = home;
    this.checked = checked;
    this.changes = changes;
    this.log = log;
    this.transactions = transactions;
    this.superblocks = superblocks;
    this.pages =
        new PageWriter(
            home,
            checked,
            changes,
            log,
            transactions,
            superblocks::sync,
            superblocks::beginWriting);
  }

  /** The state that a checkpoint covers, captured while no transaction runs. */
  private final class Capture implements Runnable {
    long[] pages = {};
    long lsn;
    int chain;
    long capacity;

    /** Stores the pages before it clears the set, so that a failure can mark them dirty again. */
    @Override
    public void run() {
      lsn = log.appended();
      chain = log.chain();
      capacity = home.getLong(HomeLayout.CAPACITY_ADDRESS);
      pages = home.dirty().toArray();
      home.dirty().clear();
    }
  }

  /** Runs one checkpoint; waits for a running one. */
  void checkpoint() {
    checkpoint(false);
  }

  /**
   * Runs one checkpoint.
   *
   * @param closing whether no record follows it
   * @throws io.everheap.error.EverheapException if it failed; the pages are dirty again and nothing
   *     is lost
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
        log.awaitDurable(capture.lsn); // even if no page was dirty
        superblocks.syncFile();
        superblocks.write(after(capture, closing));
      } catch (RuntimeException | Error e) {
        boolean dirtyAgain = false;
        try {
          makeDirtyAgain(capture.pages);
          dirtyAgain = true;
        } finally {
          if (!dirtyAgain && transactions.lock.broken == null) {
            transactions.lock.broken = e; // a plain store: any call may fail in this state
          }
        }
        throw e;
      }
      complete();
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

  /** The superblock is durable: an error now leaves the memory behind the files. */
  private void complete() {
    try {
      if (checked != null) {
        checked.complete();
      }
    } catch (RuntimeException | Error e) {
      if (transactions.lock.broken == null) {
        transactions.lock.broken = e; // a plain store: any call may fail in this state
      }
      throw e;
    }
  }

  /** Drops memory; no checkpoint follows. */
  void release() {
    pages.release();
  }

  /** Marks the pages of a failed checkpoint as dirty, so that the next one writes them. */
  private void makeDirtyAgain(long[] pages) {
    transactions.quiesced(
        () -> {
          for (long page : pages) {
            home.markDirty(page * HomeLayout.PAGE_SIZE, HomeLayout.PAGE_SIZE);
          }
        });
  }

  /**
   * The superblock after a checkpoint; first syncs the checksums, since replay then skips them, and
   * the set of changed pages.
   */
  private Superblock after(Capture capture, boolean closing) {
    CheckedPages file = checked;
    boolean checksums = file != null && file.active();
    if (file != null) {
      file.sync(superblocks::sync);
      file.syncRoot(
          capture.lsn,
          capture.capacity,
          superblocks::sync,
          () -> superblocks.beginWriting(capture.lsn));
    }
    changes.sync(capture.lsn, superblocks::sync);
    Superblock next =
        superblocks
            .current()
            .checkpointed(epoch, capture.lsn, capture.chain, capture.capacity, closing);
    return checksums ? next.with(Superblock.CHECKSUMS) : next;
  }

  /**
   * Frees the memory of private pages: remaps extents that have some, until at most {@code keep}
   * pages are private.
   */
  void releasePrivatePages(long keep) {
    if (medium.byteAddressable()) {
      return;
    }
    synchronized (running) {
      finishRedo();
      for (int extent = 0; extent < home.maxExtents(); extent++) {
        if (home.privatePages() <= keep) {
          return;
        }
        if (home.resident().count(extent) > 0 || home.clear().count(extent) > 0) {
          remap(extent);
        }
      }
    }
  }

  /** Whether pages of this image are decrypted when they are used. */
  boolean decrypts() {
    return home.clear().isUsed();
  }

  /** Whether there are pages to decrypt ahead. */
  boolean mayDecrypt(boolean fits) {
    return fits && decrypts() && home.clear().isPending();
  }

  /** Decrypts pages of an encrypted image ahead of their use, for some time. */
  void decryptAhead(long nanos) {
    if (home.clear().decrypt(System.nanoTime() + nanos)) {
      exclusively(() -> transactions.quiesced(home.clear()::settle));
    }
  }

  /**
   * Remaps an extent. Runs checkpoints first, so that few pages are left to write under the lock.
   */
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
            // Their changes are behind the last checkpoint, so replay covers them until the next.
            home.dirty().clear(extent);
            superblocks.syncFile();
          }
          old[0] = home.remap(extent);
        });
    Closing.unmap(old[0]);
  }

  private long[] dirtyPagesOf(int extent) {
    int shift = home.extentShift() - HomeLayout.PAGE_SHIFT;
    return java.util.Arrays.stream(home.dirty().toArray())
        .filter(page -> page >>> shift == extent)
        .toArray();
  }

  /** Completes the redo, because pages must be up to date before they are written or remapped. */
  private void finishRedo() {
    home.redo().finish(transactions::quiesced);
  }

  /** Runs {@code action} while no checkpoint runs and no page is pending. */
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
