package io.everheap.engine.counters;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.memory.ClassesAhead;
import io.everheap.memory.LooseFile;
import io.everheap.memory.Medium;
import io.everheap.memory.ProcessMark;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Publishes counters in the file {@value CountersLayout#NAME}. It is made by the first publication,
 * and made again if it was deleted. For one thread at a time.
 */
public final class CountersWriter {
  private final Medium medium;
  private final UUID heap;
  private final ToLongFunction<Counter> values;
  private @Nullable LooseFile file;
  private long published;

  /**
   * Creates no file yet.
   *
   * @param heap its uuid
   * @param values the present values; called by {@link #publish}
   */
  public CountersWriter(Medium medium, UUID heap, ToLongFunction<Counter> values) {
    this.medium = medium;
    this.heap = heap;
    this.values = values;
    // The first publication comes later, from another thread.
    ClassesAhead.load(CountersLayout.class, LooseFile.class, ProcessMark.class);
  }

  /**
   * Publishes the present values.
   *
   * @param state {@link CountersLayout#OPEN} or {@link CountersLayout#POISONED}
   * @throws io.everheap.error.MediumException if the file cannot be made or written
   */
  public void publish(long state) {
    LooseFile to = file;
    if (to == null || !to.exists()) {
      file = medium.loose(CountersLayout.NAME, first(state)); // null: nobody else can reach it
      published = 1;
      return;
    }
    long next = published + 1;
    to.write(slot(), slotAt(next));
    ByteBuffer valid = buffer(16).putLong(state).putLong(next);
    to.write(valid.flip(), CountersLayout.STATE); // after the slot
    published = next;
  }

  /** Says that the heap is closed, and deletes the file. */
  public void close() {
    LooseFile from = file;
    file = null;
    if (from != null) {
      try (from) {
        from.write(buffer(8).putLong(CountersLayout.CLOSED).flip(), CountersLayout.STATE);
      }
    }
  }

  private static long slotAt(long number) {
    int size = CountersLayout.slotSize(Counter.values().length);
    return CountersLayout.FIRST_SLOT + number % CountersLayout.SLOTS * size;
  }

  private ByteBuffer slot() {
    Counter[] counters = Counter.values();
    ByteBuffer slot = buffer(CountersLayout.slotSize(counters.length));
    slot.putLong(System.nanoTime()).putLong(System.currentTimeMillis());
    for (Counter counter : counters) {
      slot.putLong(values.applyAsLong(counter));
    }
    return slot.flip();
  }

  /** The whole file with the first publication. */
  private ByteBuffer first(long state) {
    Counter[] counters = Counter.values();
    ByteBuffer header = buffer(CountersLayout.SIZE);
    header
        .putLong(0, CountersLayout.MAGIC)
        .putInt(CountersLayout.VERSION, CountersLayout.FORMAT_VERSION)
        .putInt(CountersLayout.COUNT, counters.length)
        .putInt(CountersLayout.SLOT_COUNT, CountersLayout.SLOTS)
        .putInt(CountersLayout.SLOT_SIZE, CountersLayout.slotSize(counters.length))
        .putInt(CountersLayout.SLOTS_AT, CountersLayout.FIRST_SLOT)
        .putInt(CountersLayout.LABELS_AT, CountersLayout.LABELS)
        .putLong(CountersLayout.UUID_HIGH, heap.getMostSignificantBits())
        .putLong(CountersLayout.UUID_LOW, heap.getLeastSignificantBits())
        .putLong(CountersLayout.STATE, state)
        .putLong(CountersLayout.PUBLISHED, 1)
        .put((int) slotAt(1), slot().array());
    byte[] process = ProcessMark.here().getBytes(UTF_8);
    int most = CountersLayout.LABELS - CountersLayout.PROCESS - 4;
    int length = Math.min(process.length, most);
    header.putInt(CountersLayout.PROCESS, length);
    header.put(CountersLayout.PROCESS + 4, process, 0, length);
    for (int i = 0; i < counters.length; i++) {
      int at = CountersLayout.LABELS + i * CountersLayout.LABEL_SIZE;
      byte[] name = counters[i].label().getBytes(UTF_8);
      header.put(at, (byte) (counters[i].grows() ? 1 : 2));
      header.putShort(at + 2, (short) name.length);
      header.put(at + CountersLayout.LABEL_NAME, name);
    }
    return header;
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
