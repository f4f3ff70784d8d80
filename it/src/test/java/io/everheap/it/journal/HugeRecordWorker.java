package io.everheap.it.journal;

import io.everheap.journal.Claim;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import io.everheap.journal.JournalCheck;
import io.everheap.journal.JournalReader;
import io.everheap.journal.JournalSalvage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;

/** Appends, reads, checks and salvages a huge record with little heap. */
public final class HugeRecordWorker {
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  private HugeRecordWorker() {}

  /** Takes a directory, a number of bytes, and "sync" or "async". */
  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    int size = Integer.parseInt(arguments[1]);
    JournalBuilder builder = Journal.builder(directory.resolve("j")).onFiles();
    if (arguments[2].equals("async")) {
      builder.async(Duration.ofMillis(50));
    }
    try (Journal journal = builder.open()) {
      journal.append(new byte[10]);
      try (Claim claim = journal.claim(size)) {
        for (long at = 0; at + 8 <= size; at += 8) {
          claim.memory().set(WORD, at, at * 31);
        }
        claim.commit();
      }
      journal.append(new byte[20]);
      journal.truncateBefore(1);
      journal.force();
    }
    try (Journal journal = builder.open();
        JournalReader reader = journal.reader()) {
      requireThat(reader.next() && reader.sequence() == 1, "the reader begins with the record");
      MemorySegment data = reader.data();
      requireThat(data.byteSize() == size, "its length is " + data.byteSize());
      for (long at = 0; at + 8 <= size; at += 8) {
        if (data.get(WORD, at) != at * 31) {
          throw new AssertionError("byte " + at);
        }
      }
      requireThat(reader.next() && reader.data().byteSize() == 20, "another record follows");
    }
    JournalCheck check = JournalCheck.verify(directory.resolve("j"));
    requireThat(check.ok() && check.records() == 2, "the check says " + check);
    JournalSalvage salvage =
        JournalSalvage.copy(directory.resolve("j"), directory.resolve("s"), (done, all) -> {});
    requireThat(salvage.records() == 2 && salvage.lost().isEmpty(), "salvage says " + salvage);
    System.out.println("as it should be");
  }

  private static void requireThat(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }
}
