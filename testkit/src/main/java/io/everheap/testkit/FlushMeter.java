package io.everheap.testkit;

import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.CrashPoint.Kind;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;

/**
 * Counts what a simulated medium makes durable, from the creation of the meter on. Guarded by the
 * medium's lock.
 */
final class FlushMeter {
  private static final String LOG = "log/";

  private final SimulatedMedium medium;
  private final long fencesBefore;
  private final long syncsBefore;
  private final long idleBefore;
  private final long cleanLinesBefore;
  private long logBytes;

  /** Starts to count; takes the place of the medium's observer. */
  FlushMeter(SimulatedMedium medium) {
    this.medium = medium;
    this.fencesBefore = medium.count(Kind.FORCE);
    this.syncsBefore = syncs();
    this.idleBefore = medium.idleForces() + medium.idleSyncs();
    this.cleanLinesBefore = medium.cleanLines();
    medium.observe(this::at);
  }

  private void at(CrashPoint point) {
    boolean durable = point.kind() == Kind.FORCE || point.kind() == Kind.DURABLE_WRITE;
    if (durable && point.file().startsWith(LOG)) {
      logBytes += point.length();
    }
  }

  private long syncs() {
    return medium.count(Kind.SYNC)
        + medium.count(Kind.DURABLE_WRITE)
        + medium.count(Kind.SYNC_DIRECTORY);
  }

  /** What was counted so far. */
  FlushLint.Cost read() {
    synchronized (medium) {
      List<String> unflushed =
          medium.image().units().stream()
              .map(Chooser.Unit::name)
              .filter(name -> name.startsWith(LOG))
              .toList();
      return new FlushLint.Cost(
          medium.count(Kind.FORCE) - fencesBefore,
          syncs() - syncsBefore,
          logBytes,
          medium.idleForces() + medium.idleSyncs() - idleBefore,
          medium.cleanLines() - cleanLinesBefore,
          unflushed);
    }
  }
}
