package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.everheap.error.ClosedException;
import io.everheap.error.DiskFullException;
import io.everheap.error.EverheapException;
import io.everheap.error.StoppedException;
import io.everheap.journal.Claim;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.CrashPoint;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lets the disk fail at each operation of a journal's life in turn. */
@Campaign
class JournalFaultTest {
  private static final int APPENDS = 60;

  private long acknowledged;
  private long started;

  @ParameterizedTest
  @CsvSource({"false,true", "false,false", "true,true"})
  void everySyncFails(boolean dax, boolean sync) {
    everyOperation(dax, sync, (medium, n) -> medium.faults().failSync(n));
  }

  @Test
  void everyDurableWriteFails() {
    everyOperation(false, true, (medium, n) -> medium.faults().failDurableWrite(n));
  }

  @ParameterizedTest
  @CsvSource({"false,true", "false,false", "true,true"})
  void everyWriteIsCut(boolean dax, boolean sync) {
    everyOperation(dax, sync, (medium, n) -> medium.faults().cutWrite(n));
  }

  @ParameterizedTest
  @CsvSource({"false,true", "false,false", "true,true"})
  void theDiskIsFullAtEveryNewPage(boolean dax, boolean sync) {
    everyOperation(dax, sync, (medium, n) -> medium.faults().fillDisk(n));
  }

  private void everyOperation(boolean dax, boolean sync, ObjLongConsumer<SimulatedMedium> fault) {
    int unmet = 0;
    int met = 0;
    for (long n = 1; unmet < 2; n++) {
      SimulatedMedium medium = dax ? SimulatedMedium.dax(n) : SimulatedMedium.file(n);
      fault.accept(medium, n);
      acknowledged = 0;
      started = 0;
      boolean failed = run(medium, sync);
      met += failed ? 1 : 0;
      unmet = failed ? 0 : unmet + 1;
      medium.faults().freeSpace();
      CrashImage image = medium.image();
      check(image.processKill(), sync, dax, true, "killed, fault " + n);
      check(image.powerLoss(Chooser.none()), sync, dax, false, "power lost, fault " + n);
      check(image.powerLoss(Chooser.random(n)), sync, dax, false, "power lost, some, fault " + n);
    }
    assertThat(met).isGreaterThan(0);
  }

  private static byte[] record(long sequence) {
    return ByteBuffer.allocate(sequence % 11 == 0 ? 5000 : 300).putLong(sequence).array();
  }

  private boolean run(SimulatedMedium medium, boolean sync) {
    boolean failed = false;
    try (Journal journal = JournalProcess.builder(medium, sync).open()) {
      for (int i = 0; i < APPENDS; i++) {
        try {
          started++;
          assertThat(journal.append(record(started - 1))).isEqualTo(started - 1);
          acknowledged = started;
          if (i % 20 == 19) {
            journal.truncateBefore(started - 5);
          }
          if (i % 25 == 24) {
            started -= 2;
            acknowledged = started;
            journal.truncateAfter(started - 1);
          }
        } catch (EverheapException e) {
          failed = true;
          assertThat(e.code()).startsWith("EH-");
          if (catchThrowable(journal::force) == null) {
            // Nothing was appended, released or cut off, and all goes on.
            assertThat(journal.nextSequence()).isGreaterThanOrEqualTo(acknowledged);
            started = journal.nextSequence();
            acknowledged = started;
            medium.faults().freeSpace();
          } else {
            assertThat(catchThrowable(() -> journal.append(new byte[1])))
                .isInstanceOf(StoppedException.class)
                .hasMessageContaining("(EH-JOURNAL-FAILED)");
            assertThat(catchThrowable(() -> journal.read(0))).isInstanceOf(EverheapException.class);
            break;
          }
        }
      }
    } catch (EverheapException e) {
      failed = true;
    }
    return failed;
  }

