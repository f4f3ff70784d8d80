package io.everheap.journal;

import io.everheap.error.CorruptException;
import io.everheap.error.ForeignException;
import io.everheap.error.MediumException;
import io.everheap.log.LogSeed;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds the segments of a journal and its end. Writes nothing. An instance reads once, in one
 * thread.
 *
 * <p>Each segment names the one before it, so the segments are found from the newest one back.
 * Records are read only from where the newest header says that everything before was durable: two
 * segments or three, whatever the size of the journal. There, the first record that does not
 * validate is the end, unless something proves that it had been durable: see {@link TailCheck}.
 *
 * <p>Another process may be appending meanwhile. So after a proof was found, the record is
 * validated again: it was stored before the proof, and if it validates now, it was being stored at
 * the first attempt. The same holds for a segment's header and the records behind it.
 */
final class JournalRecovery {
  /**
   * The result.
   *
   * @param live the segments of the journal, oldest first; the last one ends at the journal's end
   * @param unused files of segments that the journal does not need
   * @param scanned how many segments at the end of the list were read and may not be durable
   * @param nextSequence behind the last record
   * @param chain crc of the last record
   * @param time of the last record or segment, in milliseconds since 1970; 0 if there is none
   * @param highestOrdinal of all files
   * @param highestEpoch of all segments
   * @param tornBytes of records that were not complete
   * @param damage what is behind the last record, if that is not the end of the journal; only when
   *     watching
   */
  record Found(
      List<Segment> live,
      List<String> unused,
      int scanned,
      long nextSequence,
      int chain,
      long time,
      long highestOrdinal,
      long highestEpoch,
      long tornBytes,
      @Nullable CorruptException damage) {}

  private final Medium medium;
  private final JournalState state;
  private final ReplicaFile replica;
  private final boolean watching;
  private final boolean findsDamage;
  private final Map<Long, SegmentHeader> headers = new TreeMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<Segment> live = new ArrayList<>();
  private long highestOrdinal;
  private long highestEpoch;
  private int scanFrom;
  private long end;
  private int chain;
  private long time;
  private long torn;
  private @Nullable CorruptException damage;

  private JournalRecovery(
      Medium medium, JournalState state, boolean watching, boolean findsDamage) {
    this.medium = medium;
    this.state = state;
    this.replica = ReplicaFile.read(medium);
    this.watching = watching;
    this.findsDamage = findsDamage;
  }

  /** Reads a journal, and throws if it is damaged. */
  static Found read(Medium medium, JournalState state) {
    return new JournalRecovery(medium, state, false, true).result();
  }

  /**
   * Reads a journal that another process may be changing, up to the damage if there is any. Throws
   * if the segments cannot be found, which a concurrent change can cause.
   *
   * @param findsDamage whether to look for damage in the newest segment as well, which takes longer
   */
  static Found watch(Medium medium, JournalState state, boolean findsDamage) {
    return new JournalRecovery(medium, state, true, findsDamage).result();
  }

  private void readHeaders() {
    highestOrdinal = state.epochOrdinal();
    highestEpoch = state.epoch();
    for (String name : medium.list("")) {
      if (!SegmentLayout.isSegment(name)) {
        continue;
      }
      long ordinal = SegmentLayout.number(name);
      highestOrdinal = Math.max(highestOrdinal, ordinal);
      SegmentHeader header;
      try {
        header = header(medium, state.uuid(), name);
      } catch (MediumException e) {
        rethrowUnlessGone(name, e);
        continue;
      }
      names.add(name);
      if (header != null) {
        headers.put(ordinal, header);
        highestEpoch = Math.max(highestEpoch, header.epoch());
      }
    }
  }

  /**
   * Rethrows unless a process that only reads lost the file to a concurrent rename or deletion;
   * then the file is not needed.
   */
  private void rethrowUnlessGone(String name, MediumException e) {
    if (!medium.readOnly() || medium.exists(name)) {
      throw e;
    }
  }

