package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.EverheapException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.memory.MediumFile;
import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Inverts bits of each byte of a small journal in turn, up to the last one that is not zero in each
 * file; all eight with {@code -Deverheap.crash.effort=2}, one otherwise. No record is ever wrong. A
 * journal that was closed has them all or names the damage; one that lost its power may also lose
 * its newest records, which nothing proves to have been durable.
 */
@Campaign
class JournalEveryBitTest {
  private static final int STEP = Integer.getInteger("everheap.crash.effort", 1) > 1 ? 1 : 8;
  private static final int RECORDS = 12;
  private static final int CUT = 8; // the records behind it were appended twice

  private int refused;

  @ParameterizedTest
  @CsvSource({"false,true", "false,false", "true,true"})
  void ofAClosedJournal(boolean dax, boolean sync) {
    SimulatedMedium medium = medium(dax);
    fill(medium, sync).close();
    flipAll(medium.image(), sync, RECORDS);
    assertThat(refused).as("damages that were named").isGreaterThan(200);
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void ofAJournalThatLostItsPower(boolean dax) {
    SimulatedMedium medium = medium(dax);
    fill(medium, true);
    // On files the last write holds what says so itself; on DAX the last record has nothing behind.
    flipAll(medium.image(), true, dax ? RECORDS - 1 : RECORDS - 2);
    assertThat(refused).as("damages that were named").isGreaterThan(200);
  }

  private static SimulatedMedium medium(boolean dax) {
    return dax ? SimulatedMedium.dax(1) : SimulatedMedium.file(1);
  }

  /** Records in two segments of two epochs, and a file that was released. */
  private static Journal fill(SimulatedMedium medium, boolean sync) {
    Journal journal = JournalProcess.builder(medium, sync).open();
    for (int i = 0; i < RECORDS - 2; i++) {
      journal.append(record(i));
    }
    journal.truncateAfter(CUT - 1);
    for (int i = CUT; i < RECORDS; i++) {
      journal.append(record(i));
    }
    journal.force();
    return journal;
  }

  private static byte[] record(long sequence) {
    return ByteBuffer.allocate(12 + (int) sequence).putLong(sequence).array();
  }

  private void flipAll(CrashImage image, boolean sync, long least) {
    SimulatedMedium whole = image.powerLoss(Chooser.none());
    for (String name : whole.list("")) {
      byte[] bytes = bytes(whole, name);
      int last = bytes.length - 1;
      while (last >= 0 && bytes[last] == 0) {
        last--;
      }
      for (int at = 0; at <= last; at++) {
        for (int bit = at % STEP; bit < 8; bit += STEP) {
          flip(image, name, at, bit, sync, least);
        }
      }
    }
  }

  private void flip(CrashImage image, String file, int at, int bit, boolean sync, long least) {
    SimulatedMedium damaged = image.powerLoss(Chooser.none());
    damaged.flipBit(file, at, bit);
    String where = String.format(Locale.ROOT, "bit %d of byte %d of %s", bit, at, file);
    try (damaged;
        Journal journal = JournalProcess.builder(damaged, sync).open();
        JournalReader reader = journal.reader()) {
      assertThat(journal.firstSequence()).as(where).isZero();
      assertThat(journal.nextSequence()).as(where).isBetween(least, (long) RECORDS);
      while (reader.next()) {
        assertThat(reader.bytes()).as(where).isEqualTo(record(reader.sequence()));
      }
      assertThat(reader.nextSequence()).as(where).isEqualTo(journal.nextSequence());
    } catch (EverheapException e) {
      refused++;
      assertThat(e.code()).as(where).startsWith("EH-");
      assertThat(e).as(where).hasMessageContaining(damaged.location());
    }
  }

  private static byte[] bytes(SimulatedMedium medium, String name) {
    try (MediumFile file = medium.open(name)) {
      ByteBuffer buffer = ByteBuffer.allocate((int) file.size());
      file.read(buffer, 0);
      return buffer.array();
    }
  }
}
