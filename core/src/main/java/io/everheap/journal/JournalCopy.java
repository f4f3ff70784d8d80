package io.everheap.journal;

import io.everheap.backup.Pace;
import io.everheap.backup.SectionWriter;
import io.everheap.error.BackupException;
import io.everheap.error.CorruptException;
import io.everheap.log.LogSeed;
import io.everheap.log.RecordSeal;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.MappedFaults;
import io.everheap.report.BackupProgress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Copies the durable records of a journal to a backup, while others append, release and cut. Each
 * record is validated with the one before it. A segment is pinned while it is copied, so that its
 * file is not used again; one that is released before is left out, and with it all before. Used by
 * one thread.
 */
final class JournalCopy {
  private static final int PIECE = 1 << 20;

  private final RecordSource source;
  private final SectionWriter out;
  private final Pace pace;
  private final BackupProgress progress;
  private final int cuts;
  private final long end;
  private final JournalState state;
  private final Segment[] all;
  private final int last;
  private final ByteBuffer data;
  private long first;
  private long offset;
  private long sequence;
  private int chain;

  /** Notes what there is to copy: all of it is durable. */
  JournalCopy(RecordSource source, SectionWriter out, Pace pace, BackupProgress progress) {
    this.source = source;
    this.out = out;
    this.pace = pace;
    this.progress = progress;
    this.cuts = source.cuts();
    this.state = source.state();
    long durable = source.durable();
    this.all = source.segments();
    // Segments may be released between two of these calls. The copy begins with what is left.
    long oldest = all.length == 0 ? 0 : all[0].firstSequence(); // none while all are cut off
    this.first = Math.max(source.first(), oldest);
    this.end = Math.max(durable, first);
    this.last = Math.max(0, Segments.find(all, end)); // also an empty one: its header may be a cut
    this.data = out.data();
  }

  /** Whether the journal still has what a backup ends with, and where it goes on. */
  static @Nullable String whyNot(RecordSource source, JournalBackupLayout.End base) {
    long next = base.nextSequence();
    if (next < source.first()) {
      return "records " + next + " to " + (source.first() - 1) + " were released since";
    }
    Segment in = start(source.segments(), base);
    if (in == null || next > source.durable()) {
      return "records below " + next + " were cut off since, or the journal was restored";
    }
    if (in.ordinal() != base.ordinal()) {
      int before = in.header().chain();
      return before == base.chain() || before == mark(in.header(), base)
          ? null
          : "other records stand before record " + next;
    }
    if (!in.pin()) {
      return "record " + next + " was released meanwhile";
    }
    try {
      RecordScanner records = new RecordScanner(in.view(), in.header());
      long at = SegmentLayout.START;
      int crc = in.header().chain();
      for (long s = in.firstSequence(); s < next; s++) {
        if (!records.follows(at, s, crc)) {
          return "record " + s + " is not the one that it has";
        }
        crc = records.checksum();
        at = records.next();
      }
      return at == base.offset() && crc == base.chain()
          ? null
          : "the records before " + next + " are not those that it has";
    } finally {
      in.unpin();
    }
  }

  /** The crc of the mark that ends the last segment of a backup, if it is of the same epoch. */
  private static int mark(SegmentHeader following, JournalBackupLayout.End base) {
    ByteBuffer mark = ByteBuffer.allocate(RecordLayout.HEADER).order(ByteOrder.LITTLE_ENDIAN);
    mark.putInt(RecordLayout.PREVIOUS, base.chain());
    int low = (int) base.nextSequence() & RecordLayout.SEQUENCE_MASK;
    mark.putInt(RecordLayout.SEQUENCE, RecordLayout.END | low);
    return new RecordSeal(LogSeed.key(following.uuid(), following.epoch()))
        .crc(mark, 0, RecordLayout.HEADER, RecordLayout.position(base.ordinal(), base.offset()));
  }

  /** The segment in which a journal goes on behind a backup; null if it does not. */
  private static @Nullable Segment start(Segment[] all, JournalBackupLayout.End base) {
    for (Segment segment : all) { // the last one of the backup, or what follows it at once
      if (segment.ordinal() == base.ordinal()) {
        return segment.endSequence() >= base.nextSequence() ? segment : null;
      }
      if (segment.ordinal() > base.ordinal()) {
        return segment.firstSequence() == base.nextSequence() ? segment : null;
      }
    }
    return null;
  }

