package io.everheap.testkit;

import io.everheap.testkit.RoundsProcess.Order;
import io.everheap.testkit.RoundsProcess.Plan;
import io.everheap.testkit.RoundsWork.Act;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;

/** Commits between any two steps of a checkpoint, crashed at later moments. */
public final class RoundsScenarios {
  private static final HeapSetup SYNC = new HeapSetup(true);

  private RoundsScenarios() {}

  /** A commit that is not durable, at every second step. */
  public static void commitsInACheckpoint() {
    var plan = new Plan(Act.OVERWRITE_ASYNC, Order.IN_ROUND, 1, 2);
    explore(plan, false, 1, new Explorer.Effort(1, Integer.MAX_VALUE, 4), new CrashReport());
  }

  /** Returns how many rounds were interleaved. */
  static int explore(
      Plan plan, boolean dax, long seed, Explorer.Effort effort, CrashReport report) {
    var process = new RoundsProcess(SYNC, plan, seed);
    new Explorer(seed, List.of(effort), report)
        .explore(process, dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed));
    return process.interleavings();
  }
}
