package io.everheap.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.error.GoneException;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap journal tail DIR}: prints the newest records, and those to come. */
@Command(
    name = "tail",
    description = {
      "Prints records of a journal, one a line; bytes that are not UTF-8 are replaced.",
      "Other processes may append meanwhile. With -f it runs until it is interrupted."
    })
final class JournalTailCommand implements Callable<Integer> {
  /** How many records are printed between two checks for closed output. */
  private static final int LOOK = 1000;

  @Spec private CommandSpec spec;
  @Mixin private KeyOptions keys;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the journal.")
  private Path directory;

  @Option(
      names = {"-n", "--lines"},
      paramLabel = "N",
      description = "Begin with the last N records (default: 10).")
  private long lines = 10;

  @Option(
      names = "--from",
      paramLabel = "SEQUENCE",
      description = "Begin with this record instead.")
  private @Nullable Long from;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Begin with the first record since then, such as 2026-01-31T12:00:00Z.")
  private @Nullable String since;

  @Option(
      names = {"-f", "--follow"},
      description = "Wait for more.")
  private boolean follow;

  @Option(names = "--count", paramLabel = "N", description = "Stop after N records.")
  private long count = Long.MAX_VALUE;

  @Option(
      names = {"-s", "--sequences"},
      description = "Print the sequence, and the time if there is one, before each record.")
  private boolean sequences;

  @Option(
      names = "--json",
      description =
          "Print each record as a line of JSON: sequence, time if there is one, and text, or bytes in"
              + " base64 if it is no UTF-8.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException, IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (Journal journal = keys.journal(directory).readOnly().open();
        JournalReader reader = journal.reader(start(journal))) {
      try {
        print(out, reader);
      } finally {
        out.flush(); // also the records before damage
      }
    }
    return ExitCode.OK;
  }

  private void print(PrintWriter out, JournalReader reader)
      throws InterruptedException, IOException {
    long left = count;
    while (left > 0) {
      try {
        if (!reader.next()) {
          if (!follow || out.checkError()) {
            break;
          }
          if (!reader.next(Duration.ofSeconds(1))) {
            continue;
          }
        }
        printRecord(out, reader);
        left--;
        if (left % LOOK == 0 && out.checkError()) {
          break; // the output is closed
        }
      } catch (GoneException e) {
        out.flush();
        spec.commandLine().getErr().println("everheap: " + e.getMessage() + "; continuing there");
        reader.seek(Math.clamp(reader.nextSequence(), e.first(), e.next()));
      }
    }
  }

  private long start(Journal journal) {
    Long wanted = from;
    String time = since;
    if (wanted != null) {
      return clamp(wanted, journal);
    }
    if (time != null) {
      try {
        return journal.firstSince(Instant.parse(time)).orElse(journal.nextSequence());
      } catch (DateTimeParseException e) {
        throw new ParameterException(
            spec.commandLine(), "--since is not a time: " + e.getMessage(), e);
      }
    }
    long next = journal.nextSequence();
    return Math.max(journal.firstSequence(), next - Math.max(0, lines));
  }

  /**
   * The existing record nearest to a sequence; other processes may release and cut records
   * meanwhile.
   */
  private static long clamp(long wanted, Journal journal) {
    long first = journal.firstSequence();
    return Math.clamp(wanted, first, Math.max(first, journal.nextSequence()));
  }

  private void printRecord(PrintWriter out, JournalReader reader) throws IOException {
    if (json) {
      printJson(out, reader);
      return;
    }
    if (sequences) {
      out.print(reader.sequence());
      out.print('\t');
      reader.time().ifPresent(time -> out.print(time + "\t"));
    }
    out.print(new String(reader.bytes(), UTF_8));
    out.print(System.lineSeparator()); // println would flush
  }

  private static void printJson(PrintWriter out, JournalReader reader) throws IOException {
    try (JsonGenerator line = Json.lines(out)) {
      line.writeStartObject();
      line.writeNumberField("sequence", reader.sequence());
      if (reader.time().isPresent()) {
        line.writeStringField("time", reader.time().get().toString());
      }
      byte[] bytes = reader.bytes();
      try {
        line.writeStringField("text", UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      } catch (CharacterCodingException e) {
        line.writeBinaryField("bytes", bytes);
      }
      line.writeEndObject();
    }
    out.print('\n');
  }
}
