package io.everheap.cli;

import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
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

/** {@code everheap journal append DIR}: each line becomes a record. */
@Command(
    name = "append",
    description = {
      "Appends the lines of the standard input or of a file to a journal, which is created if there is"
          + " none; each line becomes a record, without its line feed.",
      "Lines that arrive together become durable together: all of them or none.",
      "With --key the journal is encrypted, also one that is created."
    })
final class JournalAppendCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private KeyOptions keys;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the journal.")
  private Path directory;

  @Option(names = "--file", paramLabel = "FILE", description = "Read this instead of the input.")
  private @Nullable Path file;

  @Option(
      names = "--async",
      paramLabel = "MILLIS",
      description = "Do not wait for the disk: sync in the background, so often.")
  private @Nullable Integer async;

  @Option(names = "--timestamps", description = "Keep the time of each record.")
  private boolean timestamps;

  @Option(
      names = "--segment-mib",
      paramLabel = "N",
      description = "Size of new segments; 32 unless given.")
  private @Nullable Integer segmentMib;

  @Option(
      names = "--retain-mib",
      paramLabel = "N",
      description = "Release the oldest records when there are more MiB.")
  private @Nullable Long retainMib;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (Journal journal = builder().open();
        InputStream in = file == null ? System.in : Files.newInputStream(file)) {
      long total = file == null ? 0 : Files.size(file);
      Bar bar = new Bar(out, !json && total > 0 && Bar.onTerminal());
      LineSplitter lines = new LineSplitter(in);
      long first = journal.nextSequence();
      long start = System.nanoTime();
      for (List<byte[]> some = lines.next(); !some.isEmpty(); some = lines.next()) {
        journal.appendAll(some);
        bar.update("appending", (double) lines.bytes() / Math.max(1, total));
      }
      journal.force();
      bar.clear();
      long end = journal.nextSequence();
      long nanos = System.nanoTime() - start;
      if (json) {
        Json.document(
            out,
            document -> {
              document.writeStartObject();
              document.writeNumberField("records", end - first);
              document.writeNumberField("bytes", lines.bytes());
              document.writeNumberField("firstSequence", first);
              document.writeNumberField("nextSequence", end);
              document.writeNumberField("millis", nanos / 1e6);
              document.writeEndObject();
            });
      } else {
        out.println(
            String.format(
                Locale.ROOT,
                "%s records appended (%s) in %s%s.",
                Text.count(end - first),
                Text.bytes(lines.bytes()),
                Text.nanos(nanos),
                end == first
                    ? ""
                    : String.format(Locale.ROOT, ", sequences %d to %d", first, end - 1)));
        out.flush();
      }
    }
    return ExitCode.OK;
  }

  private JournalBuilder builder() {
    try {
      JournalBuilder builder = keys.journal(directory);
      if (async != null) {
        builder.async(Duration.ofMillis(async));
      }
      if (timestamps) {
        builder.timestamps();
      }
      if (segmentMib != null) {
        builder.segmentSize(Math.multiplyExact(segmentMib, 1 << 20));
      }
      if (retainMib != null) {
        builder.retainBytes(Math.multiplyExact(retainMib, 1L << 20));
      }
      return builder;
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
