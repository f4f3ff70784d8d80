package io.everheap.engine.log;

import io.everheap.error.EverheapException;
import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A log that keeps what is appended, decoded, and becomes durable when the test says so. It counts
 * LSNs from {@link #START}, so that no LSN is a plausible size.
 */
public final class KeptLog extends Log {
  /** The LSN of the first record. */
  public static final long START = 1 << 20;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** An entry: consecutive words (stride 8), or one value at several addresses. */
  public record Entry(boolean fill, long address, long stride, List<Long> words) {
    /** A run of words. */
    public static Entry run(long address, Long... words) {
      return new Entry(false, address, 8, List.of(words));
    }

    /** A fill. */
    public static Entry fill(long address, long stride, int times, long value) {
      return new Entry(true, address, stride, java.util.Collections.nCopies(times, value));
    }
  }

  /** A part: its size with the header, the size that was reserved for it, and its entries. */
  public record Part(int size, int reserved, boolean more, List<Entry> entries) {}

  /** All parts. */
  public final List<Part> parts = new ArrayList<>();

  /** The arguments of {@link #reserve}. */
  public final List<Long> reserved = new ArrayList<>();

  /** The LSNs for which threads waited. */
  public final List<Long> awaited = new ArrayList<>();

  /** Whether appended parts are durable at once. */
  public volatile boolean immediate = true;

  /** Thrown by the next {@link #reserve}. */
  public @Nullable RuntimeException refusal;

  /** Thrown by each part instead of sealing it. */
  public @Nullable RuntimeException failure;

  private final List<Consumer<@Nullable EverheapException>> waiting = new ArrayList<>();
  private final Region region = Region.allocate(PartLayout.MAX_PART);
  private long lsn = START;
  private volatile long durable = START;
  private int place;

  /** Creates an empty log. */
  public KeptLog() {
    super(new PartSealer(5, 0));
  }

  @Override
  int place(int bytes) {
    place = bytes;
    return (int) PartLayout.align(bytes);
  }

  @Override
  long seal(int length, int flags) {
    RuntimeException thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
    int padded = (int) PartLayout.align(length);
    sealer.seal(region, 0, length, padded, flags, lsn);
    List<Entry> entries = new ArrayList<>();
    boolean wellFormed =
        EntryReader.read(
            region.segment(),
            0,
            padded,
            new EntrySink() {
              @Override
              public void run(long address, MemorySegment source, long offset, int words) {
                List<Long> values = new ArrayList<>();
                for (int i = 0; i < words; i++) {
                  values.add(source.get(LONG, offset + 8L * i));
                }
                entries.add(new Entry(false, address, 8, values));
              }

              @Override
              public void fill(long address, long stride, long times, long value) {
                entries.add(Entry.fill(address, stride, Math.toIntExact(times), value));
              }
            });
    if (!wellFormed) {
      throw new AssertionError("entries that are not well-formed");
    }
    parts.add(new Part(length, place, (flags & PartLayout.MORE) != 0, entries));
    lsn += padded;
    if (immediate) {
      durable = lsn;
    }
    return lsn;
  }

  /** The entries of all parts. */
  public List<Entry> entries() {
    return parts.stream().flatMap(part -> part.entries().stream()).toList();
  }

  /** Forgets the parts. */
  public void clear() {
    parts.clear();
    reserved.clear();
    awaited.clear();
  }

  /** Makes everything durable, or reports a failure to those that wait. */
  public void sync(@Nullable EverheapException outcome) {
    if (outcome == null) {
      durable = lsn;
    }
    List<Consumer<@Nullable EverheapException>> actions;
    synchronized (waiting) {
      actions = List.copyOf(waiting);
      waiting.clear();
    }
    actions.forEach(action -> action.accept(outcome));
  }

  /** How many actions wait. */
  public int waiting() {
    synchronized (waiting) {
      return waiting.size();
    }
  }

  @Override
  public boolean prepare() {
    return true;
  }

  @Override
  public void begin() {}

  @Override
  public void recycleOld() {}

  @Override
  public void reserve(long bytes) {
    reserved.add(bytes);
    RuntimeException thrown = refusal;
    if (thrown != null) {
      refusal = null;
      throw thrown;
    }
  }

  @Override
  public long appended() {
    return lsn;
  }

  @Override
  public long durable() {
    return durable;
  }

  @Override
  public void awaitDurable(long until) {
    awaited.add(until);
    durable = Math.max(durable, until);
  }

  @Override
  public void whenDurable(long until, Consumer<@Nullable EverheapException> action) {
    if (durable >= until) {
      action.accept(null);
    } else {
      synchronized (waiting) {
        waiting.add(action);
      }
    }
  }

  @Override
  public void poison(Throwable cause) {}

  @Override
  public @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public long used() {
    return lsn - START;
  }

  @Override
  public long limit() {
    return Long.MAX_VALUE;
  }

  @Override
  public void close() {
    region.close();
  }
}
