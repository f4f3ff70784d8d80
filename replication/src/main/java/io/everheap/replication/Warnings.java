package io.everheap.replication;

import io.everheap.error.ReplicationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Logs what other machines cause: without stack traces, without control characters, and in a minute
 * at most {@value #MAX} messages that differ, so that nobody fills the disk. Thread-safe.
 */
final class Warnings {
  static final int MAX = 30;

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final System.Logger logger;
  private long since = System.nanoTime(); // guarded by this
  private final Set<String> logged = new HashSet<>(); // since then; guarded by this
  private long leftOut; // since then; guarded by this

  Warnings(Class<?> of) {
    logger = System.getLogger(of.getName());
  }

  /**
   * Warns of a failure. Its stack is logged only if it is one of this library, and not of a
   * connection.
   */
  void warn(String what, Throwable why) {
    boolean ofConnection = isOfConnection(why);
    String message = Printable.of(what) + (ofConnection ? ": " + Printable.reason(why) : "");
    long before = take(message);
    if (before < 0) {
      return;
    }
    if (before > 0) {
      logger.log(
          System.Logger.Level.WARNING, "{0} messages about replication were left out", before);
    }
    if (ofConnection) {
      logger.log(System.Logger.Level.WARNING, message);
    } else {
      logger.log(System.Logger.Level.WARNING, message, why);
    }
  }

  private static boolean isOfConnection(Throwable why) {
    return why instanceof IOException
        || why instanceof UncheckedIOException
        || why instanceof ReplicationException
        || why instanceof Refusal.RefusedException;
  }

  /** The number of messages that were left out before this one; negative to leave it out. */
  private synchronized long take(String message) {
    long now = System.nanoTime();
    long before = 0;
    if (now - since > MINUTE) {
      since = now;
      logged.clear();
      before = leftOut;
      leftOut = 0;
    }
    if (logged.size() == MAX || !logged.add(message)) {
      leftOut++;
      return -1;
    }
    return before;
  }
}
