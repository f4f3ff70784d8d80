package io.everheap.cli;

import java.util.Collection;

/** Thrown when the heap has no root with the given name. */
public final class NoSuchRootException extends RuntimeException {
  /** With the name, and those that there are. */
  public NoSuchRootException(String name, Collection<String> roots) {
    super(
        "no root named '%s'; %s"
            .formatted(
                name,
                roots.isEmpty()
                    ? "the heap has no roots"
                    : "the heap has: " + String.join(", ", roots)));
  }
}
