package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.journal.Journal;
import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.journal.replica.JournalTarget;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lets the disk of a replica of a journal fail at each operation in turn: nothing that it
 * acknowledged is lost, and after a full disk the same replica goes on when there is room.
 */
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
    int met = 0;
    int unmet = 0;
    SimulatedMedium there = dax ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
    try (Journal journal = JournalProcess.builder(there, true).open()) {
      for (int i = 0; i < 150; i++) {
        journal.append(JournalBackupProcess.record(i));
      }
      JournalOrigin origin = JournalReplication.origin(journal, "primary");
      for (long n = 1; unmet < 2; n += 1 + n / 20) {
        SimulatedMedium medium = dax ? SimulatedMedium.dax(n) : SimulatedMedium.file(n);
        fault.accept(medium, n);
        Run run = new Run(origin);
        run.follow(medium);
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
    private final JournalOrigin origin;
    private long acknowledged;
    private EverheapException failure;

    Run(JournalOrigin origin) {
      this.origin = origin;
    }

    void follow(SimulatedMedium medium) {
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

    private void failed(EverheapException e, SimulatedMedium medium) {
      failure = failure == null ? e : failure;
      assertThat(e.code()).startsWith("EH-");
      medium.faults().freeSpace();
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

    private void check(String how, SimulatedMedium after) {
      String what = how + " after " + failure;
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
