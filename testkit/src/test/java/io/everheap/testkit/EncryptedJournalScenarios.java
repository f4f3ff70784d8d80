package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.EncryptionException;
import io.everheap.journal.Journal;
import io.everheap.journal.SimulatedBackups;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.MediumFile;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.ByteBuffer;
import java.util.List;

/** What the tests of the tests run against deliberate mistakes in encrypted journals. */
public final class EncryptedJournalScenarios {
  static final KeyProvider KEY = KeyProvider.of(new byte[32]);
  private static final int SEEDS = 2 * Integer.getInteger("everheap.crash.effort", 1);

  private EncryptedJournalScenarios() {}

  /** Crashes at random; appends are durable when they return, or later. */
  public static void file() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      explore(
          seed,
          40,
          seed % 2 == 0,
          List.of(new Explorer.Effort(5, 50, 4), new Explorer.Effort(1, 2, 1)),
          new CrashReport());
    }
  }

  static void explore(
      int seed, int work, boolean sync, List<Explorer.Effort> efforts, CrashReport report) {
    new Explorer(seed, efforts, report)
        .explore(() -> new JournalProcess(seed, work, sync, KEY), () -> SimulatedMedium.file(seed));
  }

  /** A journal of some segments, closed or not. */
  private static SimulatedMedium made(boolean close) {
    SimulatedMedium medium = SimulatedMedium.file(1);
    Journal journal = JournalProcess.builder(medium, true, KEY).open();
    for (int i = 0; i < 600; i++) {
      journal.append(record(i));
    }
    if (close) {
      journal.close();
    }
    return medium.processKill();
  }

  private static byte[] record(long sequence) {
    return ByteBuffer.allocate(80).putLong(sequence).array();
  }

  /** The newest record is changed: nobody who may append takes that for a torn tail. */
  public static void changedEnd() {
    SimulatedMedium medium = made(false);
    String newest =
        medium.list("").stream()
            .filter(SegmentLayout::isSegment)
            .filter(name -> lastSector(bytes(medium, name)) >= 4096 + 4608) // it has records
            .toList()
            .getLast();
    byte[] bytes = bytes(medium, newest);
    bytes[lastSector(bytes) + 200] ^= 1;
    write(medium, newest, bytes);
    assertThatThrownBy(() -> JournalProcess.builder(medium, true, KEY).open())
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-JOURNAL)");
  }

  private static int lastSector(byte[] bytes) {
    for (int at = bytes.length - 512; at > 0; at -= 512) {
      if (bytes[at + 8] != 0) { // in the salt
        return at;
      }
    }
    return 0;
  }

  private static byte[] bytes(SimulatedMedium medium, String name) {
    try (MediumFile file = medium.open(name)) {
      byte[] bytes = new byte[(int) file.size()];
      file.read(ByteBuffer.wrap(bytes), 0);
      return bytes;
    }
  }

  private static void write(SimulatedMedium medium, String name, byte[] bytes) {
    try (MediumFile file = medium.open(name)) {
      file.write(ByteBuffer.wrap(bytes), 0);
      file.sync();
    }
  }

  /**
   * Somebody who reads with files of their own sees what is appended, also while a segment fills.
   */
  public static void watched() {
    SimulatedMedium medium = SimulatedMedium.file(1);
    try (Journal journal = JournalProcess.builder(medium, true, KEY).open();
        Journal watched =
            JournalProcess.builder(BackupProcess.unclosed(medium), true, KEY).readOnly().open()) {
      for (int i = 0; i < 300; i++) {
        journal.append(record(i));
        assertThat(watched.nextSequence()).isEqualTo(i + 1);
        assertThat(watched.read(i)).isEqualTo(record(i));
      }
    }
  }

  /** An encrypted journal is backed up, but not in plaintext. */
  public static void backups() {
    try (Journal journal = JournalProcess.builder(SimulatedMedium.file(1), true, KEY).open()) {
      journal.append(record(0));
      SimulatedMedium disk = SimulatedMedium.file(2);
      assertThatThrownBy(
              () -> new SimulatedBackups(() -> BackupProcess.unclosed(disk)).all().take(journal))
          .isInstanceOf(EncryptionException.class);
    }
  }
}
