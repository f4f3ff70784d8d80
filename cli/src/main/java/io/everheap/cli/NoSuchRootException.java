package io.everheap.cli;

import java.util.Collection;
import java.util.Locale;

/** Thrown when the heap has no root with the given name. */
public final class NoSuchRootException extends RuntimeException {
  /** With the name, and those that there are. */
  public NoSuchRootException(String name, Collection<String> roots) {
    super(
        String.format(
            Locale.ROOT,
            "no root named '%s'; %s",
            name,
            roots.isEmpty()
                ? "the heap has no roots"
                : "the heap has: " + String.join(", ", roots)));
  }
}
