package io.everheap.salvage;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** Gives names to structures that lost theirs: {@code salvaged-1} and so on. Used by one thread. */
final class FreeNames {
  private final Set<String> taken;

  FreeNames(Collection<String> taken) {
    this.taken = new HashSet<>(taken);
  }

  /** A name that no root has; it is taken from then on. */
  String next() {
    int number = 1;
    while (!taken.add("salvaged-" + number)) {
      number++;
    }
    return "salvaged-" + number;
  }
}
