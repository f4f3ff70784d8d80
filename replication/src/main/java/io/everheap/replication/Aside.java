package io.everheap.replication;

import io.everheap.error.ReplicationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Directories of replicas that a primary does not go on from. Stateless. */
final class Aside {
  private Aside() {}

  /** Moves a directory aside. */
  static void move(Path directory) {
    Path aside = directory.resolveSibling(directory.getFileName() + ".aside");
    for (int i = 1; Files.exists(aside); i++) {
      aside = directory.resolveSibling(directory.getFileName() + ".aside" + i);
    }
    try {
      Files.move(directory, aside);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.getLogger(Replica.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "{0} does not continue the history of the primary, and is kept as {1}",
            directory.toString(),
            aside.toString());
  }

  /** Why the replica in a directory is not served. */
  static ReplicationException refused(Path directory, Refusal.RefusedException why) {
    return new ReplicationException(
        "The replica in "
            + directory
            + " is not served: "
            + why.getMessage()
            + (why.reason() == Refusal.Reason.ANEW
                ? ". Builder.anew moves the directory aside and makes another one."
                : ""),
        why);
  }
}
