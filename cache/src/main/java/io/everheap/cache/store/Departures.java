package io.everheap.cache.store;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries that ended and that a listener is to be told of, which happens without the cache's
 * lock.
 *
 * <pre>
 *   field    mode   guard
 *   untold   plain  the cache's lock
 * </pre>
 */
final class Departures {
  private final Contents contents;
  private final @Nullable Consumer<Departure> listener;
  private final Predicate<Cause> told;
  private final ArrayList<Departure> untold = new ArrayList<>();

  /**
   * None yet.
   *
   * @param listener null for nobody
   * @param told which causes the listener is told of
   */
  Departures(Contents contents, @Nullable Consumer<Departure> listener, Predicate<Cause> told) {
    this.contents = contents;
    this.listener = listener;
    this.told = told;
  }

  /**
   * What to tell of an entry that is about to end, whose block is still there; null for nothing,
   * and if the storage cannot read it, or it is not authentic. Takes all memory that {@link #add}
   * needs. Under the cache's lock.
   */
  @Nullable Departure of(int slot, Cause cause) {
    if (listener == null || cause == Cause.DAMAGED || !told.test(cause)) {
      return null;
    }
    untold.ensureCapacity(untold.size() + 1);
    if (contents.isSealed()) {
      try (Opened opened = contents.open(slot)) {
        return opened == null
            ? null
            : new Departure(opened.key(), opened.value().toArray(ValueLayout.JAVA_BYTE), cause);
      }
    }
    try {
      byte[] value = contents.value(slot).toArray(ValueLayout.JAVA_BYTE);
      return new Departure(contents.key(slot), value, cause); // key() polls for faults
    } catch (InternalError e) {
      return null;
    }
  }

  /** The entry ended; under the cache's lock. */
  void add(@Nullable Departure departure) {
    if (departure != null) {
      untold.add(departure);
    }
  }

  /** Takes those that the listener was not told of; under the cache's lock. */
  List<Departure> take() {
    if (untold.isEmpty()) {
      return List.of();
    }
    List<Departure> taken = List.copyOf(untold);
    untold.clear();
    return taken;
  }

  /** Tells the listener; without the cache's lock. */
  void tell(List<Departure> departures) {
    Consumer<Departure> to = listener;
    if (to != null) {
      departures.forEach(to);
    }
  }
}
