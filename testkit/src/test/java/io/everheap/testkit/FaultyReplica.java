package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.EverheapException;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A replica whose disk fails at one operation, and what it came to. Used by one thread. */
abstract class FaultyReplica {
  private @Nullable EverheapException failure;

  /** What it acknowledged. */
  long acknowledged;

  /** Joins and follows on a disk; after it was full, goes on when there is room. */
  abstract void run(SimulatedMedium medium);

  /** Checks what a crash left. */
  abstract void check(String what, SimulatedMedium after);

  /** Something failed; from now on the disk has room. */
  final void failed(EverheapException e, SimulatedMedium medium) {
    failure = failure == null ? e : failure;
    assertThat(e.code()).startsWith("EH-");
    medium.faults().freeSpace();
  }

  /**
   * Lets the disks of new replicas fail at one operation after the other, until two replicas do not
   * meet the fault.
   */
  static void everyOperation(
      boolean dax, ObjLongConsumer<SimulatedMedium> fault, Supplier<FaultyReplica> replicas) {
    int met = 0;
    int unmet = 0;
    for (long n = 1; unmet < 2; n += 1 + n / 20) {
      SimulatedMedium medium = dax ? SimulatedMedium.dax(n) : SimulatedMedium.file(n);
      fault.accept(medium, n);
      FaultyReplica replica = replicas.get();
      replica.run(medium);
      EverheapException failure = replica.failure;
      unmet = failure == null ? unmet + 1 : 0;
      met += failure == null ? 0 : 1;
      medium.faults().freeSpace();
      CrashImage image = medium.image();
      String what = ", fault " + n + " after " + failure;
      replica.check("killed" + what, image.processKill());
      replica.check("power lost" + what, image.powerLoss(Chooser.none()));
      replica.check("power lost, some kept" + what, image.powerLoss(Chooser.random(n)));
    }
    assertThat(met).as("operations that failed").isGreaterThan(3);
  }
}
