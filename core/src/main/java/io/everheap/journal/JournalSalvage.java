package io.everheap.journal;

import io.everheap.error.CorruptJournalException;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import io.everheap.memory.log.LogSeed;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies what is left of a damaged journal into a new one. Every record that validates is looked
 * for in every file, whatever else is damaged; the new journal begins with the sequence of the
 * oldest one, and keeps the sequences up to the first gap.
 *
 * @param records that were saved
 * @param firstSequence of the oldest one
 * @param lost what is missing between those that were saved, as ranges of sequences of the damaged
 *     journal
 */
public record JournalSalvage(long records, long firstSequence, List<Lost> lost) {
  /**
   * Records that are missing.
   *
   * @param from sequence of the first
   * @param to sequence behind the last
   */
  public record Lost(long from, long to) {
    @Override
    public String toString() {
      return from + " to " + (to - 1);
    }
  }

  /** Where a record that validates is. */
  private record Place(long ordinal, int offset, int length, long epoch) {}

  /** Copies the list. */
  public JournalSalvage {
    lost = List.copyOf(lost);
  }

  /**
   * Saves a journal.
   *
   * @param damaged its directory, of which nothing is changed; nobody may be appending
   * @param target the directory of the new journal, where there must be none
   * @param progress is told how many bytes of how many were read
   * @return what was saved and what is missing
   * @throws IllegalArgumentException if there is a journal at the target
   * @throws io.everheap.error.EverheapException if a directory cannot be read or written
   */
  public static JournalSalvage copy(Path damaged, Path target, BiConsumer<Long, Long> progress) {
    try (Medium medium = JournalBuilder.watch(damaged)) {
      TreeMap<Long, Place> places = find(medium, progress);
      long first = places.isEmpty() ? 0 : places.firstKey();
      List<Lost> lost = new ArrayList<>();
      long expected = first;
      try (Journal journal =
          Journal.builder(target).firstSequence(first).async(Duration.ofMillis(100)).open()) {
        if (journal.nextSequence() != first || journal.info().segments() > 1) {
          throw new IllegalArgumentException("there is a journal at " + target + " already");
        }
        try (Source source = new Source(medium)) {
          for (Map.Entry<Long, Place> entry : places.entrySet()) {
            if (entry.getKey() > expected) {
              lost.add(new Lost(expected, entry.getKey()));
            }
            expected = entry.getKey() + 1;
            journal.append(source.read(entry.getValue()));
          }
        }
        journal.force();
      }
      return new JournalSalvage(places.size(), first, lost);
    }
  }

  /** The segment that records are just copied from. */
  private static final class Source implements AutoCloseable {
    private final Medium medium;
    private @Nullable Region region;
    private long ordinal;

    Source(Medium medium) {
      this.medium = medium;
    }

    MemorySegment read(Place place) {
      Region present = region;
      if (present == null || ordinal != place.ordinal()) {
        close();
        try (MediumFile file = medium.open(SegmentLayout.name(place.ordinal()))) {
          present = file.map(Mapping.READ, 0, Math.min(file.size(), SegmentLayout.MAX_LARGE));
        }
        region = present;
        ordinal = place.ordinal();
      }
      return present.segment().asSlice(place.offset(), place.length());
    }

    @Override
    public void close() {
      Region present = region;
      region = null;
      if (present != null) {
        present.close();
      }
    }
  }

  private static TreeMap<Long, Place> find(Medium medium, BiConsumer<Long, Long> progress) {
    List<String> names = medium.list("").stream().filter(SegmentLayout::isSegment).toList();
    Map<Long, SegmentHeader> headers = new TreeMap<>();
    for (String name : names) {
      header(medium, name, headers);
    }
    long releasedBefore = 0;
    UUID uuid;
    try {
      JournalState state = StateFile.read(medium);
      releasedBefore = state.firstSequence();
      uuid = state.uuid();
    } catch (CorruptJournalException e) {
      uuid = mostFrequent(headers.values()); // and all that is found counts
    }
    UUID own = uuid;
    headers.values().removeIf(header -> !header.uuid().equals(own));
    TreeMap<Long, Place> places = new TreeMap<>();
    long done = 0;
    for (SegmentHeader header : headers.values()) {
      // A later epoch cuts off what was written before it at and behind its first record.
      boolean begins =
          headers.values().stream()
              .noneMatch(h -> h.epoch() == header.epoch() && h.ordinal() < header.ordinal());
      if (begins) {
        places.tailMap(header.firstSequence(), true).clear();
      }
      scan(medium, header, places);
      progress.accept(++done, (long) headers.size());
    }
    places.headMap(releasedBefore, false).clear();
    return places;
  }

  private static UUID mostFrequent(Collection<SegmentHeader> headers) {
    Map<UUID, Integer> counts = new HashMap<>();
    headers.forEach(header -> counts.merge(header.uuid(), 1, Integer::sum));
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(new UUID(0, 0));
  }

  private static void header(Medium medium, String name, Map<Long, SegmentHeader> headers) {
    ByteBuffer b = ByteBuffer.allocate(SegmentLayout.HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
    long size;
    try (MediumFile file = medium.open(name)) {
      size = file.size();
      file.read(b, 0);
    }
    SegmentHeader header = SegmentHeader.decode(b);
    if (header != null && header.plausible(SegmentLayout.ordinal(name), size)) {
      headers.put(header.ordinal(), header);
    }
  }

  /** Finds all records of a segment: one after the other, and behind damage at any place. */
  private static void scan(Medium medium, SegmentHeader header, Map<Long, Place> places) {
    try (MediumFile file = medium.open(SegmentLayout.name(header.ordinal()));
        Region region = file.map(Mapping.READ, 0, header.size())) {
      ByteBuffer bytes = region.view().order(ByteOrder.LITTLE_ENDIAN);
      long key = LogSeed.key(header.uuid(), header.epoch());
      RecordScanner scanner = new RecordScanner(bytes, key, header.ordinal(), header.alignment());
      long offset = SegmentLayout.START;
      long sequence = header.firstSequence();
      while (offset + RecordLayout.HEADER <= bytes.limit()) {
        long likely = scanner.likely(offset, RecordLayout.ANY, sequence);
        if (likely < 0 || !scanner.at(offset, likely)) {
          offset += scanner.alignment();
          continue;
        }
        if (scanner.has(RecordLayout.END)) {
          return;
        }
        places.put(
            likely,
            new Place(header.ordinal(), scanner.payload(), scanner.length(), header.epoch()));
        offset = scanner.next();
        sequence = likely + 1;
      }
    }
  }
}
