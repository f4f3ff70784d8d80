package io.everheap.engine.tx;

import io.everheap.engine.home.Home;
import io.everheap.engine.log.EntryLayout;
import io.everheap.engine.log.Log;
import io.everheap.engine.log.PartLayout;
import io.everheap.log.RecordBuffer;
import java.util.Arrays;

/**
 * Writes the write set and the fresh blocks as one record to the log: the fills, then the fresh
 * blocks whole, then the stored words as runs. A record that is larger than a part is written as
 * several parts; the last one commits. Used by the writer: {@link #measure} before {@code
 * Log.reserve}, {@link #write} after it, which allocates nothing.
 */
final class RecordWriter {
  private static final int WORD = 8;

  /** Length of {@link #fresh} above which it is replaced after a large transaction. */
  private static final int MAX_KEPT = 3 << 14;

  private final Home home;
  private final Log log;
  private final WriteSet writes;
  private final RecordBuffer buffer; // in which the log builds each part
  private final CommitParticipant.FreshBlocks collect = this::addFresh;

  private long[] fresh = new long[64]; // address, bytes and index of the header in the write set
  private int freshCount;
  private long size;
  private int position; // of the next entry byte in the buffer
  private int start; // of the current part
  private int end; // of the reserved space of the current part
  private int runHeader = -1; // position of the entry word of the run being written
  private long runAddress;
  private int runWords;

  RecordWriter(Home home, Log log, WriteSet writes) {
    this.home = home;
    this.log = log;
    this.writes = writes;
    this.buffer = log.buffer();
  }

  /** The maximum size of the record's entries, in bytes; 0 if there is nothing to write. */
  long measure(CommitParticipant participant) {
    size = 3L * WORD * writes.fillCount();
    if (fresh.length > MAX_KEPT && freshCount < MAX_KEPT) {
      fresh = new long[64]; // the last transaction did not need the large array
    }
    freshCount = 0;
    participant.fresh(collect);
    for (int i = 0; i < writes.lineCount(); i++) {
      int mask = writes.mask(i);
      int runs = Integer.bitCount(mask & ~(mask << 1));
      size += (long) WORD * (Integer.bitCount(mask) + runs);
    }
    return size;
  }

  private void addFresh(long address, long bytes, int header) {
    if (freshCount + 3 > fresh.length) {
      fresh = Arrays.copyOf(fresh, freshCount * 2);
    }
    fresh[freshCount] = address;
    fresh[freshCount + 1] = bytes;
    fresh[freshCount + 2] = header;
    freshCount += 3;
    long entries = bytes / (WORD * (long) EntryLayout.MAX_RUN_WORDS) + 1;
    size += bytes + entries * WORD;
  }

  /** Marks the pages of the fresh blocks as dirty. */
  void markFresh() {
    for (int i = 0; i < freshCount; i += 3) {
      home.markDirty(fresh[i], fresh[i + 1]);
    }
  }

  /** The result of the last {@link #measure}. */
  long size() {
    return size;
  }

  /** Appends the record of the last {@link #measure} and returns the LSN behind it. */
  long write() {
    int room = (int) Math.min(Log.maxPart(), PartLayout.align(PartLayout.HEADER_SIZE + size));
    open(room);
    for (int i = 0; i < writes.fillCount(); i++) {
      writeFill(i);
    }
    for (int i = 0; i < freshCount; i += 3) {
      writeFresh(fresh[i], fresh[i + 1], (int) fresh[i + 2]);
    }
    for (int i = 0; i < writes.lineCount(); i++) {
      int mask = writes.unloggedMask(i);
      if (mask != 0) {
        writeLine(i, mask);
      }
    }
    endRun();
    return log.closePart(position - start, false);
  }

  private void open(int room) {
    start = log.openPart(room);
    position = start + PartLayout.HEADER_SIZE;
    end = start + room;
  }

  private void nextPart() {
    endRun();
    log.closePart(position - start, true);
    open(Log.maxPart());
  }

  private void put(long word) {
    buffer.putLong(position, word);
    position += WORD;
  }

  private void writeFill(int i) {
    if (end - position < 3 * WORD) {
      nextPart();
    }
    put(EntryLayout.fill(writes.fillAddress(i)));
    put(EntryLayout.fillShape(writes.fillStride(i), writes.fillTimes(i)));
    put(writes.fillValue(i));
  }

  private void writeFresh(long address, long bytes, int header) {
    long at = address;
    long last = address + bytes;
    while (at < last) {
      if (end - position < 2 * WORD) {
        nextPart();
      }
      long words = Math.min((last - at) / WORD, (end - position) / WORD - 1);
      int n = (int) Math.min(words, EntryLayout.MAX_RUN_WORDS);
      put(EntryLayout.run(at, n));
      buffer.copyFrom(position, home.mapped(at), home.offset(at), n * WORD);
      if (at == address && header >= 0) {
        buffer.putLong(position, writes.word(header));
        writes.setLogged(header);
      }
      position += n * WORD;
      at += (long) n * WORD;
    }
  }

  private void writeLine(int line, int mask) {
    long address = writes.lineAddress(line);
    int rest = mask;
    while (rest != 0) {
      int first = Integer.numberOfTrailingZeros(rest);
      int count = Integer.numberOfTrailingZeros(~(rest >>> first));
      writeWords(line, first, count, address + first * (long) WORD);
      rest &= -1 << (first + count);
    }
  }

  /** Writes consecutive words, as a part of the open run if they continue it. */
  private void writeWords(int line, int first, int count, long address) {
    boolean continues =
        runHeader >= 0
            && address == runAddress + (long) runWords * WORD
            && runWords + count <= EntryLayout.MAX_RUN_WORDS;
    if (!continues || end - position < count * WORD) {
      endRun();
      if (end - position < (count + 1) * WORD) {
        nextPart();
      }
      runHeader = position;
      runAddress = address;
      runWords = 0;
      position += WORD;
    }
    buffer.putLongs(position, writes.words(), (line << 3) + first, count);
    position += count * WORD;
    runWords += count;
  }

  private void endRun() {
    if (runHeader >= 0) {
      buffer.putLong(runHeader, EntryLayout.run(runAddress, runWords));
      runHeader = -1;
    }
  }
}
