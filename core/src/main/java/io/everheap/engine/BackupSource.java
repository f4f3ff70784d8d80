package io.everheap.engine;

import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.PageSet;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.Log;
import io.everheap.engine.log.LogHold;
import io.everheap.engine.tx.Transactions;
import io.everheap.error.CorruptException;
import io.everheap.memory.Medium;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a backup reads while transactions go on: the pages of the home file as a checkpoint left
 * them, or later ones left them, and the log from that checkpoint on. Pages of different times do
 * not matter: the log repeats everything since the first checkpoint.
 *
 * <p>A heap that is open for reading only makes no checkpoint. Recovery applied its log to the
 * image in memory, and nothing changes there. So the pages that the log changed are read from
 * memory, the others from the file, and the backup needs no log.
 *
 * <p>One backup of a heap is made at a time. Used by one thread.
 */
public final class BackupSource implements AutoCloseable {
  private static final int RUNS = 16; // of consecutive pages that are read in one turn

  private final Home home;
  private final @Nullable CheckedPages checked;
  private final ChangedPages changes;
  private final Checkpointer checkpointer;
  private final Transactions transactions;
  private final HeapState state;
  private final Log log;
  private final LongSupplier allocated;
  private final LogHold hold;
  private final UUID backup;
  private final Superblock start;
  private final boolean readOnly;
  private final PageSet noPages; // always empty

  /** Begins a backup of a heap that is open for writing, or for reading only. */
  BackupSource(
      Medium medium,
      Home home,
      @Nullable CheckedPages checked,
      ChangedPages changes,
      Checkpointer checkpointer,
      SuperblockStore superblocks,
      Transactions transactions,
      HeapState state,
      Log log,
      LongSupplier allocated,
      UUID backup) {
    this.home = home;
    this.checked = checked;
    this.changes = changes;
    this.checkpointer = checkpointer;
    this.transactions = transactions;
    this.state = state;
    this.log = log;
    this.allocated = allocated;
    this.backup = backup;
    this.readOnly = medium.readOnly();
    this.noPages = new PageSet(home.extentShift(), home.maxExtents());
    this.hold = readOnly ? LogHold.ofNoSegments() : log.hold(() -> {});
    this.start = readOnly ? afterRedo(superblocks.current()) : afterCheckpoint(superblocks);
  }

  /** Makes a checkpoint, and keeps the log that follows it. */
  private Superblock afterCheckpoint(SuperblockStore superblocks) {
    Superblock[] newest = new Superblock[1];
    try {
      checkpointer.exclusively(
          () -> {
            checkpointer.checkpoint();
            newest[0] = superblocks.current();
            changes.begin(backup, newest[0].checkpointLsn());
          });
    } catch (RuntimeException | Error e) {
      hold.close();
      throw e;
    }
    hold.advance(newest[0].checkpointLsn());
    return newest[0];
  }

  /**
   * The superblock that a checkpoint of the image in memory would write.
   *
   * @throws CorruptException if the checksums of the pages are missing
   */
  private Superblock afterRedo(Superblock s) {
    CheckedPages file = checked;
    boolean isMissing = file != null && !file.active(); // none on a byte-addressable medium
    if (s.checksums() && isMissing) {
      throw CorruptException.heap(
          "The checksums of the pages of "
              + home.file().name()
              + " are missing, so no backup is made of what may be damaged. Restore an earlier"
              + " backup, or save what is left with salvage.");
    }
    long epoch = s.laterEpochs().isEmpty() ? s.epoch() : s.laterEpochs().getLast().epoch();
    return s.checkpointed(epoch, log.appended(), log.chain(), capacity(), true);
  }

  /** The superblock of the checkpoint, with which recovery from the copy begins. */
  public Superblock start() {
    return start;
  }

  /** The backup since which the changed pages are known, or null. */
  public @Nullable UUID base() {
    return changes.since();
  }

  /**
   * Calls an action with each page that was written since another backup, ascending.
   *
   * @throws io.everheap.error.BackupException if that is not known any more
   */
  public void forEachChanged(UUID since, LongConsumer action) {
    changes.forEach(since, action);
  }

