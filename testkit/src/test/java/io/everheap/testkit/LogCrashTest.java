package io.everheap.testkit;

import java.util.List;

/**
 * Crashes the redo log by itself, without an engine above it: appends, large transactions,
 * checkpoints, recovery.
 *
 * <p>The first start is crashed since a segment whose name was not durable, because its maker was
 * killed, was once used as it was.
 */
class LogCrashTest extends LogCrashSuite {
  LogCrashTest() {
    super("log", 1, List.of(new Explorer.Effort(8, 200, 10), new Explorer.Effort(1, 2, 2)));
  }

  @Override
  SimulatedProcess process(long seed, int work) {
    return new LogProcess(seed, work);
  }
}
