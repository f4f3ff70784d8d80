package io.everheap.engine;

import io.everheap.error.FullException;
import io.everheap.memory.BriefLock;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Divides the memory for private pages and rings among the heaps of a process.
 *
 * <p>All heaps without a fixed part have one share: the part of the memory that the process can use
 * ({@link MachineMemory#heapShare}), less the fixed parts of the others. A heap may use what the
 * others do not use at this moment. It is assured the smaller of {@value #ASSURED} bytes and its
 * size; if the share is less than the sum of these, an equal part of it, but {@value #LEAST} bytes
 * at least. Where the share has less for each heap, no further heap is opened.
 *
 * <p>Each class loader has a separate copy of this class, which lists the heaps opened through it.
 * A copy publishes the sums of its heaps to the other copies in a system property, at most every
 * half second. The value is text, because {@code Properties.store} fails for other values.
 *
 * <p>Thread-safe. {@link #lock} guards changes of the list; {@link #limit} takes no lock and
 * allocates nothing, because commits call it. A lock that stayed taken would block all heaps of the
 * process, so a {@code finally} releases it without a call, which a full stack could refuse.
 */
final class ProcessMemory {
  static final long ASSURED = 8L << 20;
  static final long LEAST = 1L << 20;

  /** The memory of this process. */
  static final ProcessMemory OF_PROCESS =
      new ProcessMemory(System::getProperties, MachineMemory::total);

  private static final String PREFIX = "io.everheap.memory.";
  private static final long PUBLISH_NANOS = 500_000_000;

  /** Sums over heaps, in bytes; those with a fixed part count in {@code fixed} only. */
  private record Sums(long used, long assured, long heaps, long fixed, long size) {
    static final Sums NONE = new Sums(0, 0, 0, 0, 0);

    Sums plus(Sums o) {
      return new Sums(
          used + o.used, assured + o.assured, heaps + o.heaps, fixed + o.fixed, size + o.size);
    }

    Sums plus(MemoryShare share) {
      return share.isFixed()
          ? new Sums(used, assured, heaps, fixed + share.fixedPart(), size)
          : new Sums(
              used + share.used(),
              assured + share.assured(),
              heaps + 1,
              fixed,
              size + share.size());
    }

    String text() {
      return used + " " + assured + " " + heaps + " " + fixed + " " + size;
    }

    /** The sums that another copy of the library published; none if it has another form. */
    static Sums parse(String text) {
      String[] words = text.split(" ", -1);
      try {
        return new Sums(
            Long.parseLong(words[0]),
            Long.parseLong(words[1]),
            Long.parseLong(words[2]),
            Long.parseLong(words[3]),
            Long.parseLong(words[4]));
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        return NONE;
      }
    }
  }

  private final Supplier<Properties> properties;
  private final LongSupplier machine;
  private final String key = PREFIX + uniqueName();
  private final BriefLock lock = new BriefLock();
  private volatile MemoryShare[] shares = {};
  private volatile Sums others = Sums.NONE;
  private volatile long total;
  private volatile long published = System.nanoTime() - PUBLISH_NANOS;

  /** A name that no other copy of the library has; random ones would load much at an opening. */
  private String uniqueName() {
    return Long.toHexString(System.nanoTime())
        + "-"
        + Integer.toHexString(System.identityHashCode(this));
  }

  /**
   * Creates the memory of a process without heaps.
   *
   * @param properties where copies of the library find each other
   * @param machine returns the memory that the process can use, in bytes
   */
  ProcessMemory(Supplier<Properties> properties, LongSupplier machine) {
    this.properties = properties;
    this.machine = machine;
  }

  /** The memory of a heap that takes none from others: it has no private pages. */
  static MemoryShare alone(String location, long fixed, long size) {
    return new ProcessMemory(Properties::new, MachineMemory::total).join(location, fixed, size);
  }

  /**
   * Adds a heap, which its owner closes.
   *
   * @param location of the heap, for messages
   * @param fixed its fixed part in bytes, or {@link EngineOptions#SHARED_MEMORY}
   * @param size of the heap in bytes
   * @throws FullException if it has no fixed part, and too little is left
   */
  MemoryShare join(String location, long fixed, long size) {
    MemoryShare share = new MemoryShare(this, fixed, size);
    lock.lock();
    try {
      long memory = machine.getAsLong();
      total = MachineMemory.heapShare(memory);
      readOthers();
      Sums all = sums().plus(share);
      if (!share.isFixed() && Math.max(0, total - all.fixed) / all.heaps < LEAST) {
        throw FullException.memory(location, total, memory, all.fixed, all.heaps - 1, LEAST);
      }
      MemoryShare[] before = shares;
      MemoryShare[] more = Arrays.copyOf(before, before.length + 1);
      more[before.length] = share;
      shares = more;
      try {
        publish();
      } catch (RuntimeException | Error e) {
        shares = before;
        throw e;
      }
    } finally {
      lock.state = BriefLock.FREE;
    }
    return share;
  }

  /** Removes a heap; does nothing if it was removed before. */
  void leave(MemoryShare share) {
    lock.lock();
    try {
      shares = Arrays.stream(shares).filter(each -> each != share).toArray(MemoryShare[]::new);
      publish();
    } finally {
      lock.state = BriefLock.FREE;
    }
  }

  /** The bytes that a heap may use now. */
  long limit(MemoryShare of) {
    if (of.isFixed()) {
      return of.fixed();
    }
    Sums o = others;
    long rest = total - o.fixed;
    long used = o.used;
    long assured = o.assured;
    long heaps = o.heaps;
    for (MemoryShare each : shares) {
      if (each.isFixed()) {
        rest -= each.fixedPart();
      } else {
        heaps++;
        assured += each.assured();
        used += each == of ? 0 : each.used();
      }
    }
    return Math.max(assured(of, Math.max(0, rest), assured, heaps), rest - used);
  }

  /** The bytes that the heaps without a fixed part share. */
  long shared() {
    return Math.max(LEAST, total - sums().fixed);
  }

  /** The size of all images without a fixed part, in bytes. */
  long sizes() {
    return sums().size;
  }

  /** The number of heaps without a fixed part. */
  long heaps() {
    return sums().heaps;
  }

  private static long assured(MemoryShare of, long rest, long assured, long heaps) {
    return assured <= rest
        ? of.assured()
        : Math.min(of.assured(), Math.max(LEAST, rest / Math.max(1, heaps)));
  }

  /**
   * Notes that a heap is about to use memory, if it may.
   *
   * @param bytes of all that it uses then
   * @return whether it may
   */
  boolean claim(MemoryShare share, long bytes) {
    lock.lock();
    try {
      boolean free = bytes <= limit(share);
      if (free) {
        share.use(bytes);
      }
      return free;
    } finally {
      lock.state = BriefLock.FREE;
    }
  }

  /** Exchanges the sums with other copies of the library; does nothing half a second after that. */
  void exchange() {
    if (System.nanoTime() - published < PUBLISH_NANOS) {
      return;
    }
    lock.lock();
    try {
      publish();
      readOthers();
    } finally {
      lock.state = BriefLock.FREE;
    }
  }

  private Sums sums() {
    Sums sums = others;
    for (MemoryShare each : shares) {
      sums = sums.plus(each);
    }
    return sums;
  }

  private void publish() {
    published = System.nanoTime();
    if (shares.length == 0) {
      properties.get().remove(key);
      return;
    }
    Sums own = Sums.NONE;
    for (MemoryShare each : shares) {
      own = own.plus(each);
    }
    properties.get().setProperty(key, own.text());
  }

  private void readOthers() {
    Sums sums = Sums.NONE;
    for (Map.Entry<Object, Object> each : properties.get().entrySet()) {
      if (each.getKey() instanceof String name
          && name.startsWith(PREFIX)
          && !name.equals(key)
          && each.getValue() instanceof String text) {
        sums = sums.plus(Sums.parse(text));
      }
    }
    others = sums;
  }
}
