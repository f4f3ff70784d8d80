package io.everheap.journal;

import io.everheap.error.BackupException;
import io.everheap.error.CorruptException;
import io.everheap.error.ForeignException;
import io.everheap.error.MediumException;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SealedMedium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest {@link JournalState} and writes it durably, into the slot that does not hold the
 * one before. Thread-safe.
 */
final class StateFile {
  /** Name of the file; its existence says that there is a journal. */
  static final String NAME = "journal";

  /** Name of a file that is there while a backup is restored. */
  static final String RESTORING = "journal.restoring";

  private static final String TEMPORARY = "journal.new";
  private static final Set<String> OURS =
      Set.of(
          TEMPORARY,
          JournalLayout.TEMPORARY,
          JournalLayout.TRIMMED,
          ReplicaFile.NAME,
          ReplicaFile.TEMPORARY,
          "lock",
          "owner");

  private final Medium medium;
  private JournalState newest;
  private @Nullable JournalState attempted; // a write of it failed; it may be there or not

  private StateFile(Medium medium, JournalState newest) {
    this.medium = medium;
    this.newest = newest;
  }

  /**
   * Whether there is a journal: this file or, if it was lost, segments.
   *
   * @throws BackupException if a backup is restored into the directory, and that is not complete
   */
  static boolean isThere(Medium medium) {
    if (isInterrupted(medium)) {
      throw new BackupException(
          "The restore of a journal into "
              + medium.location()
              + " was interrupted or is under way; if nothing else writes there, repeat it.");
    }
    return medium.exists(NAME) || medium.list("").stream().anyMatch(SegmentLayout::isSegment);
  }

  /** Whether a restore was begun and is not complete. */
  static boolean isInterrupted(Medium medium) {
    return medium.exists(RESTORING) && !medium.exists(NAME);
  }

  /** Whether a restore makes files of this name. */
  static boolean isRestored(String name) {
    return SegmentLayout.isSegment(name) || name.equals(RESTORING) || name.equals(TEMPORARY);
  }

  /**
   * Checks that a directory without a journal may become one.
   *
   * @throws ForeignException if there is a heap, or anything else that is not of a journal
   */
  static void requireNotForeign(Medium medium) {
    if (isThere(medium)) {
      return;
    }
    if (medium.exists("heap") || medium.exists("heap.new")) {
      throw ForeignException.of(
          medium.location(), "a journal", "it is a heap; give each journal a directory of its own");
    }
    for (String name : medium.list("")) {
      if (!OURS.contains(name)) {
        throw ForeignException.of(
            medium.location(),
            "a journal",
            "it holds other files (" + name + "); choose an empty or a new directory");
      }
    }
  }

  /** Makes the file: from here on there is a journal. */
  static StateFile create(Medium medium, JournalState state) {
    if (medium.exists(TEMPORARY)) {
      medium.delete(TEMPORARY);
    }
    try (MediumFile file = medium.create(TEMPORARY)) {
      file.write(ByteBuffer.allocate(2 * JournalState.SLOT), 0);
      file.write(state.encode(), slot(state));
      file.sync();
    }
    medium.rename(TEMPORARY, NAME);
    medium.syncDirectory("");
    return new StateFile(medium, state);
  }

  /** Reads the file. */
  static StateFile open(Medium medium) {
    if (!medium.readOnly()) {
      medium.syncDirectory(""); // a process that was killed after the rename left it undone
      medium.delete(RESTORING);
    }
    return new StateFile(medium, read(medium));
  }

  /** Reads the newest state. */
  static JournalState read(Medium medium) {
    if (!medium.exists(NAME)) {
      throw CorruptException.journal(
          medium.location() + "/" + NAME, 0, "it is missing, though there are segments");
    }
    JournalState a;
    JournalState b;
    try (MediumFile file = medium.open(NAME)) {
      a = slot(file, 0);
      b = slot(file, JournalState.SLOT);
      if (a == null && b == null) {
        SealedMedium.requirePlain(medium, file);
      }
    }
    JournalState state = newer(a, b);
    if (state == null) {
      throw CorruptException.journal(
          medium.location() + "/" + NAME, 0, "neither of its two states is valid");
    }
    for (JournalState each : new JournalState[] {a, b}) {
      if (each != null && each.version() > JournalLayout.FORMAT_VERSION) {
        throw ForeignException.version(
            medium.location(), each.version(), JournalLayout.FORMAT_VERSION);
      }
    }
    if (state.version() != JournalLayout.FORMAT_VERSION) {
      throw ForeignException.version(
          medium.location(), state.version(), JournalLayout.FORMAT_VERSION);
    }
    return state;
  }

  synchronized JournalState state() {
    return newest;
  }

  /**
   * Checks that the file is there and says what was written last: it may have been deleted, or
   * overwritten with a copy, or another process may have opened the journal.
   *
   * @throws MediumException if not; it says what to do
   */
  synchronized void requireOurs() {
    medium.requireIntact();
    String path = medium.location() + "/" + NAME;
    if (!medium.exists(NAME)) {
      throw new MediumException(
          path + " was deleted or renamed while it was open: put it back, or restore a backup",
          null);
    }
    JournalState a;
    JournalState b;
    try (MediumFile file = medium.open(NAME)) {
      a = slot(file, 0);
      b = slot(file, JournalState.SLOT);
    }
    JournalState found = newer(a, b);
    if (!newest.equals(found) && !(attempted != null && attempted.equals(found))) {
      throw new MediumException(
          path
              + " was overwritten while it was open: it does not say what was written last."
              + " Something copied another file over it, or another process opened the journal."
              + " What was appended lately may be lost: restore a backup, or verify what is there",
          null);
    }
  }

  /** Writes a state that was made from the newest one; durable on return. */
  synchronized void write(JournalState state) {
    requireOurs();
    attempted = state;
    try (MediumFile file = medium.open(NAME)) {
      file.write(state.encode(), slot(state));
      file.sync();
    }
    newest = state;
    attempted = null;
  }

  private static long slot(JournalState state) {
    return state.generation() % 2 * JournalState.SLOT;
  }

  private static @Nullable JournalState slot(MediumFile file, long position) {
    ByteBuffer b = ByteBuffer.allocate(JournalState.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    return file.read(b, position) < JournalState.SIZE ? null : JournalState.decode(b);
  }

  private static @Nullable JournalState newer(@Nullable JournalState a, @Nullable JournalState b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.generation() > b.generation() ? a : b;
  }
}