  /**
   * Copies.
   *
   * @param base where the backup before ends; null to copy everything
   */
  void run(JournalBackupLayout.@Nullable End base) {
    if (all.length == 0) {
      throw cutOff();
    }
    data.put(0, state.encode(), 0, JournalState.SIZE);
    out.section(JournalBackupLayout.STATE, 0, 0, JournalState.SIZE);
    JournalBackupLayout.End reached = base == null ? copyAll() : copySince(base);
    if (source.cuts() != cuts) {
      throw cutOff();
    }
    reached.put(data);
    out.finish(reached.nextSequence(), first);
  }

  private BackupException cutOff() {
    return new BackupException(
        "The backup of "
            + source.location()
            + " was given up, since records were cut off the end of the journal meanwhile:"
            + " repeat it.");
  }

  private JournalBackupLayout.End copyAll() {
    boolean any = false;
    for (int i = Math.max(0, Segments.find(all, first)); i <= last; i++) {
      if (!copy(i, SegmentLayout.START, all[i].firstSequence(), all[i].header().chain())) {
        first = Math.max(first, Math.min(end, source.first()));
        any = false;
      } else {
        any = true;
      }
    }
    if (!any) {
      throw new BackupException(
          "The backup of "
              + source.location()
              + " was given up: records were released before they were copied. Write it to a"
              + " faster place, without a rate that is too low, or retain more.");
    }
    return reached(all[last]);
  }

  private JournalBackupLayout.End copySince(JournalBackupLayout.End base) {
    Segment begin = start(all, base);
    if (begin == null) {
      throw gap(base.nextSequence());
    }
    JournalBackupLayout.End reached = base;
    for (int i = 0; i <= last; i++) {
      Segment segment = all[i];
      if (segment.ordinal() < begin.ordinal()) {
        continue;
      }
      boolean continued = segment.ordinal() == base.ordinal();
      long from = continued ? base.offset() : SegmentLayout.START;
      long next = continued ? base.nextSequence() : segment.firstSequence();
      if (!copy(i, from, next, continued ? base.chain() : segment.header().chain())) {
        throw gap(base.nextSequence());
      }
      reached = reached(segment);
    }
    return reached;
  }

  private BackupException gap(long from) {
    return new BackupException(
        "Records of "
            + source.location()
            + " from "
            + from
            + " on were released or cut off before they were copied: take a full backup, more"
            + " often, or retain more.");
  }

  private JournalBackupLayout.End reached(Segment segment) {
    return new JournalBackupLayout.End(sequence, segment.ordinal(), offset, chain);
  }

  /** Copies the records of a segment from some place on; false if it was released. */
  private boolean copy(int index, long from, long next, int previous) {
    Segment segment = all[index];
    if (!segment.pin()) {
      source.check(); // a close lets go of all
      return false;
    }
    try {
      offset = from;
      sequence = next;
      chain = previous;
      data.put(0, segment.header().encode(JournalLayout.MAGIC), 0, SegmentLayout.HEADER_SIZE);
      out.section(JournalBackupLayout.SEGMENT, segment.ordinal(), 0, SegmentLayout.HEADER_SIZE);
      copyRecords(segment, index < last ? all[index + 1].firstSequence() : end, index < last);
      MappedFaults.arrive();
      return true;
    } catch (IllegalStateException e) {
      source.check(); // a close unmaps the memory
      throw e;
    } catch (InternalError e) {
      throw segment.unreadable(offset);
    } finally {
      segment.unpin();
    }
  }

  private void copyRecords(Segment segment, long until, boolean whole) {
    ByteBuffer bytes = segment.view();
    RecordScanner records = new RecordScanner(bytes, segment.header());
    long copied = offset;
    while (sequence < until) {
      if (!records.follows(offset, sequence, chain) || records.has(RecordLayout.END)) {
        if (source.cuts() != cuts) {
          return; // the end of the copy says so
        }
        throw CorruptException.journal(
            segment.path(), offset, "record " + sequence + " does not validate");
      }
      chain = records.checksum();
      offset = records.next();
      sequence++;
      if (offset - copied >= PIECE) {
        copied = write(segment, bytes, copied, offset);
      }
    }
    long mark = offset;
    if (whole && records.follows(offset, sequence, chain) && records.has(RecordLayout.END)) {
      mark = records.next();
    }
    write(segment, bytes, copied, mark);
  }

  private long write(Segment segment, ByteBuffer bytes, long from, long to) {
    for (long at = from; at < to; ) {
      int length = (int) Math.min(PIECE, to - at);
      data.put(0, bytes, (int) at, length);
      out.section(JournalBackupLayout.BYTES, segment.ordinal(), at, length);
      at += length;
      pace.await(out.size(), () -> {});
      progress.update("records", end == first ? 1 : part());
    }
    return to;
  }

  private double part() {
    return Math.clamp((double) (sequence - first) / (end - first), 0, 1);
  }
}