  private void check(
      SimulatedMedium medium, boolean sync, boolean dax, boolean killed, String how) {
    try (medium;
        Journal journal = JournalProcess.builder(medium, sync).open()) {
      if (killed || sync || dax) {
        assertThat(journal.nextSequence()).as(how).isGreaterThanOrEqualTo(acknowledged);
      }
      try (JournalReader reader = journal.reader()) {
        long count = 0;
        while (reader.next()) {
          assertThat(reader.bytes()).as(how).isEqualTo(record(reader.sequence()));
          count++;
        }
        assertThat(count).as(how).isEqualTo(journal.nextSequence() - journal.firstSequence());
      }
      assertThat(journal.append(record(journal.nextSequence()))).isNotNegative();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFullDiskFailsTheAppendThatNeedsASegmentAndNothingElse(boolean dax) {
    SimulatedMedium medium = dax ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
    try (Journal journal = JournalProcess.builder(medium, true).open()) {
      journal.append(record(0));
      medium.faults().fillDisk(1);
      Throwable refused = null;
      while (refused == null) {
        long next = journal.nextSequence();
        refused = catchThrowable(() -> journal.append(record(next)));
      }
      assertThat(refused).isInstanceOf(DiskFullException.class);
      long next = journal.nextSequence();
      assertThat(journal.read(next - 1)).isEqualTo(record(next - 1));
      journal.truncateBefore(next); // makes room
      assertThat(journal.append(record(next))).isEqualTo(next);
      medium.faults().freeSpace();
    }
  }

  @ParameterizedTest
  @CsvSource({"false,true", "false,false", "true,true"})
  void aClaimOnAFailedJournalIsRefusedAndKeepsNobodyFromClosing(boolean dax, boolean sync)
      throws Exception {
    for (boolean commit : new boolean[] {true, false}) {
      SimulatedMedium medium = dax ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
      Journal journal = JournalProcess.builder(medium, sync).open();
      journal.append(record(0));
      Claim claim = journal.claim(20);
      medium.faults().failSync(1);
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    var _ = catchThrowable(() -> fail(journal));
                  });
      other.join();
      if (commit) {
        assertThat(catchThrowable(claim::commit))
            .isInstanceOf(StoppedException.class)
            .hasMessageContaining("(EH-JOURNAL-FAILED)");
        assertThat(catchThrowable(() -> journal.claim(20)))
            .isInstanceOf(StoppedException.class)
            .hasMessageContaining("(EH-JOURNAL-FAILED)");
        assertThat(catchThrowable(() -> journal.tryClaim(20)))
            .isInstanceOf(StoppedException.class)
            .hasMessageContaining("(EH-JOURNAL-FAILED)");
      }
      journal.close();
      if (!commit) {
        assertThat(catchThrowable(claim::commit))
            .isInstanceOf(ClosedException.class)
            .hasMessageContaining("(EH-JOURNAL-CLOSED)");
      }
      try (SimulatedMedium after = medium.image().processKill();
          Journal again = JournalProcess.builder(after, sync).open()) {
        assertThat(again.nextSequence()).isEqualTo(1);
      }
    }
  }

  private static void fail(Journal journal) {
    journal.truncateBefore(1);
  }

  @Test
  void anAppendCostsOneForceOrOneDurableWriteAndNothingElse() {
    for (boolean dax : new boolean[] {true, false}) {
      SimulatedMedium medium = dax ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
      try (Journal journal = JournalProcess.builder(medium, true).open()) {
        journal.append(new byte[40]);
        CrashPoint.Kind kind = dax ? CrashPoint.Kind.FORCE : CrashPoint.Kind.DURABLE_WRITE;
        CrashPoint.Kind[] others = {CrashPoint.Kind.SYNC, CrashPoint.Kind.WRITE};
        long before = medium.count(kind);
        long before0 = medium.count(others[0]) + medium.count(others[1]);
        long clean = medium.cleanLines();
        for (int i = 0; i < 20; i++) {
          journal.append(new byte[40]);
        }
        assertThat(medium.count(kind) - before).isEqualTo(20);
        assertThat(medium.count(others[0]) + medium.count(others[1])).isEqualTo(before0);
        assertThat(medium.cleanLines()).isEqualTo(clean);
        assertThat(medium.idleForces()).isZero();
      }
    }
  }
}