  /** The header of a file, if that is a segment of the journal. */
  static @Nullable SegmentHeader header(Medium medium, UUID journal, String name) {
    long size;
    SegmentHeader header;
    try (MediumFile file = medium.open(name)) {
      size = file.size();
      header = SegmentHeader.read(file, JournalLayout.MAGIC);
    }
    if (header == null || !header.uuid().equals(journal)) {
      return null;
    }
    if (header.version() != JournalLayout.FORMAT_VERSION) {
      throw ForeignException.version(
          medium.location() + "/" + name, header.version(), JournalLayout.FORMAT_VERSION);
    }
    return JournalLayout.plausible(header, name, size) ? header : null;
  }

  private void findLive() {
    long newest = headers.keySet().stream().max(Long::compare).orElse(0L);
    if (state.begun() && state.epochOrdinal() >= state.firstOrdinal() && state.epoch() > 0) {
      SegmentHeader first = headers.get(state.epochOrdinal());
      if (first == null || first.epoch() != state.epoch()) {
        throw missing(state.epochOrdinal(), "the header that begins epoch " + state.epoch());
      }
    }
    long ordinal = newest;
    long firstSequence = Long.MAX_VALUE;
    while (ordinal >= state.firstOrdinal() && ordinal > 0) {
      SegmentHeader header = headers.get(ordinal);
      if (header == null) {
        throw missing(ordinal, "the segment before record " + firstSequence);
      }
      if (header.first() > firstSequence) {
        throw CorruptException.journal(
            path(ordinal), SegmentLayout.FIRST, "it begins behind the next segment");
      }
      Segment segment = new Segment(medium, header);
      if (firstSequence != Long.MAX_VALUE) {
        segment.end(firstSequence, Segment.OPEN);
      }
      firstSequence = header.first();
      live.add(segment);
      ordinal = header.previous();
    }
    Collections.reverse(live);
    if (live.isEmpty()
        ? state.endSequence() > state.firstSequence()
        : firstSequence > state.firstSequence()) {
      throw missing(state.firstOrdinal(), "the segment with record " + state.firstSequence());
    }
    if (findsDamage) {
      requireNoRecordsBehind(newest);
    }
  }

  /** A segment whose header does not validate must not have records: it had a header before. */
  private void requireNoRecordsBehind(long newest) {
    for (String name : names) {
      long ordinal = SegmentLayout.number(name);
      try {
        if (ordinal > newest
            && hasRecords(name, ordinal)
            && header(medium, state.uuid(), name) == null) { // still invalid
          found(
              CorruptException.journal(
                  path(ordinal), 0, "its header does not validate, and records stand behind it"));
        }
      } catch (MediumException e) {
        rethrowUnlessGone(name, e);
      }
    }
  }

  private void found(CorruptException what) {
    if (!watching) {
      throw what;
    }
    damage = what;
  }

  private boolean hasRecords(String name, long ordinal) {
    try (MediumFile file = medium.open(name)) {
      long size = Math.min(file.size(), JournalLayout.MAX_LARGE);
      if (size < SegmentLayout.START + RecordLayout.HEADER) {
        return false;
      }
      try (Region region = file.map(Mapping.READ, 0, size)) {
        return hasRecords(region.view().order(ByteOrder.LITTLE_ENDIAN), ordinal);
      }
    }
  }

  private boolean hasRecords(ByteBuffer b, long ordinal) {
    for (long epoch : new long[] {highestEpoch, live.isEmpty() ? 0 : last().header().epoch()}) {
      long key = LogSeed.key(state.uuid(), epoch);
      RecordScanner scanner = new RecordScanner(b, key, ordinal, JournalLayout.FILE_ALIGNMENT);
      if (scanner.at(SegmentLayout.START, b.getInt(SegmentLayout.START + RecordLayout.SEQUENCE))) {
        return true;
      }
    }
    return false;
  }

