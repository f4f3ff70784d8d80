package io.everheap.engine.tx;

import io.everheap.engine.home.Home;
import io.everheap.engine.log.EntryLayout;
import io.everheap.engine.log.Log;
import io.everheap.engine.log.RecordLayout;
import io.everheap.memory.Region;

/**
 * Turns a write set and the fresh blocks into one record of the log: fills, then fresh blocks
 * whole, then the stored words as runs. A record larger than a part becomes several; the last one
 * commits. Used by the writer between {@code Log.reserve} and the apply; allocates nothing.
 */
final class RecordWriter {
  private static final int WORD = 8;

  private final Home home;
  private final Log log;
  private final WriteSet writes;
  private final CommitParticipant.FreshBlocks measure = (address, bytes) -> addFresh(bytes);
  private final CommitParticipant.FreshBlocks emit = this::writeFresh;

  private long size;

  @SuppressWarnings("NullAway.Init") // each record begins with open
  private Region buffer; // of the current part

  private int position; // of the next entry byte in the buffer
  private int start; // of the current part
  private int end; // of the room in it
  private int runHeader = -1; // position of the entry word of the run being written
  private long runAddress;
  private int runWords;

  RecordWriter(Home home, Log log, WriteSet writes) {
    this.home = home;
    this.log = log;
    this.writes = writes;
  }

  /** Bytes of entries that the record will take, at most. */
  long measure(CommitParticipant participant) {
    size = 3L * WORD * writes.fillCount();
    participant.fresh(measure);
    for (int i = 0; i < writes.lineCount(); i++) {
      int mask = writes.mask(i);
      int runs = Integer.bitCount(mask & ~(mask << 1));
      size += (long) WORD * (Integer.bitCount(mask) + runs);
    }
    return size;
  }

  private void addFresh(long bytes) {
    long entries = bytes / (WORD * (long) EntryLayout.MAX_RUN_WORDS) + 1;
    size += bytes + entries * WORD;
  }

  /** What {@link #measure} returned. */
  long size() {
    return size;
  }

  /** Appends the record of the last {@link #measure} and returns the LSN after it. */
  long write(CommitParticipant participant) {
    int room = (int) Math.min(Log.maxPart(), RecordLayout.align(RecordLayout.HEADER_SIZE + size));
    open(room);
    for (int i = 0; i < writes.fillCount(); i++) {
      writeFill(i);
    }
    participant.fresh(emit);
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
    buffer = log.buffer();
    position = start + RecordLayout.HEADER_SIZE;
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

  private void writeFresh(long address, long bytes) {
    int header = writes.find(address);
    long at = address;
    long last = address + bytes;
    while (at < last) {
      if (end - position < 2 * WORD) {
        nextPart();
      }
      long words = Math.min((last - at) / WORD, (end - position) / WORD - 1);
      int n = (int) Math.min(words, EntryLayout.MAX_RUN_WORDS);
      put(EntryLayout.run(at, n));
      buffer.copyFrom(position, home.mapped(at), home.offset(at), (long) n * WORD);
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
    for (int rest = mask; rest != 0; rest &= rest - 1) {
      int word = Integer.numberOfTrailingZeros(rest);
      writeWord(address + word * 8L, writes.word(line, word));
    }
  }

  private void writeWord(long address, long value) {
    if (runHeader < 0
        || address != runAddress + (long) runWords * WORD
        || runWords == EntryLayout.MAX_RUN_WORDS
        || position == end) {
      endRun();
      if (end - position < 2 * WORD) {
        nextPart();
      }
      runHeader = position;
      runAddress = address;
      runWords = 0;
      position += WORD;
    }
    put(value);
    runWords++;
  }

  private void endRun() {
    if (runHeader >= 0) {
      buffer.putLong(runHeader, EntryLayout.run(runAddress, runWords));
      runHeader = -1;
    }
  }
}
