package io.everheap.engine.log;

import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file {@value #NAME} in an archive: when it reached which LSN. It has a record for each copy:
 * time in milliseconds since 1970 u64, LSN u64, CRC32C of both u32, zero u32. A record that does
 * not validate is ignored. Used by one thread.
 */
public final class ArchiveTimes implements AutoCloseable {
  /** Name of the file. */
  public static final String NAME = "times";

  /** Size of a record. */
  public static final int RECORD = 24;

  private static final int RECORDS_AT_ONCE = 4096;

  private final MediumFile file;
  private long end;

  /** Opens the file in an archive, or creates it. */
  ArchiveTimes(Medium archive) {
    this.file = archive.exists(NAME) ? archive.open(NAME) : archive.create(NAME);
    this.end = file.size() / RECORD * RECORD;
    ByteBuffer last = ByteBuffer.allocate(RECORD);
    ByteBuffer zeros = ByteBuffer.allocate(RECORD);
    while (end > 0
        && file.read(last.clear(), end - RECORD) == RECORD
        && last.flip().equals(zeros)) {
      end -= RECORD; // an encrypted file has whole blocks
    }
  }

  /** Records, durably, that the archive reaches an LSN now. */
  void add(long lsn) {
    ByteBuffer b = ByteBuffer.allocate(RECORD).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, System.currentTimeMillis()).putLong(8, lsn).putInt(16, crc(b, 0));
    file.write(b, end);
    file.sync();
    end += RECORD;
  }

  private static int crc(ByteBuffer b, int at) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(at, 16));
    return (int) crc.getValue();
  }

  /**
   * What an archive had.
   *
   * @param millis when it was complete, since 1970
   * @param lsn up to which
   */
  public record Reached(long millis, long lsn) {}

  /**
   * What an archive had at a time.
   *
   * @param millis since 1970
   * @return null if it had nothing
   */
  public static @Nullable Reached at(Medium archive, long millis) {
    Reached found = null;
    if (archive.exists(NAME)) {
      try (MediumFile file = archive.open(NAME)) {
        ByteBuffer b = ByteBuffer.allocate(RECORDS_AT_ONCE * RECORD).order(ByteOrder.LITTLE_ENDIAN);
        long size = file.size();
        for (long from = 0; from + RECORD <= size; from += b.capacity()) {
          int bytes = file.read(b.clear(), from);
          for (int at = 0; at + RECORD <= bytes; at += RECORD) {
            Reached next = new Reached(b.getLong(at), b.getLong(at + 8));
            if (b.getInt(at + 16) == crc(b, at)
                && next.millis <= millis
                && (found == null || next.lsn > found.lsn)) {
              found = next;
            }
          }
        }
      }
    }
    return found;
  }

  @Override
  public void close() {
    file.close();
  }
}