  private void findEnd() {
    if (live.isEmpty()) {
      end = state.endSequence();
      return;
    }
    scanFrom = live.size() - 1;
    long durable = RecordLayout.ordinal(last().header().durable());
    while (scanFrom > 0
        && live.get(scanFrom).ordinal() > durable
        && live.get(scanFrom - 1).header().epoch() == last().header().epoch()) {
      scanFrom--;
    }
    for (int i = scanFrom; i < live.size(); i++) {
      if (!scan(i)) {
        break;
      }
    }
  }

  /** Reads a segment; returns whether the journal continues in the next one. */
  private boolean scan(int index) {
    Segment segment = live.get(index);
    SegmentHeader header = segment.header();
    boolean newest = index == live.size() - 1;
    if (!segment.pin()) {
      throw new IllegalStateException(segment + " was released");
    }
    try {
      ByteBuffer bytes = segment.view();
      RecordScanner scanner = new RecordScanner(bytes, header);
      long offset = SegmentLayout.START;
      long sequence = header.first();
      int crc = header.chain();
      long goodOffset = offset;
      end = sequence;
      chain = crc;
      time = Math.max(time, header.time());
      boolean ended = false;
      CorruptException proven;
      do {
        while (!ended && scanner.follows(offset, sequence, crc)) {
          if (scanner.has(RecordLayout.END)) {
            if (!newest && continuesIn(index + 1, sequence, scanner.checksum())) {
              segment.end(end, goodOffset);
              return true;
            }
            ended = true;
            break;
          }
          crc = scanner.checksum();
          time = Math.max(time, scanner.time(offset));
          offset = scanner.next();
          sequence++;
          if (scanner.has(RecordLayout.LAST)) {
            goodOffset = offset;
            end = sequence;
            chain = crc;
          }
        }
        proven = findsDamage || !newest ? proofOfDamage(index, scanner, offset, sequence) : null;
        if (proven != null) {
          segment.reload(offset, header.size());
        }
      } while (proven != null && !ended && scanner.follows(offset, sequence, crc));
      if (proven != null) {
        found(proven);
      }
      torn = offset - goodOffset;
      if (scanner.plausible(offset, sequence) && !scanner.has(RecordLayout.END)) {
        torn += scanner.length();
      }
      segment.end(end, goodOffset);
      live.subList(index + 1, live.size()).clear();
      return false;
    } finally {
      segment.unpin();
    }
  }

  /** Looks for a proof that the record at an offset had been durable; null if there is none. */
  private @Nullable CorruptException proofOfDamage(
      int index, RecordScanner scanner, long offset, long sequence) {
    try {
      new TailCheck(state, replica, live.get(index), scanner, offset, sequence)
          .check(end, live.subList(index + 1, live.size()));
      return null;
    } catch (CorruptException e) {
      if (e.kind() != CorruptException.Kind.JOURNAL) {
        throw e;
      }
      VarHandle.loadLoadFence(); // the record is validated again after the proof was read
      return e;
    }
  }

  private boolean continuesIn(int index, long sequence, int crc) {
    SegmentHeader next = live.get(index).header();
    return next.first() == sequence && next.chain() == crc;
  }

  private Found result() {
    readHeaders();
    findLive();
    findEnd();
    List<Segment> kept = new ArrayList<>(live);
    List<String> unused = new ArrayList<>(names);
    kept.forEach(segment -> unused.remove(segment.name()));
    return new Found(
        kept,
        unused,
        Math.max(0, kept.size() - scanFrom),
        end,
        chain,
        time,
        highestOrdinal,
        highestEpoch,
        torn,
        damage);
  }

  private Segment last() {
    return live.getLast();
  }

  private String path(long ordinal) {
    return medium.location() + "/" + SegmentLayout.name(ordinal);
  }

  private CorruptException missing(long ordinal, String what) {
    return CorruptException.journal(path(ordinal), 0, what + " is missing");
  }
}
