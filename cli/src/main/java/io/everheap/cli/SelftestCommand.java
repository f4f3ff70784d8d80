package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.cli.demo.KillRounds;
import io.everheap.error.EverheapException;
import io.everheap.memory.NewFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code everheap selftest --dir DIR}: tests the guarantees of the library on the user's own disk.
 */
@Command(
    name = "selftest",
    description = {
      "Tests the library's guarantees on this machine and file system. The tests cover commits,"
          + " reopening, locking between processes, reading without writing, a truncated file, and"
          + " kill -9 of a process that writes in several threads. They use a new directory in DIR,"
          + " which is deleted at the end.",
      "Exit code 0: passed; 1: something failed, and the directory is kept; 2: it could not run."
    },
    exitCodeOnExecutionException = SelftestCommand.COULD_NOT_RUN,
    sortOptions = false)
final class SelftestCommand implements Callable<Integer> {
  static final int COULD_NOT_RUN = 2;

  private static final int LEAST_SECONDS = 6;
  private static final int MOST_SECONDS = 86_400;
  private static final int SECONDS_PER_KILL = 6;
  private static final int THREADS = 4;

  @Spec private CommandSpec spec;

  @Option(
      names = "--dir",
      required = true,
      paramLabel = "DIR",
      description = "A directory on the file system to be tried.")
  private Path directory;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "How long it takes, nearly (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds < LEAST_SECONDS || seconds > MOST_SECONDS) {
      throw new ParameterException(
          spec.commandLine(),
          String.format(
              Locale.ROOT,
              "--seconds must be %d to %d, not %d",
              LEAST_SECONDS,
              MOST_SECONDS,
              seconds));
    }
    if (!Files.isDirectory(directory)) {
      throw new ParameterException(
          spec.commandLine(), "--dir " + directory + " is not a directory");
    }
    Path own = NewFiles.createTempDirectory(directory.toAbsolutePath(), "everheap-selftest-");
    Selftest test = new Selftest(own);
    PrintWriter out = json ? new PrintWriter(Writer.nullWriter()) : spec.commandLine().getOut();
    out.println("Trying " + directory + " for about " + seconds + " s ...");
    run(test, own, out);
    if (test.passed()) {
      delete(own);
    }
    if (json) {
      Json.document(spec.commandLine().getOut(), generator -> write(generator, test));
    } else {
      print(out, test);
      out.println(
          test.passed()
              ? "PASSED: this machine keeps what the library promises, as far as a program can tell."
              : "FAILED. What is left is in " + own);
      out.flush();
    }
    return test.passed() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void run(Selftest test, Path own, PrintWriter out)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    boolean terminal = !json && Bar.onTerminal();
    Bar bar = new Bar(out, terminal);
    try {
      bar.update("commits", 0);
      test.fileSystem();
      test.commits();
      bar.update("close and open", 0.05);
      test.reopening();
      bar.update("lock", 0.1);
      test.locking();
      bar.update("reading", 0.15);
      test.reading();
      test.truncation();
      bar.clear();
      test.add(kills(own, end, out, terminal));
    } catch (EverheapException e) {
      test.add(SelftestCheck.of("error", false, String.valueOf(e.getMessage())));
    } finally {
      bar.clear();
    }
    test.limits();
  }

  private SelftestCheck kills(Path own, long end, PrintWriter out, boolean terminal)
      throws IOException, InterruptedException {
    long left = Math.max(end - System.nanoTime(), Duration.ofSeconds(3).toNanos());
    int kills = Math.max(1, seconds / SECONDS_PER_KILL);
    KillRounds.Outcome outcome =
        KillRounds.run(
            own.resolve("bank"),
            Duration.ofNanos(left),
            kills,
            THREADS,
            new SplittableRandom().nextInt(1_000_000),
            out,
            terminal);
    String text =
        outcome.passed()
            ? String.format(
                Locale.ROOT,
                "%,d acknowledged transactions of %d threads survived %d kills; open again in %.0f ms",
                outcome.acknowledged(),
                THREADS,
                outcome.kills(),
                outcome.recoveryMillis())
            : outcome.problem();
    return SelftestCheck.of("kill -9", outcome.passed(), text);
  }

  static void print(PrintWriter out, Selftest test) {
    var table = new Table("Check", "Result", "Detail");
    for (SelftestCheck check : test.checks()) {
      table.row(check.name(), check.verdict().name().toLowerCase(Locale.ROOT), check.detail());
    }
    out.println();
    table.print(out);
    out.println();
  }

  static void write(JsonGenerator json, Selftest test) throws IOException {
    json.writeStartObject();
    json.writeBooleanField("passed", test.passed());
    json.writeArrayFieldStart("checks");
    for (SelftestCheck check : test.checks()) {
      json.writeStartObject();
      json.writeStringField("name", check.name());
      json.writeStringField("result", check.verdict().name().toLowerCase(Locale.ROOT));
      json.writeStringField("detail", check.detail());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
