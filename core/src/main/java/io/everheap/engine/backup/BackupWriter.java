package io.everheap.engine.backup;

import io.everheap.backup.SectionWriter;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes what a heap consists of as sections of a backup. Used by one thread. */
final class BackupWriter {
  private final SectionWriter out;
  private final ByteBuffer data;
  private long pages;

  BackupWriter(SectionWriter out) {
    this.out = out;
    this.data = out.data();
  }

  /** Writes the superblock from which recovery begins. */
  void superblock(ByteBuffer encoded) {
    int length = encoded.remaining();
    data.put(0, encoded, encoded.position(), length);
    out.section(BackupLayout.SUPERBLOCK, 0, 0, length);
  }

  /** The part of the buffer into which pages are read for {@link #pages}. */
  ByteBuffer images(int bytes) {
    return data.slice(0, bytes);
  }

  /**
   * Writes the pages in {@link #images}; pages of zeros take no space.
   *
   * @param numbers of the pages, ascending; there are {@code count}
   */
  void pages(long[] numbers, int count, int pageSize) {
    int from = 0;
    while (from < count) {
      boolean zeros = isZero(from, pageSize);
      int to = from + 1;
      while (to < count && numbers[to] == numbers[to - 1] + 1 && isZero(to, pageSize) == zeros) {
        to++;
      }
      int length = zeros ? 0 : (to - from) * pageSize;
      int kind = zeros ? BackupLayout.ZEROS : BackupLayout.PAGES;
      out.section(from * pageSize, kind, numbers[from], to - from, length);
      pages += zeros ? 0 : to - from;
      from = to;
    }
  }

  private boolean isZero(int page, int pageSize) {
    for (int at = page * pageSize; at < (page + 1) * pageSize; at += 8) {
      if (data.getLong(at) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Writes the contents of a file under a name relative to the heap.
   *
   * @param end of what is written; behind it the restored file has zeros
   * @param step called after each part
   */
  void file(String name, MediumFile source, long end, long size, Runnable step) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    int start = 2 + text.length;
    long at = 0;
    do {
      int count = (int) Math.min(1 << 20, end - at);
      data.putShort(0, (short) text.length).put(2, text);
      int read = source.read(data.slice(start, count), at);
      for (int i = read; i < count; i++) {
        data.put(start + i, (byte) 0);
      }
      out.section(BackupLayout.FILE, at, size, start + count);
      at += count;
      step.run();
    } while (at < end);
  }

  /** Writes the last section, and makes the file durable. */
  void finish(long startLsn, long endLsn, long size) {
    data.putLong(0, startLsn).putLong(8, pages);
    out.finish(endLsn, size);
  }

  /** Bytes written so far. */
  long size() {
    return out.size();
  }
}
