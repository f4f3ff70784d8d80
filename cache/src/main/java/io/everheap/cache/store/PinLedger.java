package io.everheap.cache.store;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds pins that were never closed. Pins share leases of {@value #PINS}; a lease that nothing
 * refers to any more, since its handles are garbage, names those that are still open. So a pin
 * costs no reference object of its own, and a forgotten one is found when the others of its lease
 * are gone too. Thread-safe, without locks on the way of a hit.
 */
public final class PinLedger {
  private static final int PINS = 64;
  private static final int STRIPES = 16;

  private final boolean traces;
  private final AtomicReferenceArray<@Nullable Lease> current = new AtomicReferenceArray<>(STRIPES);
  private final Set<Pages> open = ConcurrentHashMap.newKeySet();
  private final ReferenceQueue<Lease> garbage = new ReferenceQueue<>();

  /** What handles refer to. */
  public static final class Lease {
    private final Pages pages;

    private Lease(boolean traces, ReferenceQueue<Lease> garbage) {
      this.pages = new Pages(this, traces, garbage);
    }

    /** Takes a pin out. */
    public void close(int index) {
      pages.slots.setRelease(index, 0);
      if (pages.places != null) {
        pages.places[index] = null;
      }
    }
  }

  /** What is left of a lease. */
  private static final class Pages extends PhantomReference<Lease> {
    final AtomicInteger next = new AtomicInteger();
    final AtomicIntegerArray slots = new AtomicIntegerArray(PINS);
    final @Nullable Throwable @Nullable [] places;

    Pages(Lease lease, boolean traces, ReferenceQueue<Lease> garbage) {
      super(lease, garbage);
      this.places = traces ? new Throwable[PINS] : null;
    }
  }

  /**
   * Prepares to remember pins.
   *
   * @param traces whether the places where they are taken are remembered too
   */
  public PinLedger(boolean traces) {
    this.traces = traces;
  }

  /** A pin in a lease. */
  public interface Taken<T> {
    /** Makes what holds the pin. */
    T in(Lease lease, int index);
  }

  /** Enters the pin of a slot. */
  public <T> T add(int slot, Taken<T> taken) {
    int stripe = (int) Thread.currentThread().threadId() & STRIPES - 1;
    while (true) {
      Lease lease = current.get(stripe);
      int index = lease == null ? PINS : lease.pages.next.getAndIncrement();
      if (lease != null && index < PINS) {
        if (lease.pages.places != null) {
          lease.pages.places[index] = new Throwable("the pin was taken here");
        }
        lease.pages.slots.setRelease(index, slot + 1); // read when all is garbage
        try {
          return taken.in(lease, index);
        } catch (Throwable t) {
          lease.close(index);
          throw t;
        }
      }
      var fresh = new Lease(traces, garbage);
      if (current.compareAndSet(stripe, lease, fresh)) {
        open.add(fresh.pages);
        if (lease != null) {
          lease.pages.next.set(PINS); // far from an overflow
        }
      }
    }
  }

  /** Lets leases end that are not full, so that what they hold can be found. */
  public void turnOver() {
    for (int i = 0; i < STRIPES; i++) {
      Lease lease = current.get(i);
      if (lease != null && lease.pages.next.get() > 0) {
        current.compareAndSet(i, lease, null);
      }
    }
  }

  /** Visits the pins that were found never to be closed, and the places where they were taken. */
  public void poll(BiConsumer<Integer, @Nullable Throwable> leaked) {
    for (Object found = garbage.poll(); found != null; found = garbage.poll()) {
      Pages pages = (Pages) found;
      open.remove(pages);
      for (int i = 0; i < PINS; i++) {
        int slot = pages.slots.get(i);
        if (slot != 0) {
          leaked.accept(slot - 1, pages.places == null ? null : pages.places[i]);
        }
      }
    }
  }
}
