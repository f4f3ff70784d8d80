package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.journal.Journal;
import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lets the disk of a replica of a journal fail at each operation in turn: nothing that it
 * acknowledged is lost, and after a full disk the same replica goes on when there is room.
 */
@Campaign
class JournalReplicaFaultTest {
  @Test
  void everySyncFails() {
    everyOperation(false, (medium, n) -> medium.faults().failSync(n));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theDiskIsFullAtEveryNewPage(boolean dax) {
    everyOperation(dax, (medium, n) -> medium.faults().fillDisk(n));
  }

  private static void everyOperation(boolean dax, ObjLongConsumer<SimulatedMedium> fault) {
    SimulatedMedium there = dax ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
    try (Journal journal = JournalProcess.builder(there, true).open()) {
      for (int i = 0; i < 150; i++) {
        journal.append(JournalBackupProcess.record(i));
      }
      JournalOrigin origin = JournalReplication.origin(journal, "primary");
      FaultyReplica.everyOperation(dax, fault, () -> new Run(origin));
    }
  }

  private static final class Run extends FaultyReplica {
    private final JournalOrigin origin;

    Run(JournalOrigin origin) {
      this.origin = origin;
    }

    @Override
    void run(SimulatedMedium medium) {
      try (JournalTarget target = JournalReplicaProcess.target(medium, null)) {
        try {
          drain(target);
        } catch (DiskFullException e) {
          failed(e, medium);
          drain(target);
          assertThat(acknowledged).as("goes on").isEqualTo(origin.durable());
        }
      } catch (EverheapException e) {
        failed(e, medium);
      }
    }

    private void drain(JournalTarget target) {
      try (JournalFeed feed = origin.feed(target.settle())) {
        target.follow(0, origin.uuid(), origin.oldestSequence(), origin.segmentSize());
        for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
          target.accept(part);
          acknowledged = Math.max(acknowledged, target.durable());
        }
      }
    }

    @Override
    void check(String what, SimulatedMedium after) {
      try (JournalTarget target = JournalReplicaProcess.target(after, null)) {
        target.settle();
        assertThat(target.durable()).as(what).isGreaterThanOrEqualTo(acknowledged);
        new Run(origin).drain(target);
        assertThat(target.durable()).as(what).isEqualTo(origin.durable());
        target.promote();
      }
      JournalBackupProcess.requireRecords(after, 0, 150);
    }
  }
}
