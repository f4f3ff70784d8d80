package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaApplier;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.backup.BaseCopy;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.LogFeed;
import io.everheap.engine.log.PartStream;
import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.heap.OpenHeap;
import io.everheap.report.BackupProgress;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lets the disk of a replica fail at each operation in turn while it joins and follows: nothing
 * that it acknowledged is lost, and after a full disk it goes on when there is room.
 */
class ReplicaFaultTest {
  private static final HeapSetup SETUP = new HeapSetup(true);

  @Test
  void everySyncFails() {
    everyOperation(false, (medium, n) -> medium.faults().failSync(n));
  }

  @Test
  void everyDurableWriteFails() {
    everyOperation(false, (medium, n) -> medium.faults().failDurableWrite(n));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theDiskIsFullAtEveryNewPage(boolean dax) {
    everyOperation(dax, (medium, n) -> medium.faults().fillDisk(n));
  }

  /** Counts up until a replica follows without meeting the fault. */
  private static void everyOperation(boolean dax, ObjLongConsumer<SimulatedMedium> fault) {
    int met = 0;
    int unmet = 0;
    try (ReplicatedPrimary primary = new ReplicatedPrimary(dax, 1, 4, 10)) {
      for (long n = 1; unmet < 2; n += 1 + n / 20) {
        SimulatedMedium medium = dax ? SimulatedMedium.dax(n) : SimulatedMedium.file(n);
        fault.accept(medium, n);
        Run run = new Run(medium, primary);
        run.joinAndFollow();
        unmet = run.failure == null ? unmet + 1 : 0;
        met += run.failure == null ? 0 : 1;
        medium.faults().freeSpace();
        CrashImage image = medium.image();
        run.check("killed, fault " + n, image.processKill());
        run.check("power lost, fault " + n, image.powerLoss(Chooser.none()));
        run.check("power lost, some kept, fault " + n, image.powerLoss(Chooser.random(n)));
      }
    }
    assertThat(met).as("operations that failed").isGreaterThan(3);
  }

  /** What a replica came to. */
  private static final class Run {
    private final SimulatedMedium medium;
    private final ReplicatedPrimary primary;
    private long acknowledged;
    private EverheapException failure;

    Run(SimulatedMedium medium, ReplicatedPrimary primary) {
      this.medium = medium;
      this.primary = primary;
    }

    private void joinAndFollow() {
      try {
        join();
      } catch (EverheapException e) {
        failed(e);
        join();
      }
      try (Heap heap = ReplicaProcess.open(SETUP, medium)) {
        ReplicaApplier applier = OpenHeap.engine(heap).applier();
        applier.begin();
        try {
          follow(heap, applier);
        } catch (DiskFullException e) {
          failed(e);
          follow(heap, applier);
          assertThat(BackupProcess.contents(heap)).isEqualTo(primary.at(Long.MAX_VALUE));
        }
      } catch (EverheapException e) {
        failed(e);
      }
    }

    private void join() {
      if (!medium.exists("heap")) {
        BaseCopy.restore(
            primary.held(),
            () -> BackupProcess.unclosed(medium),
            SimulatedHeaps.options(SETUP.durability()),
            BackupProgress.NONE);
      }
    }

    private void failed(EverheapException e) {
      if (failure == null) {
        failure = e;
      }
      assertThat(e.code()).startsWith("EH-");
      medium.faults().freeSpace();
    }

    private void follow(Heap heap, ReplicaApplier applier) {
      ReplicaPosition at = applier.position();
      Engine engine = primary.engine();
      try (LogFeed feed = primary.feed(at.lsn(), at.chain())) {
        PartStream stream =
            new PartStream(
                "the primary",
                engine.uuid(),
                new EpochStart(feed.epoch(), at.lsn(), at.chain()),
                applier.receiver(at.line()));
        for (byte[] parts = feed.next(); parts.length > 0; parts = feed.next()) {
          stream.accept(parts);
          heap.sync();
          acknowledged = applier.position().lsn();
          heap.checkpoint();
        }
      }
    }

    private void check(String how, SimulatedMedium after) {
      String what = how + " after " + failure;
      if (!after.exists("heap")) {
        assertThat(acknowledged).as(what).isZero();
        return;
      }
      try (after;
          Heap heap = ReplicaProcess.open(SETUP, after)) {
        ReplicaApplier applier = OpenHeap.engine(heap).applier();
        applier.begin();
        long lsn = applier.position().lsn();
        assertThat(lsn).as(what).isGreaterThanOrEqualTo(acknowledged);
        assertThat(BackupProcess.contents(heap)).as(what).isEqualTo(primary.at(lsn));
        new Run(after, primary).follow(heap, applier);
        SETUP.verify(heap);
      }
    }
  }
}
