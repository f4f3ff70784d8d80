package io.everheap.journal;

import io.everheap.backup.BackupFormat;
import io.everheap.backup.BackupHead;
import io.everheap.backup.SectionReader;
import io.everheap.memory.Medium;
import java.nio.ByteBuffer;

/**
 * The sections of a journal's backup. Each SEGMENT is followed by the bytes of its records in their
 * order; that with which an incremental backup begins may be the last one of its base, and continue
 * it.
 *
 * <pre>
 *   kind      number          count            data
 *   STATE     0               0                the state of the journal when the backup was begun
 *   SEGMENT   ordinal         0                its header
 *   BYTES     ordinal         offset           records, the mark of the end included
 *   END       next sequence   first sequence   last segment u64, the end of its records u64,
 *                                              crc of the last one u32, 0 u32, sections u64
 * </pre>
 */
final class JournalBackupLayout {
  static final long MAGIC = 0x504B_424A_5245_5645L; // "EVERJBKP"
  static final int VERSION = 1;

  static final int STATE = 1;
  static final int SEGMENT = 2;
  static final int BYTES = 3;

  static final BackupFormat FORMAT = new BackupFormat(MAGIC, VERSION, 32, ".journal");

  private JournalBackupLayout() {}

  /**
   * Where a backup ends.
   *
   * @param nextSequence behind the last record
   * @param ordinal of the last segment
   * @param offset behind the last record
   * @param chain its crc, or the one before the first if there never was one
   */
  record End(long nextSequence, long ordinal, long offset, int chain) {
    static End of(SectionReader.Section section) {
      ByteBuffer data = section.data();
      return new End(section.number(), data.getLong(0), data.getLong(8), data.getInt(16));
    }

    void put(ByteBuffer data) {
      data.putLong(0, ordinal).putLong(8, offset).putInt(16, chain).putInt(20, 0);
    }
  }

  static JournalBackup describe(Medium medium, String name) {
    SectionReader.Summary summary = new SectionReader(medium, name, FORMAT).summary();
    BackupHead head = summary.head();
    return new JournalBackup(
        head.name(),
        head.kind(),
        head.id(),
        head.base(),
        head.origin(),
        head.created(),
        summary.end().count(),
        head.end(),
        summary.size());
  }

  static BackupHead head(JournalBackup b) {
    return new BackupHead(
        b.name(), b.kind(), b.id(), b.base(), b.journal(), b.created(), b.nextSequence());
  }

  static End end(Medium medium, String name) {
    return End.of(new SectionReader(medium, name, FORMAT).summary().end());
  }
}
