package io.everheap.benchmarks.journal;

import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import io.everheap.memory.MediumSetting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Everheap's journal. */
final class JournalLoop implements AppendLoop {
  private static final int SEGMENT = 32 << 20;

  private final Journal journal;
  private final int ahead;

  private JournalLoop(JournalBuilder builder, int ahead) {
    this.ahead = ahead;
    this.journal = builder.segmentSize(SEGMENT).ahead(ahead).open();
  }

  /** On memory whose cache lines are written back, with all segments ready, as libpmemlog's are. */
  static JournalLoop onEmulatedDax(Path directory, long records) {
    int ahead = (int) Math.min(1024, records * Text.MOST / (SEGMENT - 8192) + 2);
    return new JournalLoop(
        MediumSetting.medium(
            Journal.builder(directory.resolve("j")),
            EmulatedDaxMedium.open(directory.resolve("j"))),
        ahead);
  }

  /** On a file, with a sync in the background. */
  static JournalLoop async(Path directory, long records) {
    int ahead = (int) Math.min(1024, records * Text.MOST / (SEGMENT - 8192) + 2);
    return new JournalLoop(
        Journal.builder(directory.resolve("j")).onFiles().async(Duration.ofMillis(10)), ahead);
  }

  @Override
  public void prepare() {
    journal.force();
    journal.truncateBefore(journal.nextSequence());
    while (journal.info().unusedBytes() < (long) ahead * SEGMENT) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public void append(long records) {
    for (long i = 0; i < records; i++) {
      journal.append(Text.record(i));
    }
  }

  @Override
  public void close() {
    journal.close();
  }
}
