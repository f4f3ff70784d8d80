package io.everheap.engine;

import io.everheap.engine.event.EngineLogger;
import io.everheap.memory.Threads;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells in the log of the program what an opening recovered, once; in a thread of its own, since
 * the first message of a process sets up its logging, and a handler may wait for anything.
 * Thread-safe.
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

  /** Begins to tell. */
  void begin() {
    if (!told.get()) {
      try {
        Threads.start(Threads.daemon("everheap-notice", this::tell));
      } catch (RuntimeException | Error e) {
        tell(); // no thread can be started
      }
    }
  }

  /** Tells, unless that was begun, or there is nothing to tell; a broken handler breaks no heap. */
  void tell() {
    if (told.compareAndSet(false, true)) {
      try {
        EngineLogger.get()
            .log(
                System.Logger.Level.INFO,
                "recovered {0}: found {1} transactions ({2} bytes of log) in {3} ms, dropped {4}"
                    + " bytes of an unfinished one",
                location,
                report.transactions(),
                report.bytes(),
                report.nanos() / 1_000_000,
                report.tornBytes());
      } catch (RuntimeException | Error _) {
        // the report has it as well
      }
    }
  }
}
