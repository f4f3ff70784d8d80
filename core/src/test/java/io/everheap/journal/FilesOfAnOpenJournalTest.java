package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.error.StoppedException;
import io.everheap.log.SegmentLayout;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people do to the files of a journal that is open is noticed within about a second. */
@Campaign
class FilesOfAnOpenJournalTest {
  /** Appends after which append is compiled. */
  private static final int WARM = 300_000;

  @TempDir Path temp;

  /** Does something to the files of an open journal. */
  interface Deed {
    void to(Path journal) throws IOException;
  }

  /** What is noticed, and what the error names. */
  @SuppressWarnings("ImmutableEnumChecker")
  enum Noticed {
    STATE_DELETED("journal was deleted", dir -> Files.delete(dir.resolve("journal"))),
    STATE_OVERWRITTEN(
        "journal was overwritten", dir -> overwrite(dir.resolve("journal"), new byte[8192])),
    NEWEST_SEGMENT_DELETED("was deleted or renamed", dir -> Files.delete(newest(dir))),
    NEWEST_SEGMENT_RENAMED(
        "was deleted or renamed", dir -> Files.move(newest(dir), dir.resolve("aside"))),
    NEWEST_SEGMENT_CUT("was cut to", dir -> cut(newest(dir), 100)),
    NEWEST_SEGMENT_REPLACED("was replaced", dir -> replace(newest(dir))),
    OLD_SEGMENT_DELETED("was deleted or renamed", dir -> Files.delete(segments(dir).getFirst())),
    DIRECTORY_RENAMED(
        "was moved, deleted, replaced or unmounted",
        dir -> Files.move(dir, dir.resolveSibling("elsewhere"))),
    DIRECTORY_DELETED(
        "was moved, deleted, replaced or unmounted", FilesOfAnOpenJournalTest::deleteTree);

    final String said;
    final Deed deed;

    Noticed(String said, Deed deed) {
      this.said = said;
      this.deed = deed;
    }
  }

  @ParameterizedTest
  @EnumSource(Noticed.class)
  void theJournalStops(Noticed what) throws Exception {
    noticed(what, builder(false));
  }

  @ParameterizedTest
  @EnumSource(
      value = Noticed.class,
      names = {"NEWEST_SEGMENT_CUT", "NEWEST_SEGMENT_DELETED", "DIRECTORY_RENAMED"})
  void soDoesOneThatDoesNotWait(Noticed what) throws Exception {
    noticed(what, builder(true));
  }

  /** Compiled code skips a store that faults, and throws the error later. */
  @Test
  void anAppendThatIsCompiledIsNotAcknowledgedAfterTheCut() throws Exception {
    try (Journal journal = builder(true).segmentSize(64 << 20).open()) { // all in one segment
      for (int i = 0; i < WARM; i++) {
        journal.append(text(i));
      }
      cut(segments(temp.resolve("j")).getFirst(), 100);
      assertStopped(journal, () -> journal.append(text(WARM)));
      assertThat(journal.nextSequence()).isEqualTo(WARM);
    }
  }

  /** Within less than a second, appends would give the segment back its size, with a hole. */
  @Test
  void soIsTheAppendThatWouldHideTheCut() throws Exception {
    try (Journal journal = builder(false).segmentSize(64 << 10).open()) {
      journal.append(text(0));
      cut(segments(temp.resolve("j")).getFirst(), 100);
      assertThatExceptionOfType(EverheapException.class)
          .isThrownBy(
              () -> {
                while (journal.nextSequence() * text(0).length < 64 << 10) {
                  journal.append(text(1));
                }
              })
          .withMessageContaining(" was cut to ");
      assertThatExceptionOfType(StoppedException.class)
          .isThrownBy(journal::force)
          .withMessageContaining("(EH-JOURNAL-FAILED)");
    }
  }

  /** The checksum of a page that is gone would crash the virtual machine. */
  @Test
  void aLargeAppendAfterTheCutIsRefused() throws Exception {
    try (Journal journal = builder(true).open()) {
      journal.append(text(0));
      cut(segments(temp.resolve("j")).getFirst(), 100);
      assertStopped(journal, () -> journal.append(new byte[1 << 20]));
    }
  }

  @Test
  void soAreSeveralAtOnce() throws Exception {
    try (Journal journal = builder(true).open()) {
      journal.append(text(0));
      cut(segments(temp.resolve("j")).getFirst(), 100);
      assertStopped(journal, () -> journal.appendAll(List.of(text(1), new byte[100_000])));
    }
  }

  @Test
  void soIsAClaimThatWasFilledBefore() throws Exception {
    try (Journal journal = builder(true).open()) {
      Claim claim = journal.claim(1 << 20);
      claim.memory().fill((byte) 1);
      cut(segments(temp.resolve("j")).getFirst(), 100);
      assertStopped(journal, claim::commit);
    }
  }

