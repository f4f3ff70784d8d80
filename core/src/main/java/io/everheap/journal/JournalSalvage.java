package io.everheap.journal;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.MediumException;
import io.everheap.log.LogSeed;
import io.everheap.log.SegmentHeader;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import io.everheap.stability.Stable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Copies what is left of a damaged journal into a new one. All files are searched for records that
 * validate, whatever else is damaged; the new journal begins with the sequence of the oldest one,
 * and keeps the sequences up to the first gap. Records keep their times, and those of a batch stay
 * together.
 *
 * <p>If the header of the first segment behind a {@link Journal#truncateAfter} is damaged, nothing
 * that is stored tells the records that the cut took away from those that are lost: they are saved.
 *
 * @param records that were saved
 * @param firstSequence of the oldest one
 * @param lost what is missing between those that were saved, as ranges of sequences of the damaged
 *     journal
 * @param broken records that were saved though others of their batch are lost
 * @param unfinished records at the end that were not saved: the rest of their batch is not there,
 *     and nothing tells that it ever was
 * @since 0.9
 */
@Stable
public record JournalSalvage(
    long records, long firstSequence, List<Lost> lost, List<Lost> broken, List<Lost> unfinished) {
  /**
   * A range of records.
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
  record Place(long ordinal, int offset, int length, int flags, long time) {
    boolean has(int flag) {
      return (flags & flag) != 0;
    }

    Place with(int flag) {
      return new Place(ordinal, offset, length, flags | flag, time);
    }
  }

  /** What was found, and up to where the journal once said that it has all records. */
  private record Found(TreeMap<Long, Place> places, long end) {}

  /** Copies the lists. */
  public JournalSalvage {
    lost = List.copyOf(lost);
    broken = List.copyOf(broken);
    unfinished = List.copyOf(unfinished);
  }

  /**
   * Saves a journal.
   *
   * @param damaged its directory, of which nothing is changed; nothing may append meanwhile
   * @param target the directory of the new journal, where there must be none
   * @param progress is told how many bytes of how many were read
   * @return what was saved and what is missing
   * @throws IllegalArgumentException if there is a journal at the target; then that is not touched
   * @throws io.everheap.error.EverheapException if a directory cannot be read or written
   */
  public static JournalSalvage copy(Path damaged, Path target, BiConsumer<Long, Long> progress) {
    return save(damaged, target, null, progress);
  }

  /**
   * Saves an encrypted journal into another encrypted one; what is not authentic is not saved.
   *
   * @param damaged its directory, of which nothing is changed; nothing may append meanwhile
   * @param target the directory of the new journal, where there must be none
   * @param keys gives the wrapping key of both; the new one has another data key
   * @param progress is told how many bytes of how many were read
   * @return what was saved and what is missing
   * @throws IllegalArgumentException if there is a journal at the target; then that is not touched
   * @throws io.everheap.error.EncryptionException if the key is another one, or the journal is not
   *     encrypted
   * @throws io.everheap.error.EverheapException if a directory cannot be read or written
   */
  public static JournalSalvage copy(
      Path damaged, Path target, KeyProvider keys, BiConsumer<Long, Long> progress) {
    return save(damaged, target, Objects.requireNonNull(keys, "keys"), progress);
  }

  private static JournalSalvage save(
      Path damaged, Path target, @Nullable KeyProvider keys, BiConsumer<Long, Long> progress) {
    requireNoJournal(target);
    try (Medium medium = Sealing.forReading(JournalBuilder.watch(damaged), keys, Sealing.ZEROS)) {
      Found found = find(medium, progress);
      TreeMap<Long, Place> places = found.places();
      List<Lost> unfinished = removeUnfinished(places, found.end());
      try (JournalSaver saver = new JournalSaver(medium, target, keys, places)) {
        saver.save();
        return new JournalSalvage(
            places.size(), saver.first(), saver.lost(), saver.broken(), unfinished);
      }
    }
  }

  private static void requireNoJournal(Path target) {
    try (Stream<Path> files = Files.list(target)) {
      if (files
          .map(file -> file.getFileName().toString())
          .anyMatch(name -> name.equals(StateFile.NAME) || SegmentLayout.isSegment(name))) {
        throw new IllegalArgumentException("there is a journal at " + target + " already");
      }
    } catch (NoSuchFileException e) {
      // there is none
    } catch (IOException e) {
      throw new MediumException("cannot list " + target + ": " + e.getMessage(), e);
    }
  }

  /**
   * Removes the records of an unfinished batch at the end. If the journal once said that it
   * continues behind them, the batch was finished, and its end is lost.
   */
  private static List<Lost> removeUnfinished(TreeMap<Long, Place> places, long end) {
    if (places.isEmpty() || places.lastKey() < end) {
      return List.of();
    }
    long behind = places.lastKey() + 1;
    long from = behind;
    while (!places.isEmpty() && !places.lastEntry().getValue().has(RecordLayout.LAST)) {
      Map.Entry<Long, Place> last = places.pollLastEntry();
      from = last.getKey();
      if (last.getValue().has(RecordLayout.FIRST)) {
        break;
      }
    }
    return from == behind ? List.of() : List.of(new Lost(from, behind));
  }

  private static Found find(Medium medium, BiConsumer<Long, Long> progress) {
    List<String> names = medium.list("").stream().filter(SegmentLayout::isSegment).toList();
    Map<Long, SegmentHeader> headers = new TreeMap<>();
    for (String name : names) {
      header(medium, name, headers);
    }
    long releasedBefore = 0;
    long stated = 0;
    UUID uuid;
    try {
      JournalState state = StateFile.read(medium);
      releasedBefore = state.firstSequence();
      stated = state.endSequence();
      uuid = state.uuid();
    } catch (CorruptException e) {
      uuid =
          SegmentHeader.mostFrequentLog(headers.values())
              .orElse(new UUID(0, 0)); // without a state, nothing counts as released
    }
    UUID own = uuid;
    headers.values().removeIf(header -> !header.uuid().equals(own));
    TreeMap<Long, Place> places = new TreeMap<>();
    long done = 0;
    long end = 0;
    for (SegmentHeader header : headers.values()) {
      // A later epoch cuts off what was written before it at and behind its first record.
      boolean begins =
          headers.values().stream()
              .noneMatch(h -> h.epoch() == header.epoch() && h.ordinal() < header.ordinal());
      if (begins) {
        places.tailMap(header.first(), true).clear();
        end = 0;
      }
      end = Math.max(end, header.first());
      // What is there ends here, also where a batch was cut.
      places.computeIfPresent(end - 1, (s, place) -> place.with(RecordLayout.LAST));
      scan(medium, header, places);
      progress.accept(++done, (long) headers.size());
    }
    places.headMap(releasedBefore, false).clear();
    places.computeIfPresent(releasedBefore, (s, place) -> place.with(RecordLayout.FIRST));
    end = Math.max(end, stated);
    places.computeIfPresent(end - 1, (s, place) -> place.with(RecordLayout.LAST));
    return new Found(places, end);
  }

  private static void header(Medium medium, String name, Map<Long, SegmentHeader> headers) {
    try (MediumFile file = medium.open(name)) {
      SegmentHeader header = SegmentHeader.read(file, JournalLayout.MAGIC);
      if (header != null && JournalLayout.plausible(header, name, file.size())) {
        headers.put(header.ordinal(), header);
      }
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
      long sequence = header.first();
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
            new Place(
                header.ordinal(),
                scanner.payload(),
                scanner.length(),
                scanner.flags(),
                scanner.time(offset)));
        offset = scanner.next();
        sequence = likely + 1;
      }
    }
  }
}
