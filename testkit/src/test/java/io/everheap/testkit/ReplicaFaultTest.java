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
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lets the disk of a replica fail at each operation in turn while it joins and follows: nothing
 * that it acknowledged is lost, and after a full disk it goes on when there is room.
 */
@Campaign
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

  private static void everyOperation(boolean dax, ObjLongConsumer<SimulatedMedium> fault) {
    try (ReplicatedPrimary primary = new ReplicatedPrimary(dax, 1, 4, 10)) {
      FaultyReplica.everyOperation(dax, fault, () -> new Run(primary));
    }
  }

  private static final class Run extends FaultyReplica {
    private final ReplicatedPrimary primary;

    Run(ReplicatedPrimary primary) {
      this.primary = primary;
    }

    @Override
    void run(SimulatedMedium medium) {
      try {
        join(medium);
      } catch (EverheapException e) {
        failed(e, medium);
        join(medium);
      }
      try (Heap heap = ReplicaProcess.open(SETUP, medium)) {
        ReplicaApplier applier = OpenHeap.engine(heap).applier();
        applier.begin();
        try {
          follow(heap, applier);
        } catch (DiskFullException e) {
          failed(e, medium);
          follow(heap, applier);
          assertThat(BackupProcess.contents(heap)).isEqualTo(primary.at(Long.MAX_VALUE));
        }
      } catch (EverheapException e) {
        failed(e, medium);
      }
    }

    private void join(SimulatedMedium medium) {
      if (!medium.exists("heap")) {
        BaseCopy.restore(
            primary.held(),
            () -> BackupProcess.unclosed(medium),
            SimulatedHeaps.options(SETUP.durability()),
            BackupProgress.NONE);
      }
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

    @Override
    void check(String what, SimulatedMedium after) {
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
        new Run(primary).follow(heap, applier);
        SETUP.verify(heap);
      }
    }
  }
}
