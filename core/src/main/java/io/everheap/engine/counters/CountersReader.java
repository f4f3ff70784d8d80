package io.everheap.engine.counters;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.error.CorruptException;
import io.everheap.error.ForeignException;
import io.everheap.memory.FileMedium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.ProcessMark;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads the counters of a heap that another process has open. It takes no lock, opens no other file
 * of the heap, and reads one file of 8 KiB, so it disturbs nothing. Stateless.
 */
public final class CountersReader {
  private static final int ATTEMPTS = 100;
  private static final int HEADER = CountersLayout.PROCESS;

  private CountersReader() {}

  /**
   * Reads the two newest publications.
   *
   * @param directory of the heap
   * @return empty if there is no file of counters
   * @throws io.everheap.error.MissingException if there is no such directory
   * @throws CorruptException if the file is none of counters
   * @throws ForeignException if it is of another version
   */
  public static Optional<HeapCounters> read(Path directory) {
    try (FileMedium medium = FileMedium.watch(directory)) {
      if (!medium.exists(CountersLayout.NAME)) {
        return Optional.empty();
      }
      try (MediumFile file = medium.open(CountersLayout.NAME)) {
        return read(medium.location() + "/" + CountersLayout.NAME, file);
      }
    }
  }

  private static Optional<HeapCounters> read(String location, MediumFile file) {
    for (int i = 0; i < ATTEMPTS; i++) {
      long number = bytes(location, file, 0, HEADER).getLong(CountersLayout.PUBLISHED);
      ByteBuffer all = bytes(location, file, 0, CountersLayout.SIZE);
      check(location, all);
      ByteBuffer after = bytes(location, file, 0, HEADER);
      if (number < 1) {
        throw CorruptException.heap(location + " has an impossible number of counters");
      }
      // One more slot than were published meanwhile may have been written.
      if (after.getLong(CountersLayout.PUBLISHED) - number < CountersLayout.SLOTS - 2) {
        return Optional.of(decode(all, number, after.getLong(CountersLayout.STATE)));
      }
    }
    throw CorruptException.heap(location + " changes faster than it can be read");
  }

  private static HeapCounters decode(ByteBuffer all, long number, long state) {
    String process = text(all, CountersLayout.PROCESS + 4, all.getInt(CountersLayout.PROCESS));
    return new HeapCounters(
        new UUID(all.getLong(CountersLayout.UUID_HIGH), all.getLong(CountersLayout.UUID_LOW)),
        ProcessMark.pid(process).orElse(-1),
        state(state, process),
        number,
        sample(all, number),
        number > 1 ? Optional.of(sample(all, number - 1)) : Optional.empty());
  }

  private static HeapCounters.State state(long state, String process) {
    if (state == CountersLayout.CLOSED) {
      return HeapCounters.State.CLOSED;
    }
    if (!ProcessMark.runs(process)) {
      return HeapCounters.State.STALE;
    }
    return state == CountersLayout.OPEN ? HeapCounters.State.OPEN : HeapCounters.State.POISONED;
  }

  private static HeapCounters.Sample sample(ByteBuffer all, long number) {
    int slots = all.getInt(CountersLayout.SLOT_COUNT);
    int size = all.getInt(CountersLayout.SLOT_SIZE);
    int at = all.getInt(CountersLayout.SLOTS_AT) + (int) (number % slots) * size;
    Map<String, Long> values = new LinkedHashMap<>();
    for (int i = 0; i < all.getInt(CountersLayout.COUNT); i++) {
      int label = all.getInt(CountersLayout.LABELS_AT) + i * CountersLayout.LABEL_SIZE;
      values.put(
          text(all, label + CountersLayout.LABEL_NAME, all.getShort(label + 2)),
          all.getLong(at + CountersLayout.VALUES + 8 * i));
    }
    return new HeapCounters.Sample(
        all.getLong(at + CountersLayout.NANOS), all.getLong(at + CountersLayout.MILLIS), values);
  }

  private static String text(ByteBuffer all, int at, int length) {
    return UTF_8.decode(all.slice(at, length)).toString();
  }

  /** Checks all that {@link #decode} relies on: another program may have written the file. */
  private static void check(String location, ByteBuffer all) {
    if (all.getLong(0) != CountersLayout.MAGIC) {
      throw CorruptException.heap(location + " is no file of counters");
    }
    int version = all.getInt(CountersLayout.VERSION);
    if (version != CountersLayout.FORMAT_VERSION) {
      throw ForeignException.version(location, version, CountersLayout.FORMAT_VERSION);
    }
    long count = all.getInt(CountersLayout.COUNT);
    long labels = all.getInt(CountersLayout.LABELS_AT);
    long slots = all.getInt(CountersLayout.SLOT_COUNT);
    long size = all.getInt(CountersLayout.SLOT_SIZE);
    long at = all.getInt(CountersLayout.SLOTS_AT);
    int process = all.getInt(CountersLayout.PROCESS);
    boolean sound =
        count >= 0
            && count <= CountersLayout.SIZE / CountersLayout.LABEL_SIZE
            && labels >= HEADER
            && labels + count * CountersLayout.LABEL_SIZE <= CountersLayout.SIZE
            && slots == CountersLayout.SLOTS
            && size >= CountersLayout.slotSize((int) count)
            && at >= HEADER
            && at + slots * size <= CountersLayout.SIZE
            && process >= 0
            && process <= CountersLayout.LABELS - CountersLayout.PROCESS - 4;
    for (int i = 0; sound && i < count; i++) {
      int length = all.getShort((int) labels + i * CountersLayout.LABEL_SIZE + 2);
      sound = length >= 0 && length <= CountersLayout.LABEL_SIZE - CountersLayout.LABEL_NAME;
    }
    if (!sound) {
      throw CorruptException.heap(location + " has impossible sizes in its header");
    }
  }

  private static ByteBuffer bytes(String location, MediumFile file, long at, int length) {
    ByteBuffer target = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    if (file.read(target, at) < length) {
      throw CorruptException.heap(location + " is too short for counters");
    }
    return target;
  }
}
