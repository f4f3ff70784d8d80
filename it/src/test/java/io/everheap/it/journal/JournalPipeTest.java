package io.everheap.it.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.support.Limit;
import io.everheap.support.tier.Processes;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code journal append} and {@code tail} between pipes, as in a shell. */
@Processes
class JournalPipeTest {
  private static final int LINES = 1_000_000;

  @TempDir private Path directory;

  private String journal() {
    return directory.resolve("j").toString();
  }

  private static String line(long i) {
    return "2026-01-31T12:00:00." + i % 1000 + "Z host app[42]: request " + i + " took 3 ms";
  }

  private static void write(OutputStream to, long from, long count) throws IOException {
    for (long i = from; i < from + count; i++) {
      to.write(line(i).getBytes(UTF_8));
      to.write('\n');
    }
    to.flush();
  }

  /**
   * Ends a process as Ctrl-C does, but by another signal: that of Ctrl-C is ignored by children of
   * shells that run in the background. Returns its exit code.
   */
  private static int interrupt(Process process) throws Exception {
    process.destroy();
    return process.waitFor();
  }

  @Test
  void aMillionLinesGoThroughAndComeBack() throws Exception {
    Process append = Child.everheap("journal", "append", journal()).start();
    try (OutputStream to = new BufferedOutputStream(append.getOutputStream(), 1 << 16)) {
      write(to, 0, LINES);
    }
    String said = new String(append.getInputStream().readAllBytes(), UTF_8);
    assertThat(append.waitFor()).as(said).isZero();
    assertThat(said).contains("1,000,000 records appended");

    Process tail = Child.everheap("journal", "tail", "--from", "0", journal()).start();
    try (BufferedReader from = tail.inputReader(UTF_8)) {
      for (long i = 0; i < LINES; i++) {
        String found = from.readLine();
        if (!line(i).equals(found)) {
          throw new AssertionError("line " + i + " is " + found);
        }
      }
      assertThat(from.readLine()).isNull();
    }
    assertThat(tail.waitFor()).isZero();
  }

  @Test
  void tailEndsWhenNobodyReadsAnyMore() throws Exception {
    Path lines = directory.resolve("lines");
    try (OutputStream to = new BufferedOutputStream(Files.newOutputStream(lines))) {
      write(to, 0, 100_000);
    }
    assertThat(
            Child.everheap("journal", "append", "--file", lines.toString(), journal())
                .start()
                .waitFor())
        .isZero();
    for (String follow : new String[] {"--count=99999", "-f"}) {
      Process tail = Child.everheap("journal", "tail", "--from", "0", follow, journal()).start();
      try (BufferedReader from = tail.inputReader(UTF_8)) {
        assertThat(from.readLine()).isEqualTo(line(0));
      } // as head -1 closes the pipe
      Limit.waitFor(tail);
    }
  }

  @Test
  void interruptedCommandsLeaveWhatWasAppended() throws Exception {
    Process append = Child.everheap("journal", "append", journal()).start();
    OutputStream to = append.getOutputStream();
    write(to, 0, 1000);
    try (Journal reading = awaitJournal();
        JournalReader reader = reading.reader(0)) {
      while (reader.nextSequence() < 1000) {
        assertThat(reader.next(Limit.limit())).isTrue();
      }
    }
    Process tail = Child.everheap("journal", "tail", "-f", "--from", "999", journal()).start();
    try (InputStream in = tail.getInputStream()) {
      assertThat(in.read()).isEqualTo('2'); // it prints the last line and follows
      assertThat(interrupt(append)).isEqualTo(128 + 15);
      assertThat(interrupt(tail)).isEqualTo(128 + 15);
    }
    Process verify = Child.everheap("journal", "verify", journal()).start();
    assertThat(new String(verify.getInputStream().readAllBytes(), UTF_8))
        .startsWith("OK: 1,000 sound records");
    try (Journal journal = Journal.open(directory.resolve("j"))) {
      assertThat(journal.nextSequence()).isEqualTo(1000);
      assertThat(new String(journal.read(999), UTF_8)).isEqualTo(line(999));
    }
  }

  /** The command makes the journal at some time. */
  private Journal awaitJournal() {
    Limit.until("the journal exists", () -> Files.exists(directory.resolve("j/journal")));
    return Journal.builder(directory.resolve("j")).readOnly().open();
  }
}