  /** The end of the pages that may have contents which the log does not repeat. */
  public long end() {
    return Math.max(start.capacity(), capacity());
  }

  private long capacity() {
    return home.getLong(HomeLayout.CAPACITY_ADDRESS);
  }

  /**
   * Size that the home file needs for all of the log that was written so far. It does not shrink
   * until this is closed.
   */
  public long size() {
    long[] size = new long[1];
    transactions.quiesced(() -> size[0] = Math.max(allocated.getAsLong(), start.capacity()));
    return size[0];
  }

  /**
   * Reads pages after comparing those that are in use with their checksums.
   *
   * @param pages numbers, ascending, without those of the superblocks; the first {@code count} are
   *     read
   * @param target receives the pages, consecutive from its start, which is its position
   * @throws CorruptException if a page does not match its checksum
   */
  public void read(long[] pages, int count, ByteBuffer target) {
    int from = 0;
    while (from < count) { // in turns, since checkpoints wait for each of them
      int to = from;
      for (int run = 0; run < RUNS && to < count; run++) {
        to = CheckedPages.endOfRun(pages, to, count);
      }
      readTurn(pages, from, to, target);
      from = to;
    }
  }

  private void readTurn(long[] pages, int from, int to, ByteBuffer target) {
    try {
      checkpointer.exclusively(() -> readWhole(pages, from, to, target));
    } catch (IllegalStateException e) {
      state.requireUsable(); // throws if the heap was closed meanwhile
      throw e;
    }
  }

  private void readWhole(long[] pages, int from, int to, ByteBuffer target) {
    if (!readOnly) {
      readFile(pages, from, to, target);
      return;
    }
    int end;
    for (int start = from; start < to; start = end) {
      boolean redone = home.dirty().containsPage(pages[start]);
      end = start + 1;
      while (end < to && home.dirty().containsPage(pages[end]) == redone) {
        end++;
      }
      if (redone) {
        readMemory(pages, start, end, target);
      } else {
        readFile(pages, start, end, target);
      }
    }
  }

  /** Reads pages that the redo changed, after checking in the file the bytes that it left. */
  private void readMemory(long[] pages, int from, int to, ByteBuffer target) {
    CheckedPages file = checked;
    if (file != null) {
      file.check(pages, from, to, noPages);
    }
    home.copyPages(pages, from, to, MemorySegment.ofBuffer(target));
    target.position(target.position() + ((to - from) << HomeLayout.PAGE_SHIFT));
  }

  private void readFile(long[] pages, int from, int to, ByteBuffer target) {
    CheckedPages file = checked;
    if (file != null) {
      file.read(
          pages, from, to, capacity() >>> HomeLayout.PAGE_SHIFT, target, BackupSource::refuse);
      return;
    }
    int end;
    for (int start = from; start < to; start = end) {
      end = CheckedPages.endOfRun(pages, start, to);
      target.limit(end << HomeLayout.PAGE_SHIFT);
      home.file().read(target, pages[start] << HomeLayout.PAGE_SHIFT);
      while (target.hasRemaining()) {
        target.put((byte) 0);
      }
    }
  }

  private static void refuse(CheckedPages.PageDamage damage) {
    throw CorruptException.heap(
        "Page "
            + damage.page()
            + " of "
            + damage.file()
            + " is damaged ("
            + damage.message()
            + "), so no backup is made of it. Run verify, and restore an earlier backup, or save"
            + " what is left with salvage.");
  }

  /** The log from the checkpoint on. */
  public LogHold log() {
    return hold;
  }

  /** The LSN behind the newest transaction. */
  public long newest() {
    long[] end = new long[1];
    transactions.quiesced(() -> end[0] = log.appended());
    return end[0];
  }

  /** Returns when everything before an LSN is durable in segments. */
  public void awaitDurable(long lsn) {
    log.awaitDurable(lsn);
  }

  /**
   * Records that the backup is complete: the next incremental one can continue it. A heap that is
   * open for reading only records nothing, so the next one continues the backup before.
   */
  public void complete() {
    checkpointer.exclusively(() -> changes.complete(backup));
  }

  /** Ends the backup. */
  @Override
  public void close() {
    try {
      changes.abandon(backup);
    } finally {
      hold.close();
    }
  }
}
