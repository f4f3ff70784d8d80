package io.everheap.journal;

import io.everheap.encryption.KeyProvider;
import io.everheap.journal.JournalSalvage.Lost;
import io.everheap.journal.JournalSalvage.Place;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Closing;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Creates a journal from records that were found in another one. */
final class JournalSaver implements AutoCloseable {
  private final Medium medium;
  private final SortedMap<Long, Place> places;
  private final long first;
  private final long firstTime;
  private final List<Place> batch = new ArrayList<>();
  private final List<Lost> lost = new ArrayList<>();
  private final List<Lost> broken = new ArrayList<>();
  private final Journal journal;
  private long batchStart; // where the batch begins in the new journal
  private @Nullable Region region; // of the segment that records are being copied from
  private long ordinal;

  JournalSaver(
      Medium medium, Path target, @Nullable KeyProvider keys, SortedMap<Long, Place> places) {
    this.medium = medium;
    this.places = places;
    this.first = places.isEmpty() ? 0 : places.firstKey();
    this.firstTime = places.values().stream().findFirst().map(Place::time).orElse(0L);
    JournalBuilder builder =
        Journal.builder(target)
            .firstSequence(first)
            .async(Duration.ofMillis(100))
            .clock((sequence, last) -> time(sequence));
    if (places.values().stream().anyMatch(place -> place.has(RecordLayout.TIME))) {
      builder.timestamps();
    }
    if (keys != null) {
      builder.encrypt(keys);
    }
    this.journal = builder.open();
  }

  /** The time of the record that gets a sequence in the new journal. */
  private long time(long sequence) {
    if (batch.isEmpty()) {
      return firstTime;
    }
    return batch.get((int) (sequence - batchStart)).time();
  }

  long first() {
    return first;
  }

  /** What is missing between the records. */
  List<Lost> lost() {
    return lost;
  }

  /** What is left of batches that are not whole. */
  List<Lost> broken() {
    return broken;
  }

  /** Appends the records: batches that are whole as such, others one by one. */
  void save() {
    long expected = first;
    for (Map.Entry<Long, Place> entry : places.entrySet()) {
      long sequence = entry.getKey();
      Place place = entry.getValue();
      if (sequence > expected || place.has(RecordLayout.FIRST)) {
        appendBroken(expected);
      }
      if (sequence > expected) {
        lost.add(new Lost(expected, sequence));
      }
      batch.add(place);
      expected = sequence + 1;
      if (place.has(RecordLayout.LAST)) {
        if (batch.getFirst().has(RecordLayout.FIRST)) {
          append();
        } else {
          appendBroken(expected);
        }
      }
    }
    appendBroken(expected);
    journal.force();
  }

  private void appendBroken(long end) {
    if (!batch.isEmpty()) {
      broken.add(new Lost(end - batch.size(), end));
      List<Place> all = List.copyOf(batch);
      for (Place place : all) {
        batch.clear();
        batch.add(place);
        append();
      }
    }
  }

  private void append() {
    batchStart = journal.nextSequence();
    journal.appendAll(batch.stream().map(this::read).toArray(MemorySegment[]::new));
    batch.clear();
  }

  /** The bytes of a record; those of a batch are in one segment. */
  private MemorySegment read(Place place) {
    Region present = region;
    if (present == null || ordinal != place.ordinal()) {
      unmap();
      try (MediumFile file = medium.open(SegmentLayout.name(place.ordinal()))) {
        present = file.map(Mapping.READ, 0, Math.min(file.size(), JournalLayout.MAX_LARGE));
      }
      region = present;
      ordinal = place.ordinal();
    }
    return present.segment().asSlice(place.offset(), place.length());
  }

  private void unmap() {
    Region present = region;
    region = null;
    if (present != null) {
      present.close();
    }
  }

  @Override
  public void close() {
    new Closing().then(this::unmap).then(journal::close).end();
  }
}
