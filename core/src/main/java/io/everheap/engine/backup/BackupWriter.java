package io.everheap.engine.backup;

import static io.everheap.engine.backup.BackupLayout.COUNT;
import static io.everheap.engine.backup.BackupLayout.CRC;
import static io.everheap.engine.backup.BackupLayout.HEAD;
import static io.everheap.engine.backup.BackupLayout.LENGTH;
import static io.everheap.engine.backup.BackupLayout.NUMBER;

import io.everheap.memory.MediumFile;
import io.everheap.report.Backup;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the sections of a backup to its file, one after the other. Used by one thread. */
final class BackupWriter {
  private final BackupSink sink;
  private final ByteBuffer section = BackupLayout.buffer(HEAD + BackupLayout.MAX_LENGTH);
  private long position;
  private long sections;
  private long pages;

  BackupWriter(BackupSink sink) {
    this.sink = sink;
  }

  void header(Backup.Kind kind, UUID heap, UUID id, @Nullable UUID base, long millis) {
    UUID before = base == null ? new UUID(0, 0) : base;
    section.putLong(0, BackupLayout.MAGIC).putInt(8, BackupLayout.VERSION);
    section.putInt(12, kind == Backup.Kind.FULL ? 0 : 1);
    section.putLong(16, heap.getMostSignificantBits()).putLong(24, heap.getLeastSignificantBits());
    section.putLong(32, id.getMostSignificantBits()).putLong(40, id.getLeastSignificantBits());
    section.putLong(48, before.getMostSignificantBits());
    section.putLong(56, before.getLeastSignificantBits()).putLong(64, millis);
    section.putInt(BackupLayout.HEADER_CRC, BackupLayout.headerCrc(section)).putInt(76, 0);
    append(section.slice(0, BackupLayout.HEADER));
  }

  /** Writes the superblock from which recovery begins. */
  void superblock(ByteBuffer encoded) {
    int length = encoded.remaining();
    section.put(HEAD, encoded, encoded.position(), length);
    section(0, BackupLayout.SUPERBLOCK, 0, 0, length);
  }

  /** The part of the buffer into which pages are read for {@link #pages}. */
  ByteBuffer images(int bytes) {
    return section.slice(HEAD, bytes);
  }

  /** Writes the pages in {@link #images}; pages of zeros take no space. */
  void pages(long first, int count, int pageSize) {
    int from = 0;
    while (from < count) {
      boolean zeros = isZero(from, pageSize);
      int to = from + 1;
      while (to < count && isZero(to, pageSize) == zeros) {
        to++;
      }
      int length = zeros ? 0 : (to - from) * pageSize;
      int kind = zeros ? BackupLayout.ZEROS : BackupLayout.PAGES;
      section(from * pageSize, kind, first + from, to - from, length);
      pages += zeros ? 0 : to - from;
      from = to;
    }
  }

  private boolean isZero(int page, int pageSize) {
    for (int at = HEAD + page * pageSize; at < HEAD + (page + 1) * pageSize; at += 8) {
      if (section.getLong(at) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Writes the contents of a file under a name relative to the heap.
   *
   * @param step called after each part
   */
  void file(String name, MediumFile source, long size, Runnable step) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    long at = 0;
    do {
      int count = (int) Math.min(1 << 20, size - at);
      section.putShort(HEAD, (short) text.length).put(HEAD + 2, text);
      ByteBuffer target = section.slice(HEAD + 2 + text.length, count);
      int read = source.read(target, at);
      for (int i = read; i < count; i++) {
        section.put(HEAD + 2 + text.length + i, (byte) 0);
      }
      section(0, BackupLayout.FILE, at, size, 2 + text.length + count);
      at += count;
      step.run();
    } while (at < size);
  }

  /** Writes the last section, and makes the file durable. */
  void finish(long startLsn, long endLsn, long size) {
    section.putLong(HEAD, startLsn).putLong(HEAD + 8, pages).putLong(HEAD + 16, sections + 1);
    section(0, BackupLayout.END, endLsn, size, BackupLayout.END_LENGTH);
    sink.sync();
  }

  /**
   * Writes a section whose data is in the buffer.
   *
   * @param at place of its head, right before the data; what was there is written already
   */
  private void section(int at, int kind, long number, long count, int length) {
    ByteBuffer s = section.slice(at, HEAD + length).order(ByteOrder.LITTLE_ENDIAN);
    s.putInt(0, kind).putLong(NUMBER, number).putLong(COUNT, count).putLong(LENGTH, length);
    s.putInt(CRC, BackupLayout.crc(s, HEAD + length));
    append(s);
    sections++;
  }

  private void append(ByteBuffer bytes) {
    int length = bytes.remaining();
    sink.append(bytes);
    position += length;
  }

  /** Bytes written so far. */
  long size() {
    return position;
  }
}
