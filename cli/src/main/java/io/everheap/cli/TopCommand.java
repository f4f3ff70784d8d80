package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.cli.terminal.PlainOutput;
import io.everheap.engine.counters.Counter;
import io.everheap.engine.counters.CountersReader;
import io.everheap.engine.counters.HeapCounters;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code everheap top DIR}: what a heap does that another process has open. */
@Command(
    name = "top",
    description = {
      "Shows once per second the activity of a heap that another process has open. That process"
          + " must have it open for writing: it publishes the counters in a file. Takes no lock and"
          + " reads no other file, so it disturbs nothing.",
      "Exit code 0: shown, until the heap was closed; 1: no process shows counters of this heap."
    })
final class TopCommand implements Callable<Integer> {
  private static final long PAUSE_MILLIS = 100;
  private static final String CLEAR = "\033[H\033[2J";

  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Option(names = "--once", description = "Print the newest counters and end.")
  private boolean once;

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean redraw = !once && !arguments.json() && Bar.onTerminal();
    PrintWriter out = spec.commandLine().getOut();
    long shown = 0;
    while (true) {
      HeapCounters counters = CountersReader.read(arguments.directory()).orElse(null);
      if (shown > 0 && (counters == null || counters.state() == HeapCounters.State.CLOSED)) {
        return ExitCode.OK; // it was closed
      }
      counters = requireLive(counters);
      if (counters.number() != shown) {
        shown = counters.number();
        if (arguments.json()) {
          printLine(out, counters);
        } else {
          PlainOutput.control(out, redraw ? CLEAR : "");
          print(out, arguments.directory(), counters);
        }
      }
      if (once || out.checkError()) {
        return ExitCode.OK;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** Says what is wrong if no process shows counters. */
  private HeapCounters requireLive(@Nullable HeapCounters counters) {
    Path directory = arguments.directory();
    if (counters == null || counters.state() == HeapCounters.State.CLOSED) {
      throw new RefusedException(
          directory
              + " shows no counters: no process has it open for writing, or not for a second yet;"
              + " info shows a heap that is not open");
    }
    if (counters.state() == HeapCounters.State.STALE) {
      throw new RefusedException(
          "the process "
              + counters.pid()
              + " that showed counters of "
              + directory
              + " ended without closing it, or cannot be seen from here; info shows what is there");
    }
    return counters;
  }

  static void print(PrintWriter out, Path directory, HeapCounters c) {
    out.println(
        String.format(
            Locale.ROOT,
            "%s  (process %d%s)",
            directory,
            c.pid(),
            c.state() == HeapCounters.State.POISONED ? ", POISONED: it must be reopened" : ""));
    line(
        out,
        "Transactions",
        "%s commits/s, %s aborts/s; %s and %s since it was opened",
        rate(c, Counter.COMMITS),
        rate(c, Counter.ABORTS),
        count(c, Counter.COMMITS),
        count(c, Counter.ABORTS));
    line(
        out,
        "Log",
        "%s/s; %s of %s in use; %s not durable yet",
        bytes(c.rate(Counter.APPENDED_LSN)),
        bytes(c, Counter.LOG_USED),
        bytes(c, Counter.LOG_SIZE),
        Text.bytes(value(c, Counter.APPENDED_LSN) - value(c, Counter.DURABLE_LSN)));
    line(
        out,
        "Checkpoint",
        "%s completed; replay would read %s; the next one writes %s",
        count(c, Counter.CHECKPOINTS),
        Text.bytes(value(c, Counter.APPENDED_LSN) - value(c, Counter.CHECKPOINT_LSN)),
        bytes(c, Counter.DIRTY));
    line(
        out,
        "Memory",
        "%s in private pages; %s to be brought up to date after a crash",
        bytes(c, Counter.PRIVATE),
        bytes(c, Counter.PENDING));
    line(
        out,
        "Home image",
        "%s, grown %s times",
        bytes(c, Counter.HOME_SIZE),
        count(c, Counter.GROWTHS));
    line(
        out,
        "Waits",
        "%s threads wait for their turn%s",
        count(c, Counter.WAITING_WRITERS),
        value(c, Counter.GATE_SHUT) == 0 ? "" : "; transactions wait for a checkpoint");
    long archived = value(c, Counter.ARCHIVED_LSN);
    line(
        out,
        "Archive",
        "%s",
        archived < 0
            ? "none"
            : Text.bytes(Math.max(0, value(c, Counter.APPENDED_LSN) - archived)) + " behind");
    out.println();
    out.flush();
  }

  private static void line(PrintWriter out, String name, String format, Object... values) {
    out.println(
        String.format(Locale.ROOT, "%-13s %s", name, String.format(Locale.ROOT, format, values)));
  }

  private static String rate(HeapCounters c, Counter counter) {
    OptionalDouble rate = c.rate(counter);
    return rate.isEmpty() ? "-" : String.format(Locale.ROOT, "%,.0f", rate.getAsDouble());
  }

  private static String bytes(OptionalDouble rate) {
    return rate.isEmpty() ? "-" : Text.bytes((long) rate.getAsDouble());
  }

  private static String bytes(HeapCounters c, Counter counter) {
    return Text.bytes(value(c, counter));
  }

  private static String count(HeapCounters c, Counter counter) {
    return Text.count(value(c, counter));
  }

  /** A counter that the file does not have, being of another version, is shown as 0. */
  private static long value(HeapCounters c, Counter counter) {
    return c.now().get(counter).orElse(0L);
  }

  private static void printLine(PrintWriter out, HeapCounters c) throws IOException {
    try (JsonGenerator json = Json.lines(out)) {
      json.writeStartObject();
      json.writeStringField("id", c.heap().toString());
      json.writeNumberField("pid", c.pid());
      json.writeStringField("state", c.state().name().toLowerCase(Locale.ROOT));
      json.writeNumberField("publication", c.number());
      json.writeNumberField("millis", c.now().millis());
      json.writeObjectFieldStart("values");
      for (var value : c.now().values().entrySet()) {
        json.writeNumberField(value.getKey(), value.getValue());
      }
      json.writeEndObject();
      json.writeObjectFieldStart("perSecond");
      for (Counter counter : Counter.values()) {
        OptionalDouble rate = c.rate(counter);
        if (counter.grows() && rate.isPresent()) {
          json.writeNumberField(counter.label(), rate.getAsDouble());
        }
      }
      json.writeEndObject();
      json.writeEndObject();
    }
    out.println();
    out.flush();
  }
}
