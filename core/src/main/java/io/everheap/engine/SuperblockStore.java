package io.everheap.engine;

import io.everheap.engine.home.Superblock;
import io.everheap.error.CorruptHeapException;
import io.everheap.error.ForeignHeapException;
import io.everheap.error.FormatVersionException;
import io.everheap.error.MediumException;
import io.everheap.error.PoisonedException;
import io.everheap.error.TruncatedHeapException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads and writes the two superblock slots at the start of the home file. */
final class SuperblockStore {
  private static final int SLOT = 4096;

  private final Medium medium;
  private final MediumFile file;
  private final Object writing = new Object();
  private Consumer<Throwable> onFailure = cause -> {};
  private volatile @Nullable Superblock current;
  private volatile @Nullable Throwable failure;
  private @Nullable Superblock written; // or read; guarded by writing

  SuperblockStore(Medium medium, MediumFile file) {
    this.medium = medium;
    this.file = file;
  }

  /**
   * Sets the listener for a failed sync, after which nothing is known of what is durable, and for
   * files that are no longer this heap's.
   */
  void onFailure(Consumer<Throwable> listener) {
    onFailure = listener;
  }

  /**
   * From now on no superblock is written, whatever is under way: nothing is known of what is
   * durable, and the log may end in the middle of a record.
   */
  void poison(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** Reads the newest valid superblock, or says why there is none. */
  Superblock read() {
    long size = file.size();
    String where = medium.location() + "/" + file.name();
    if (size < 2L * SLOT) {
      if (size >= 8 && slotAt(0) instanceof Superblock.Slot.Foreign) {
        throw new ForeignHeapException(where, "it has no superblock");
      }
      throw new TruncatedHeapException(where, size, 2L * SLOT);
    }
    Superblock.Slot a = slotAt(0);
    Superblock.Slot b = slotAt(SLOT);
    Superblock newest = Superblock.newest(a, b);
    int newer = Math.max(otherVersion(a), otherVersion(b));
    if (newer > Superblock.FORMAT_VERSION || (newest == null && newer > 0)) {
      throw new FormatVersionException(where, newer, Superblock.FORMAT_VERSION);
    }
    if (newest == null) {
      if (a instanceof Superblock.Slot.Foreign && b instanceof Superblock.Slot.Foreign) {
        throw new ForeignHeapException(where, "it has no superblock");
      }
      throw new CorruptHeapException(
          "Both superblocks of "
              + where
              + ", at bytes 0 and 4096, are damaged."
              + " Restore the heap from a backup, or save what is left with salvage.");
    }
    requireSameHeap(a, b, where);
    warnIfDamaged(a, 0, where);
    warnIfDamaged(b, SLOT, where);
    if (size < newest.capacity()) {
      throw new TruncatedHeapException(where, size, newest.capacity());
    }
    current = newest;
    written = newest;
    return newest;
  }

  /** Slots of two heaps: one was written over the other's file, and nothing tells which counts. */
  private static void requireSameHeap(Superblock.Slot a, Superblock.Slot b, String where) {
    if (a instanceof Superblock.Slot.Valid(Superblock x)
        && b instanceof Superblock.Slot.Valid(Superblock y)
        && !(x.uuid().equals(y.uuid()) && x.extentShift() == y.extentShift())) {
      throw new CorruptHeapException(
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
      System.getLogger("io.everheap")
          .log(
              System.Logger.Level.WARNING,
              "the superblock at byte {0} of {1} is damaged; the other one is used",
              offset,
              where);
    }
  }

  /** Takes this one for the newest, whatever the slots hold. */
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
   * @throws PoisonedException after a failed sync, or another failure that ended all writing
   * @throws MediumException if the files are no longer those of this heap; it poisons
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

  /** As {@link #requireOurs}, but what it finds poisons the heap. */
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
   * Checks that the files are in place and that what the slots hold was written here: the file may
   * have been overwritten with a copy, or written by another process.
   *
   * @throws MediumException if not; it says what to do
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
      onFailure.accept(cause); // an error may have ended that before
      throw new PoisonedException(medium.location(), cause);
    }
  }

  /** Writes what the newest superblock of a closed heap says into the other slot as well. */
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
   * One sync at a time: the kernel reports a page that could not be written to one of them only,
   * and the next one, which gets no error, must find out before it writes a superblock.
   */
  private synchronized void syncAlone(MediumFile any) {
    try {
      any.sync();
    } catch (RuntimeException | Error e) {
      failure = failure == null ? e : failure; // by a store, since a call may fail
      throw e;
    }
    requireSound(); // since this one began, another one may have been told instead
  }

  /**
   * Writes the superblock that was read into its own slot again, so that it is durable: the process
   * that wrote it may have died before its sync returned.
   */
  void rewrite() {
    write(current());
  }

  /**
   * Makes durable that replay must reach at least an LSN, and that home pages are being written:
   * until the next checkpoint, those that the log changes may not match their checksums.
   */
  void beginWriting(long lsn) {
    Superblock now = current();
    if (lsn > now.minReplayEnd() || !now.writing()) {
      write(now.reaching(lsn).with(Superblock.WRITING));
    }
  }

  private Superblock.Slot slotAt(long position) {
    ByteBuffer bytes = ByteBuffer.allocate(Superblock.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    file.read(bytes, position);
    Superblock.Slot slot = Superblock.decode(bytes.clear().order(ByteOrder.LITTLE_ENDIAN));
    boolean misplaced =
        slot instanceof Superblock.Slot.Valid(Superblock s) && s.address() != position;
    return misplaced ? new Superblock.Slot.Damaged() : slot;
  }

  private static int otherVersion(Superblock.Slot slot) {
    return slot instanceof Superblock.Slot.OtherVersion v ? v.version() : 0;
  }
}
