package io.everheap.engine;

import io.everheap.engine.event.EngineLogger;
import io.everheap.engine.home.Superblock;
import io.everheap.error.CorruptException;
import io.everheap.error.ForeignException;
import io.everheap.error.MediumException;
import io.everheap.error.StoppedException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SealedMedium;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the two superblock slots at the start of the home file. Thread-safe: {@code
 * writing} guards the slots and {@code written}; syncs are serialized by this object's monitor.
 */
final class SuperblockStore {
  static final int SLOT = 4096;

  private final Medium medium;
  private final MediumFile file;
  private final Object writing = new Object();
  private Consumer<Throwable> onFailure = cause -> {};
  private volatile @Nullable Superblock current;
  private volatile @Nullable Throwable failure;
  private @Nullable Superblock written; // the last one written or read; guarded by writing

  SuperblockStore(Medium medium, MediumFile file) {
    this.medium = medium;
    this.file = file;
  }

  /**
   * Sets the listener for a failed sync, after which it is unknown what is durable, and for files
   * that were overwritten by others.
   */
  void onFailure(Consumer<Throwable> listener) {
    onFailure = listener;
  }

  /**
   * Refuses to write any superblock from now on, even that of a running checkpoint: it is unknown
   * what is durable, and the log may end in the middle of a record.
   */
  void poison(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** Reads the newest valid superblock; throws an exception that says why there is none. */
  Superblock read() {
    long size = file.size();
    String where = medium.location() + "/" + file.name();
    if (size < 2L * SLOT) {
      if (size >= 8 && slotAt(0) instanceof Superblock.Slot.Foreign) {
        throw foreign(where);
      }
      throw CorruptException.truncated(where, size, 2L * SLOT);
    }
    Superblock.Slot a = slotAt(0);
    Superblock.Slot b = slotAt(SLOT);
    Superblock newest = Superblock.newest(a, b);
    int newer = Math.max(otherVersion(a), otherVersion(b));
    if (newer > Superblock.FORMAT_VERSION || (newest == null && newer > 0)) {
      throw ForeignException.version(where, newer, Superblock.FORMAT_VERSION);
    }
    if (newest == null) {
      if (a instanceof Superblock.Slot.Foreign && b instanceof Superblock.Slot.Foreign) {
        throw foreign(where);
      }
      throw CorruptException.heap(
          where,
          0,
          "Both superblocks of "
              + where
              + ", at bytes 0 and 4096, are damaged"
              + (medium.encrypted() ? ", or the key provider returned another data key." : ".")
              + " Restore the heap from a backup, or save what is left with salvage.");
    }
    requireSameHeap(a, b, where);
    warnIfDamaged(a, 0, where);
    warnIfDamaged(b, SLOT, where);
    if (size < newest.capacity()) {
      throw CorruptException.truncated(where, size, newest.capacity());
    }
    current = newest;
    written = newest;
    return newest;
  }

  private ForeignException foreign(String where) {
    SealedMedium.requirePlain(medium, file);
    return ForeignException.heap(where, "it has no superblock");
  }

  /** Refuses superblocks of two heaps: one file was written over the other, and both may count. */
  private static void requireSameHeap(Superblock.Slot a, Superblock.Slot b, String where) {
    if (a instanceof Superblock.Slot.Valid(Superblock x)
        && b instanceof Superblock.Slot.Valid(Superblock y)
        && !(x.uuid().equals(y.uuid()) && x.extentShift() == y.extentShift())) {
      throw CorruptException.heap(
          "The superblocks of "
              + where
              + ", at bytes 0 and 4096, are those of different heaps, "
              + x.uuid()
              + " and "
              + y.uuid()
              + ". Restore the heap from a backup.");
    }
  }

  private static void warnIfDamaged(Superblock.Slot slot, long offset, String where) {
    if (slot instanceof Superblock.Slot.Damaged) {
      EngineLogger.get()
          .log(
              System.Logger.Level.WARNING,
              "the superblock at byte {0} of {1} is damaged; the other one is used",
              offset,
              where);
    }
  }

  /** Uses this superblock as the newest one, whatever the slots contain. */
  void assume(Superblock superblock) {
    current = superblock;
  }

  /** The superblock that was read or written last. */
  Superblock current() {
    Superblock s = current;
    if (s == null) {
      throw new IllegalStateException("no superblock read yet");
    }
    return s;
  }

  /**
   * Writes a superblock into its slot; durable on return.
   *
   * @throws StoppedException after a failed sync, or another failure that ended all writing
   * @throws MediumException if the files were overwritten by others; this poisons the heap
   */
  void write(Superblock superblock) {
    synchronized (writing) {
      requireSound();
      check();
      file.write(superblock.encode(), superblock.address());
      syncFile();
      current = superblock;
      written = superblock;
    }
  }

  /** Like {@link #requireOurs}, but a failure poisons the heap. */
  void check() {
    try {
      requireOurs();
    } catch (RuntimeException | Error e) {
      poison(e);
      onFailure.accept(e);
      throw e;
    }
  }

  /**
   * Checks that the files are in place and that the slots contain what this object wrote: the file
   * may have been overwritten with a copy, or written by another process.
   *
   * @throws MediumException if not; the message says what to do
   */
  void requireOurs() {
    medium.requireIntact();
    synchronized (writing) {
      Superblock mine = written;
      if (mine == null) {
        return;
      }
      boolean changed =
          slotAt(mine.address()) instanceof Superblock.Slot.Valid(Superblock s)
              && !s.encode().equals(mine.encode());
      boolean overtaken =
          slotAt(SLOT - mine.address()) instanceof Superblock.Slot.Valid(Superblock s)
              && (s.generation() >= mine.generation() || !s.uuid().equals(mine.uuid()));
      if (changed || overtaken) {
        throw new MediumException(
            medium.location()
                + "/"
                + file.name()
                + " was overwritten while it was open: its superblocks are not those that were"
                + " written last. Something copied another file over it, or another process opened"
                + " the heap. What was committed lately may be lost: restore a backup, or verify"
                + " what is there",
            null);
      }
    }
  }

  private void requireSound() {
    Throwable cause = failure;
    if (cause != null) {
      onFailure.accept(cause); // again: an error may have interrupted the first call
      throw StoppedException.heap(medium.location(), cause);
    }
  }

  /** Writes the contents of the newest superblock to the other slot as well; for the close. */
  void repeat() {
    Superblock now = current();
    write(now.reaching(now.minReplayEnd()).with(Superblock.CLEAN));
  }

  /** Syncs the home file; a failure poisons the heap. */
  void syncFile() {
    sync(file);
  }

  /** Syncs a file; a failure poisons the heap. */
  void sync(MediumFile any) {
    try {
      syncAlone(any);
    } catch (RuntimeException | Error e) {
      onFailure.accept(e);
      throw e;
    }
  }

  /**
   * Syncs, one thread at a time: the kernel reports a page that could not be written to one sync
   * only, and a concurrent one, which gets no error, must not be followed by a superblock.
   */
  private synchronized void syncAlone(MediumFile any) {
    try {
      any.sync();
    } catch (RuntimeException | Error e) {
      failure = failure == null ? e : failure; // a plain store: a call may fail in this state
      throw e;
    }
    requireSound(); // the kernel may have reported the failure to an earlier sync
  }

  /**
   * Writes the superblock that was read to its own slot again, so that it is durable: the process
   * that wrote it may have died before its sync.
   */
  void rewrite() {
    write(current());
  }

  /**
   * Writes a superblock, durable on return, which says that replay must reach at least an LSN, and
   * that home pages are being written: until the next checkpoint completes, pages that the log
   * changes may not match their checksums.
   */
  void beginWriting(long lsn) {
    Superblock now = current();
    if (lsn > now.minReplayEnd() || !now.writing()) {
      write(now.reaching(lsn).with(Superblock.WRITING));
    }
  }

  private Superblock.Slot slotAt(long position) {
    Superblock.Slot slot = FileCheck.slot(file, position);
    boolean misplaced =
        slot instanceof Superblock.Slot.Valid(Superblock s) && s.address() != position;
    return misplaced ? new Superblock.Slot.Damaged() : slot;
  }

  private static int otherVersion(Superblock.Slot slot) {
    return slot instanceof Superblock.Slot.OtherVersion v ? v.version() : 0;
  }
}
