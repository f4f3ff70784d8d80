package io.everheap.engine.log;

import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The segment files on a medium, with those headers that validate and belong to the heap.
 * Immutable.
 *
 * @param entries all files with a segment's name
 */
record SegmentCatalog(List<Entry> entries) {
  /**
   * A segment file.
   *
   * @param name relative to the heap
   * @param size in bytes
   * @param header null if it does not validate or belongs to another heap
   */
  record Entry(String name, long size, @Nullable SegmentHeader header) {
    boolean of(long epoch) {
      return header != null && header.epoch() == epoch;
    }

    SegmentHeader requireHeader() {
      if (header == null) {
        throw new IllegalStateException(name + " has no header");
      }
      return header;
    }
  }

  /** Names of the segment files, relative to the heap. */
  static List<String> names(Medium medium) {
    List<String> names = new ArrayList<>();
    for (String plain : medium.list(LogLayout.DIRECTORY)) {
      if (SegmentLayout.isSegment(plain)) {
        names.add(LogLayout.DIRECTORY + "/" + plain);
      }
    }
    return names;
  }

  /**
   * Names of the segment files in the order in which they are to be used again: a replica that was
   * away can still get what is overwritten last.
   */
  static List<String> oldestFirst(Medium medium) {
    record Found(String name, long first) {}
    List<Found> found = new ArrayList<>();
    for (String name : names(medium)) {
      try (MediumFile file = medium.open(name)) {
        SegmentHeader header = SegmentHeader.read(file, LogLayout.MAGIC);
        found.add(new Found(name, header == null ? -1 : header.first()));
      }
    }
    found.sort((a, b) -> Long.compare(a.first, b.first));
    List<String> names = new ArrayList<>();
    for (Found segment : found) { // no stream: an opening would load its classes
      names.add(segment.name);
    }
    return names;
  }

  /** The number in the name of a segment file. */
  static long number(String name) {
    return SegmentLayout.number(name.substring(LogLayout.DIRECTORY.length() + 1));
  }

  /** Reads all headers. */
  static SegmentCatalog read(Medium medium, UUID uuid) {
    List<Entry> entries = new ArrayList<>();
    for (String name : names(medium)) {
      try (MediumFile file = medium.open(name)) {
        long size = file.size();
        SegmentHeader header = SegmentHeader.read(file, LogLayout.MAGIC);
        boolean ours =
            header != null && header.uuid().equals(uuid) && LogLayout.plausible(header, size);
        entries.add(new Entry(name, size, ours ? header : null));
      }
    }
    return new SegmentCatalog(entries);
  }

  /** The newest segment of an epoch that starts at or before a LSN. */
  @Nullable Entry covering(long epoch, long lsn) {
    Entry best = null;
    long bestSequence = 0;
    for (Entry entry : entries) {
      SegmentHeader header = entry.header();
      if (header != null
          && header.epoch() == epoch
          && header.first() <= lsn
          && header.ordinal() > bestSequence) {
        best = entry;
        bestSequence = header.ordinal();
      }
    }
    return best;
  }

  /** The segment of an epoch with this sequence. */
  @Nullable Entry find(long epoch, long sequence) {
    for (Entry entry : entries) {
      if (entry.of(epoch) && entry.requireHeader().ordinal() == sequence) {
        return entry;
      }
    }
    return null;
  }

  /** The number of the last segment of an epoch; 0 if there is none. */
  long highestOrdinal(long epoch) {
    return entries.stream()
        .filter(entry -> entry.of(epoch))
        .mapToLong(entry -> entry.requireHeader().ordinal())
        .max()
        .orElse(0);
  }

  /** The epoch that follows another one and is not replaced itself; null if there is none. */
  @Nullable EpochStart epochAfter(EpochStart start) {
    EpochStart next = null;
    for (Entry entry : entries) {
      SegmentHeader header = entry.header();
      if (header != null && header.ordinal() == 1 && header.epoch() > start.epoch()) {
        // Of several that start at the same place only the last one has records.
        if (next == null
            || header.first() < next.lsn()
            || (header.first() == next.lsn() && header.epoch() > next.epoch())) {
          next = new EpochStart(header.epoch(), header.first(), header.chain());
        }
      }
    }
    return next;
  }

  /**
   * The epoch to which a place belongs at which reading starts: the last one that begins at or
   * before it.
   */
  @Nullable EpochStart epochOf(long lsn, int chain) {
    long epoch = 0;
    for (Entry entry : entries) {
      SegmentHeader header = entry.header();
      if (header != null && header.first() <= lsn) {
        epoch = Math.max(epoch, header.epoch());
      }
    }
    return epoch == 0 ? null : new EpochStart(epoch, lsn, chain);
  }

  /** The highest epoch in any header; 0 if there is none. */
  long highestEpoch() {
    long highest = 0;
    for (Entry entry : entries) {
      SegmentHeader header = entry.header();
      if (header != null) {
        highest = Math.max(highest, header.epoch());
      }
    }
    return highest;
  }
}
