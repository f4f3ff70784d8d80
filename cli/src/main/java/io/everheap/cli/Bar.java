package io.everheap.cli;

import io.everheap.cli.terminal.PlainOutput;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;

/** A progress line on a terminal; prints nothing elsewhere. For one thread. */
final class Bar {
  private static final int CELLS = 20;
  private static final int WIDTH = 79;
  private static final long LEAST_NANOS = 100_000_000;

  private final PrintWriter out;
  private final boolean shown;
  private int drawn;
  private long last = System.nanoTime() - LEAST_NANOS;

  Bar(PrintWriter out, boolean shown) {
    this.out = out;
    this.shown = shown;
  }

  /** Shows a line on a terminal while an action runs. */
  static void during(CommandSpec spec, Consumer<Bar> action) {
    Bar bar = new Bar(spec.commandLine().getOut(), onTerminal());
    try {
      action.accept(bar);
    } finally {
      bar.clear();
    }
  }

  /** Whether the output is a terminal. */
  static boolean onTerminal() {
    // JDK 22 to 24 return a console without a terminal, others return none.
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
        && !"dumb".equals(System.getenv("TERM"));
  }

  /** Redraws the line, at most a few times a second. */
  void update(String what, double part) {
    long now = System.nanoTime();
    if (!shown || now - last < LEAST_NANOS) {
      return;
    }
    last = now;
    String line = line(what, part);
    PlainOutput.control(out, "\r");
    out.print(line + " ".repeat(Math.max(0, drawn - line.length())));
    out.flush();
    drawn = line.length();
  }

  static String line(String what, double part) {
    double clamped = Math.clamp(part, 0.0, 1.0);
    int full = (int) (clamped * CELLS);
    String line =
        String.format(
            Locale.ROOT,
            "[%s%s] %3d%%  %s",
            "#".repeat(full),
            "-".repeat(CELLS - full),
            (int) (clamped * 100),
            what);
    return line.length() <= WIDTH ? line : line.substring(0, WIDTH);
  }

  /** Erases the line. */
  void clear() {
    if (drawn > 0) {
      PlainOutput.control(out, '\r' + " ".repeat(drawn) + '\r');
      out.flush();
      drawn = 0;
    }
  }
}
