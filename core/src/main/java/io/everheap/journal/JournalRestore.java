package io.everheap.journal;

import io.everheap.backup.SectionLayout;
import io.everheap.backup.SectionReader;
import io.everheap.error.BackupException;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Medium;
import io.everheap.report.BackupProgress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a full backup of a journal and the incremental ones that continue it, checks that each goes
 * on where the one before ends, and passes the segments on. Used by one thread.
 */
final class JournalRestore {
  private final Medium backups;
  private final BackupProgress progress;
  private final @Nullable JournalRebuild target;
  private JournalBackupLayout.@Nullable End end; // of the backups before
  private @Nullable JournalState state;
  private @Nullable SegmentHeader segment;
  private long reached; // the end of the bytes in the segment
  private boolean first; // segment of a backup

  /**
   * Creates it.
   *
   * @param target receives the segments; null to check only
   */
  JournalRestore(Medium backups, BackupProgress progress, @Nullable JournalRebuild target) {
    this.backups = backups;
    this.progress = progress;
    this.target = target;
  }

  /**
   * Reads all backups.
   *
   * @throws BackupException if one is damaged, or does not continue the one before
   */
  void read(List<JournalBackup> chain) {
    for (JournalBackup backup : chain) {
      SectionReader reader = new SectionReader(backups, backup.name(), JournalBackupLayout.FORMAT);
      first = true;
      reader.read(progress, section -> accept(reader, backup, section));
    }
  }

  /** The state of the journal when the last backup was begun. */
  JournalState state() {
    JournalState known = state;
    if (known == null) {
      throw new BackupException("The backup has no state of the journal.");
    }
    return known;
  }

  private void accept(SectionReader reader, JournalBackup backup, SectionReader.Section section) {
    switch (section.kind()) {
      case JournalBackupLayout.STATE -> {
        state = JournalState.decode(section.data());
        if (state == null || !state.uuid().equals(backup.journal())) {
          throw reader.damaged(section.at(), "the state of the journal is invalid");
        }
      }
      case JournalBackupLayout.SEGMENT -> begin(reader, backup, section);
      case JournalBackupLayout.BYTES -> {
        SegmentHeader in = segment;
        if (in == null || in.ordinal() != section.number() || section.count() != reached) {
          throw reader.damaged(section.at(), "records before these are missing");
        }
        reached += section.data().remaining();
        if (reached > in.size()) {
          throw reader.damaged(section.at(), "a segment is larger than it says");
        }
        if (target != null) {
          target.records(section.count(), section.data());
        }
      }
      case SectionLayout.END -> {
        JournalBackupLayout.End now = JournalBackupLayout.End.of(section);
        SegmentHeader in = segment;
        if (in == null || in.ordinal() != now.ordinal() || reached != now.offset()) {
          throw reader.damaged(section.at(), "its segments do not reach its end");
        }
        end = now;
      }
      default -> throw reader.damaged(section.at(), "a section has an unknown kind");
    }
  }

  private void begin(SectionReader reader, JournalBackup backup, SectionReader.Section section) {
    SegmentHeader header = SegmentHeader.decode(section.data(), JournalLayout.MAGIC);
    if (header == null
        || !header.uuid().equals(backup.journal())
        || !JournalLayout.plausible(header, SegmentLayout.name(header.ordinal()), header.size())) {
      throw reader.damaged(section.at(), "the header of a segment is invalid");
    }
    JournalBackupLayout.End before = first ? end : null; // where the base ends
    boolean same = before != null && before.ordinal() == header.ordinal();
    boolean fits =
        before != null
            ? same || header.first() == before.nextSequence()
            : first || follows(header, backup);
    if (!fits) {
      throw reader.damaged(section.at(), "it does not continue what it says");
    }
    first = false;
    segment = header;
    reached = before != null && same ? before.offset() : SegmentLayout.START;
    if (target != null) {
      target.segment(header);
    }
  }

  /** Whether a segment follows the one before, or those before it were released meanwhile. */
  private boolean follows(SegmentHeader header, JournalBackup backup) {
    SegmentHeader previous = segment;
    return (previous != null && header.previous() == previous.ordinal())
        || header.first() <= backup.firstSequence();
  }
}
