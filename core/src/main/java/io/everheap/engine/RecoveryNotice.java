package io.everheap.engine;

import io.everheap.engine.event.EngineLogger;
import io.everheap.error.MediumException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells in the log of the program what an opening recovered, once; in the background, since the
 * first message of a process sets up its logging. Thread-safe.
 */
final class RecoveryNotice {
  private final String location;
  private final RecoveryReport report;
  private final AtomicBoolean told;

  RecoveryNotice(String location, RecoveryReport report) {
    this.location = location;
    this.report = report;
    this.told = new AtomicBoolean(report.clean());
  }

  /** Lets another thread tell. */
  void giveTo(Housekeeper housekeeper) {
    if (!told.get()) {
      try {
        housekeeper.submit(this::tell);
      } catch (MediumException e) {
        tell(); // no thread can be started
      }
    }
  }

  /** Tells, unless that was done, or there is nothing to tell. */
  void tell() {
    if (told.compareAndSet(false, true)) {
      EngineLogger.get()
          .log(
              System.Logger.Level.INFO,
              "recovered {0}: found {1} transactions ({2} bytes of log) in {3} ms, dropped {4} bytes"
                  + " of an unfinished one",
              location,
              report.transactions(),
              report.bytes(),
              report.nanos() / 1_000_000,
              report.tornBytes());
    }
  }
}
