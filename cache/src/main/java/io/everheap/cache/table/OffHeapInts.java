package io.everheap.cache.table;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * An array of ints outside of the Java heap that grows without moving what it has. One thread at a
 * time may {@link #reserve}; any thread may access what was reserved before.
 */
public final class OffHeapInts {
  private static final int SHIFT = 12;
  private static final int PAGE = 1 << SHIFT;
  private static final int GROWTH = 32; // a page more for so many, so that few arrays are copied
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  private volatile MemorySegment[] pages = {};

  /** An empty array. */
  public OffHeapInts() {}

  /** Makes room for the indexes below {@code size}; new ones hold zeros. */
  public void reserve(int size) {
    MemorySegment[] old = pages;
    int wanted = (size + PAGE - 1) >>> SHIFT;
    if (wanted > old.length) {
      MemorySegment[] more = Arrays.copyOf(old, Math.max(wanted, old.length + old.length / GROWTH));
      for (int i = old.length; i < more.length; i++) {
        more[i] = Arena.ofAuto().allocate((long) PAGE * Integer.BYTES, 64);
      }
      pages = more;
    }
  }

  /** Bytes of memory that it takes. */
  public long bytes() {
    return (long) pages.length * PAGE * Integer.BYTES;
  }

  /** Loads an int. */
  public int get(int i) {
    return (int) INT.get(page(i), at(i));
  }

  /** Stores an int. */
  public void set(int i, int value) {
    INT.set(page(i), at(i), value);
  }

  /** Loads an int; what was stored before it was is seen. */
  public int getAcquire(int i) {
    return (int) INT.getAcquire(page(i), at(i));
  }

  /** Adds to an int and returns what it was. */
  public int getAndAdd(int i, int delta) {
    return (int) INT.getAndAdd(page(i), at(i), delta);
  }

  /** Stores an int if it is as expected. */
  public boolean compareAndSet(int i, int expected, int value) {
    return INT.compareAndSet(page(i), at(i), expected, value);
  }

  private MemorySegment page(int i) {
    return pages[i >>> SHIFT];
  }

  private static long at(int i) {
    return (long) (i & PAGE - 1) * Integer.BYTES;
  }
}
