package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.DiskFullException;
import io.everheap.error.MediumException;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.Faults;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;

/** A disk that fails once, at each of the calls that a cache makes; and one that is full. */
@Campaign
class CacheFaultTest {
  private static final int WORK = 50;
  private static final int SEEDS = 3;

  @Test
  void aSyncFails() {
    eachCall(Faults::failSync, CacheProcess.Mode.INTERVAL);
    eachCall(Faults::failSync, CacheProcess.Mode.STRICT);
    eachCall(Faults::failSync, CacheProcess.Mode.STRICT_TWO);
  }

  @Test
  void aSuperblockCannotBeWritten() {
    eachCall(Faults::failDurableWrite, CacheProcess.Mode.INTERVAL);
    eachCall(Faults::failDurableWrite, CacheProcess.Mode.STRICT);
  }

  @Test
  void aWriteIsCut() {
    eachCall(Faults::cutWrite, CacheProcess.Mode.INTERVAL);
  }

  @Test
  void theFileCannotGetItsSize() {
    eachCall(Faults::failResize, CacheProcess.Mode.INTERVAL);
  }

  @Test
  void theDiskIsFullFromThisPageOn() {
    eachCall(Faults::fillDisk, CacheProcess.Mode.INTERVAL);
  }

  /** Lets the first call fail, then the second, until a process ends without a failure. */
  private static void eachCall(ObjLongConsumer<Faults> fault, CacheProcess.Mode mode) {
    for (int seed = 1; seed <= SEEDS; seed++) {
      List<String> failures = new ArrayList<>();
      for (int nth = 1; nth < 300; nth++) {
        SimulatedMedium medium = SimulatedMedium.file(seed);
        var process = new CacheProcess(mode, false, seed, WORK);
        fault.accept(medium.faults(), nth);
        boolean failed = false;
        try {
          process.run(medium);
        } catch (MediumException | DiskFullException e) {
          failed = true;
          failures.add(e.getMessage());
        }
        CrashImage image = medium.image();
        SimulatedProcess.Promise promise = process.promise();
        successor(promise, false, image.processKill());
        successor(promise, true, image.powerLoss(Chooser.none()));
        successor(promise, true, image.powerLoss(Chooser.all()));
        successor(promise, true, image.powerLoss(Chooser.random(nth)));
        if (!failed && nth > 100) {
          break;
        }
      }
      assertThat(failures).isNotEmpty();
    }
  }

  private static void successor(
      SimulatedProcess.Promise promise, boolean powerLost, SimulatedMedium medium) {
    try (medium) {
      promise.successor(powerLost, 5).run(medium);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
