package io.everheap.testkit.error;

import java.util.ArrayList;
import java.util.List;

/**
 * The places of the library at which the virtual machine may throw an error of its own accord. The
 * instrumented classes call this before each of them; it throws if the {@link Strike} that the
 * calling thread belongs to says so.
 */
public final class ErrorPoints {
  private static final List<Place> PLACES = new ArrayList<>();

  /**
   * One instruction.
   *
   * @param allocates whether it takes memory itself
   * @param calls whether it calls something
   * @param where class, method, line, and what is called or allocated
   */
  record Place(boolean allocates, boolean calls, String where) {}

  private ErrorPoints() {}

  /** Adds a place and returns its number. */
  static synchronized int add(Place place) {
    PLACES.add(place);
    return PLACES.size() - 1;
  }

  static synchronized Place place(int number) {
    return PLACES.get(number);
  }

  static synchronized int count() {
    return PLACES.size();
  }

  /** Called by the instrumented classes at a place. */
  public static void at(int place) {
    if (Thread.currentThread().getThreadGroup() instanceof Strike strike && strike.isArmed()) {
      strike.at(place);
    }
  }
}
