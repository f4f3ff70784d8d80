package io.everheap.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.MediumFile;
import io.everheap.memory.MemoryMedium;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ArchiveTimesTest {
  private final MemoryMedium archive = new MemoryMedium();

  @Test
  void anArchiveWithoutTimesHadNothing() {
    assertThat(ArchiveTimes.at(archive, Long.MAX_VALUE)).isNull();
    new ArchiveTimes(archive).close();
    assertThat(ArchiveTimes.at(archive, Long.MAX_VALUE)).isNull();
  }

  @Test
  void aTimeFindsTheHighestLsnThatWasReachedUpToIt() {
    write(record(1000, 64), record(2000, 128), record(3000, 192));
    requireReached(999, 0, 0);
    requireReached(1000, 1000, 64);
    requireReached(1999, 1000, 64);
    requireReached(2000, 2000, 128);
    requireReached(2999, 2000, 128);
    requireReached(3000, 3000, 192);
    requireReached(Long.MAX_VALUE, 3000, 192);
  }

  @Test
  void aClockThatWasSetBackDoesNotHideWhatWasReached() {
    write(record(5000, 64), record(1000, 128), record(2000, 192));
    requireReached(1000, 1000, 128);
    requireReached(5000, 2000, 192);
    requireReached(999, 0, 0);
  }

  @Test
  void ofEqualLsnsTheFirstTimeCounts() {
    write(record(1000, 64), record(2000, 64));
    requireReached(3000, 1000, 64);
  }

  @Test
  void aRecordThatDoesNotValidateIsIgnored() {
    for (int bit = 0; bit < 20 * 8; bit++) {
      byte[] changed = record(2000, 128);
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      write(record(1000, 64), changed, record(3000, 192));
      requireReached(2999, 1000, 64);
      requireReached(3000, 3000, 192);
    }
  }

  @Test
  void aRecordThatIsCutOffIsIgnoredAndOverwritten() {
    write(record(1000, 64), record(2000, 128));
    try (MediumFile file = archive.open(ArchiveTimes.NAME)) {
      file.truncate(2 * ArchiveTimes.RECORD - 1);
    }
    requireReached(3000, 1000, 64);
    try (ArchiveTimes times = new ArchiveTimes(archive)) {
      times.add(256);
    }
    assertThat(size()).isEqualTo(2 * ArchiveTimes.RECORD);
    assertThat(ArchiveTimes.at(archive, Long.MAX_VALUE).lsn()).isEqualTo(256);
  }

  @Test
  void recordsFollowTheLastOneAndReplaceZeros() {
    write(record(1000, 64), new byte[ArchiveTimes.RECORD], new byte[ArchiveTimes.RECORD]);
    long before = System.currentTimeMillis();
    try (ArchiveTimes times = new ArchiveTimes(archive)) {
      times.add(128);
      times.add(192);
    }
    assertThat(size()).isEqualTo(3 * ArchiveTimes.RECORD);
    ArchiveTimes.Reached last = ArchiveTimes.at(archive, Long.MAX_VALUE);
    assertThat(last.lsn()).isEqualTo(192);
    assertThat(last.millis()).isBetween(before, System.currentTimeMillis());
    requireReached(1000, 1000, 64);
    try (ArchiveTimes times = new ArchiveTimes(archive)) {
      times.add(256);
    }
    assertThat(size()).isEqualTo(4 * ArchiveTimes.RECORD);
  }

  @Test
  void aFileWithManyRecordsIsReadToItsEnd() {
    int records = 9_000; // more than are read at once
    byte[][] all = new byte[records][];
    for (int i = 0; i < records; i++) {
      all[i] = record(1000 + i, 64L * (i + 1));
    }
    write(all);
    requireReached(1000 + 4095, 1000 + 4095, 64 * 4096);
    requireReached(1000 + 4096, 1000 + 4096, 64 * 4097);
    requireReached(Long.MAX_VALUE, 1000 + records - 1, 64L * records);
  }

  private void requireReached(long asOf, long millis, long lsn) {
    ArchiveTimes.Reached reached = ArchiveTimes.at(archive, asOf);
    if (lsn == 0) {
      assertThat(reached).isNull();
    } else {
      assertThat(reached).isEqualTo(new ArchiveTimes.Reached(millis, lsn));
    }
  }

  private long size() {
    try (MediumFile file = archive.open(ArchiveTimes.NAME)) {
      return file.size();
    }
  }

  private void write(byte[]... records) {
    if (archive.exists(ArchiveTimes.NAME)) {
      archive.delete(ArchiveTimes.NAME);
    }
    try (MediumFile file = archive.create(ArchiveTimes.NAME)) {
      long at = 0;
      for (byte[] record : records) {
        file.write(ByteBuffer.wrap(record), at);
        at += record.length;
      }
    }
  }

  private static byte[] record(long millis, long lsn) {
    ByteBuffer b = ByteBuffer.allocate(ArchiveTimes.RECORD).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, millis).putLong(8, lsn);
    CRC32C crc = new CRC32C();
    crc.update(b.array(), 0, 16);
    return b.putInt(16, (int) crc.getValue()).array();
  }
}
