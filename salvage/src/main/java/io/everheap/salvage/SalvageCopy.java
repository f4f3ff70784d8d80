package io.everheap.salvage;

import io.everheap.error.MediumException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies a heap's files from one medium to another, page by page where reading fails. Unreadable
 * pages and zeros become holes. Used by one thread.
 */
final class SalvageCopy {
  private static final int PAGE = 4096;
  private static final int BUFFER = 1 << 20;

  private final Medium from;
  private final Medium to;
  private final List<SalvageReport.Range> unreadable;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);

  SalvageCopy(Medium from, Medium to, List<SalvageReport.Range> unreadable) {
    this.from = from;
    this.to = to;
    this.unreadable = unreadable;
  }

  void run() {
    List<String> names = new ArrayList<>();
    names.add("heap");
    names.add("heap.crc");
    names.add("ring");
    from.list("log").forEach(name -> names.add("log/" + name));
    for (String name : names) {
      if (from.exists(name)) {
        copy(name);
      }
    }
  }

  private void copy(String name) {
    try (MediumFile source = from.open(name);
        MediumFile target = to.create(name)) {
      long size = source.size();
      copy(source, 0, size, target::write);
      target.truncate(size);
    } catch (MediumException e) {
      unreadable(name, 0, -1);
    }
  }

  /** Receives bytes that were read and are not all zeros, with their offset in the file. */
  interface Sink {
    void write(ByteBuffer read, long at);
  }

  /**
   * Copies a range of a file.
   *
   * @return how many bytes of it could not be read
   */
  long copy(MediumFile source, long start, long end, Sink sink) {
    long lost = 0;
    for (long at = start; at < end; at += BUFFER) {
      int n = (int) Math.min(BUFFER, end - at);
      if (!copy(source, sink, at, n)) {
        for (long page = at; page < at + n; page += PAGE) {
          int part = (int) Math.min(PAGE, at + n - page);
          if (!copy(source, sink, page, part)) {
            unreadable(source.name(), page, part);
            lost += part;
          }
        }
      }
    }
    return lost;
  }

  private boolean copy(MediumFile source, Sink sink, long at, int bytes) {
    buffer.clear().limit(bytes);
    try {
      source.read(buffer, at);
    } catch (MediumException e) {
      return false;
    }
    buffer.flip();
    if (!isZero()) {
      sink.write(buffer, at);
    }
    return true;
  }

  private boolean isZero() {
    int i = 0;
    for (; i + 8 <= buffer.limit(); i += 8) {
      if (buffer.getLong(i) != 0) {
        return false;
      }
    }
    for (; i < buffer.limit(); i++) {
      if (buffer.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private void unreadable(String name, long offset, long length) {
    int last = unreadable.size() - 1;
    SalvageReport.Range before = last < 0 ? null : unreadable.get(last);
    if (before != null
        && before.file().equals(name)
        && before.offset() + before.length() == offset) {
      SalvageReport.Range both =
          new SalvageReport.Range(name, before.offset(), before.length() + length);
      unreadable.set(last, both);
    } else {
      unreadable.add(new SalvageReport.Range(name, offset, length));
    }
  }
}