  /** It looks at its files before it stores the mark of the segment's end. */
  @Test
  void anAppendThatNeedsTheNextSegmentNoticesTheCut() throws Exception {
    try (Journal journal = builder(true).open()) {
      journal.append(text(0));
      cut(segments(temp.resolve("j")).getFirst(), 100);
      assertThatExceptionOfType(MediumException.class)
          .isThrownBy(() -> journal.append(new byte[(4 << 20) - 4096]))
          .withMessageContaining("was cut to 100 bytes");
      assertThatExceptionOfType(StoppedException.class)
          .isThrownBy(journal::force)
          .withMessageContaining("(EH-JOURNAL-FAILED)");
    }
  }

  private static void assertStopped(Journal journal, ThrowingCallable append) {
    assertThatExceptionOfType(StoppedException.class)
        .isThrownBy(append)
        .withMessageContaining("(EH-JOURNAL-FAILED)")
        .withMessageContaining("was cut to 100 bytes");
    assertThatExceptionOfType(StoppedException.class)
        .isThrownBy(journal::force)
        .withMessageContaining("(EH-JOURNAL-FAILED)");
  }

  private JournalBuilder builder(boolean async) {
    JournalBuilder builder = Journal.builder(temp.resolve("j")).segmentSize(4 << 20);
    return async ? builder.async(Duration.ofSeconds(60)) : builder;
  }

  private void noticed(Noticed what, JournalBuilder builder) throws Exception {
    try (Journal journal = builder.open()) {
      journal.append(new byte[3 << 20]);
      journal.append(new byte[2 << 20]); // in another segment
      what.deed.to(temp.resolve("j"));
      appendUntilStopped(journal, what.said);
      assertThatExceptionOfType(StoppedException.class)
          .isThrownBy(journal::force)
          .withMessageContaining("(EH-JOURNAL-FAILED)");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasRenamedAndPutBackLosesNothing(boolean async) throws Exception {
    long acknowledged;
    try (Journal journal = builder(async).open()) {
      journal.append(text(0));
      Files.move(temp.resolve("j"), temp.resolve("elsewhere"));
      acknowledged = appendUntilStopped(journal, "was moved");
    }
    Files.move(temp.resolve("elsewhere"), temp.resolve("j"));
    try (Journal journal = builder(async).open()) {
      assertThat(journal.nextSequence()).isGreaterThanOrEqualTo(acknowledged);
      for (long i = 0; i < acknowledged; i++) {
        assertThat(journal.read(i)).isEqualTo(text(i));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readingASegmentThatWasCutNamesIt(boolean async) throws Exception {
    Journal journal = builder(async).open();
    try {
      journal.append(new byte[3 << 20]);
      journal.append(new byte[2 << 20]);
      Path first = segments(temp.resolve("j")).getFirst();
      journal.read(0, record -> 0);
      cut(first, 4096);
      assertThatExceptionOfType(CorruptException.class)
          .isThrownBy(() -> journal.read(0))
          .withMessageContaining("(EH-CORRUPT-JOURNAL)")
          .withMessageContaining(first.getFileName().toString());
    } finally {
      try {
        journal.close();
      } catch (MediumException e) { // if the segment is still in use
        assertThat(e).hasMessageContaining("was cut to 4096 bytes");
      }
    }
  }

  /** Returns the sequence behind the last one that was acknowledged. */
  private static long appendUntilStopped(Journal journal, String said) {
    long[] next = {journal.nextSequence()};
    Limit.until(
        "the journal is stopped",
        () -> {
          try {
            for (int i = 0; i < 1000; i++) {
              next[0] = journal.append(text(next[0])) + 1;
            }
            return false;
          } catch (StoppedException e) {
            assertThat(e).hasMessageContaining(said);
            return true;
          } catch (MediumException e) {
            assertThat(e).hasMessageContaining(said); // the segment that it needs cannot be made
            return false;
          }
        });
    return next[0];
  }

  private static byte[] text(long sequence) {
    return ("record " + sequence).getBytes(StandardCharsets.UTF_8);
  }

  /** The segments with records, oldest first. */
  private static List<Path> segments(Path journal) throws IOException {
    try (Stream<Path> files = Files.list(journal)) {
      return files
          .filter(file -> SegmentLayout.isSegment(file.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  private static Path newest(Path journal) throws IOException {
    return segments(journal).get(1);
  }

  private static void cut(Path file, long size) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    }
  }

  private static void overwrite(Path file, byte[] with) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(with));
    }
  }

  private static void replace(Path file) throws IOException {
    Path copy = file.resolveSibling("a-copy");
    Files.copy(file, copy);
    Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void deleteTree(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
