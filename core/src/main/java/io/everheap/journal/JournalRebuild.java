package io.everheap.journal;

import io.everheap.error.BackupException;
import io.everheap.error.ForeignException;
import io.everheap.log.EpochMillis;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds a journal from headers and records of segments, in an empty directory. It is a journal
 * only when {@link #complete} writes the file {@code journal}. A directory in which this was
 * interrupted is emptied by the next attempt. Used by one thread.
 */
final class JournalRebuild implements AutoCloseable {
  private final Medium medium;
  private final NavigableMap<Long, Part> parts = new TreeMap<>();
  private @Nullable MediumFile file;
  private @Nullable Part open;

  /** A segment that is being built. */
  private static final class Part {
    final SegmentHeader header;
    long end = SegmentLayout.START;

    Part(SegmentHeader header) {
      this.header = header;
    }
  }

  /**
   * Begins in a directory.
   *
   * @throws ForeignException if it has files of anything but an interrupted rebuild
   */
  JournalRebuild(Medium medium) {
    this.medium = medium;
    boolean interrupted = StateFile.isInterrupted(medium);
    List<String> others = medium.list("").stream().filter(name -> !isLock(name)).toList();
    List<String> foreign =
        others.stream().filter(name -> !interrupted || !StateFile.isRestored(name)).toList();
    if (!foreign.isEmpty()) {
      throw ForeignException.heap(
          medium.location(),
          "a backup is restored into an empty or a new directory, and this one has the file "
              + foreign.getFirst()
              + "; nothing was changed");
    }
    if (!interrupted) {
      medium.create(StateFile.RESTORING).close();
    }
    medium.syncDirectory("");
    others.stream().filter(name -> !name.equals(StateFile.RESTORING)).forEach(medium::delete);
  }

  private static boolean isLock(String name) {
    return name.equals("lock") || name.equals("owner") || name.matches("probe-.*\\.tmp");
  }

  /** Begins a segment, or continues the one with this header. */
  void segment(SegmentHeader header) {
    endFile();
    Part part = parts.computeIfAbsent(header.ordinal(), ordinal -> new Part(header));
    String name = SegmentLayout.name(header.ordinal());
    file = medium.exists(name) ? medium.open(name) : medium.create(name);
    open = part;
  }

  /** Writes records of the segment, behind those before. */
  void records(long offset, ByteBuffer bytes) {
    Part part = open;
    MediumFile target = file;
    if (part == null || target == null || offset != part.end) {
      throw new BackupException("Records before byte " + offset + " of a segment are missing.");
    }
    part.end = offset + bytes.remaining();
    target.write(bytes, offset);
  }

  /** Makes the last file durable. */
  private void endFile() {
    try (MediumFile last = file) {
      if (last != null) {
        last.sync();
      }
    }
    file = null;
    open = null;
  }

  /** Leaves out what is behind a record, and the rest of its batch; returns the next sequence. */
  long cutAfter(long sequence) {
    endFile();
    Part in = parts.firstEntry().getValue();
    for (Part part : parts.values()) {
      if (part.header.first() <= sequence + 1) {
        in = part;
      }
    }
    return cut(in, sequence, Long.MAX_VALUE);
  }

  /**
   * Leaves out the first record that is later than a time, and all behind it; returns the next
   * sequence.
   */
  long cutAfter(Instant time) {
    endFile();
    long millis = EpochMillis.of(time);
    Part in = parts.firstEntry().getValue();
    for (Part part : parts.values()) {
      if (part.header.time() > millis) {
        break;
      }
      in = part;
    }
    return cut(in, Long.MAX_VALUE, millis);
  }

  /**
   * Ends the journal in a segment, behind the last whole batch that is not behind a sequence and a
   * time. If none of its records is, the next segment stays without records: a batch that was cut
   * is whole only before the header that cut it.
   */
  private long cut(Part part, long last, long millis) {
    SegmentHeader header = part.header;
    Map.Entry<Long, Part> behind = parts.higherEntry(header.ordinal());
    long end = SegmentLayout.START;
    long next = header.first();
    long sequence = next;
    try (MediumFile target = medium.open(SegmentLayout.name(header.ordinal()))) {
      target.truncate(usedSize(part));
      try (Region region = target.map(Mapping.READ, 0, usedSize(part))) {
        RecordScanner records =
            new RecordScanner(region.view().order(ByteOrder.LITTLE_ENDIAN), header);
        long offset = end;
        int chain = header.chain();
        while (sequence <= last
            && records.follows(offset, sequence, chain)
            && !records.has(RecordLayout.END)
            && isBefore(records, offset, millis)) {
          chain = records.checksum();
          offset = records.next();
          sequence++;
          if (records.has(RecordLayout.LAST)) {
            end = offset;
            next = sequence;
          }
        }
      }
    }
    if (behind != null && behind.getValue().header.first() == sequence) {
      endAt(behind.getValue(), SegmentLayout.START);
      return sequence;
    }
    endAt(part, end);
    return next;
  }

  /** Leaves out the records of a segment from an offset on, and all segments behind it. */
  private void endAt(Part part, long offset) {
    try (MediumFile target = medium.open(SegmentLayout.name(part.header.ordinal()))) {
      target.truncate(offset);
      target.sync();
    }
    part.end = offset;
    while (parts.lastKey() > part.header.ordinal()) {
      drop(parts.lastKey());
    }
  }

  private void drop(long ordinal) {
    parts.remove(ordinal);
    medium.delete(SegmentLayout.name(ordinal));
  }

  private static boolean isBefore(RecordScanner records, long offset, long millis) {
    if (millis == Long.MAX_VALUE) {
      return true;
    }
    if (!records.has(RecordLayout.TIME)) {
      throw new BackupException(
          "The records have no times (JournalBuilder.timestamps): restore up to a sequence.");
    }
    return records.time(offset) <= millis;
  }

  private static long usedSize(Part part) {
    return SegmentLayout.alignToBlock(part.end);
  }

  /**
   * Completes the journal, durably. It is in the state of one that was closed; its segments have no
   * unused end.
   *
   * @param then the state of the original
   */
  void complete(JournalState then, long firstSequence, long nextSequence) {
    endFile();
    List<Part> before = new ArrayList<>();
    for (Part part : parts.values()) {
      if (part.header.first() <= firstSequence) {
        before.add(part);
      }
    }
    if (before.isEmpty()) {
      throw new BackupException("The segment with record " + firstSequence + " is missing.");
    }
    before.removeLast(); // it has the first record
    before.forEach(part -> drop(part.header.ordinal()));
    for (Part part : parts.values()) {
      SegmentHeader header = part.header.withSize(usedSize(part));
      try (MediumFile target = medium.open(SegmentLayout.name(header.ordinal()))) {
        target.truncate(header.size());
        target.write(header.encode(JournalLayout.MAGIC), 0);
        target.sync();
      }
    }
    medium.syncDirectory("");
    JournalState state = then.restored(firstSequence, parts.firstKey(), nextSequence);
    JournalRecovery.Found found = JournalRecovery.read(medium, state);
    if (found.nextSequence() != nextSequence) {
      throw new BackupException(
          "The restored journal in "
              + medium.location()
              + " ends at record "
              + found.nextSequence()
              + " instead of "
              + nextSequence
              + ".");
    }
    StateFile.create(medium, state);
    medium.delete(StateFile.RESTORING);
    medium.syncDirectory("");
  }

  @Override
  public void close() {
    MediumFile last = file;
    if (last != null) {
      last.close();
    }
  }
}
