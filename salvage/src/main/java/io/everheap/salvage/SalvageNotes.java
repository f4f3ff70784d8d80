package io.everheap.salvage;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages about the heap as a whole, in the order in which they were found. Used by one thread.
 */
final class SalvageNotes {
  private final List<String> all = new ArrayList<>();

  /** Adds a message of a kind of which there are few. */
  void add(String note) {
    all.add(note);
  }

  /** Adds a message unless it is there already. */
  void addOnce(String note) {
    if (!all.contains(note)) {
      all.add(note);
    }
  }

  /** Adds a message about one of many places, unless there are too many already. */
  void addProblem(String note) {
    if (all.size() < SalvageReport.MAX_LISTED) {
      all.add(note);
    }
  }

  /** Formats the problem of a place. */
  static String problem(String kind, long address, @Nullable String key, String message) {
    return kind + " at address " + address + (key == null ? "" : ", key " + key) + ": " + message;
  }

  /** All messages; a copy. */
  List<String> all() {
    return List.copyOf(all);
  }
}
