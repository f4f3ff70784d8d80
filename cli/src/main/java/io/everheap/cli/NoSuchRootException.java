package io.everheap.cli;

import java.util.Collection;

/** The heap has no root of the name that was given. */
final class NoSuchRootException extends RuntimeException {
  NoSuchRootException(String name, Collection<String> roots) {
    super(
        "no root named '%s'; %s"
            .formatted(
                name,
                roots.isEmpty()
                    ? "the heap has no roots"
                    : "the heap has: " + String.join(", ", roots)));
  }
}
