package io.everheap.cli.demo;

import io.everheap.cli.terminal.PlainOutput;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * Shows the progress of the demo: on a terminal one line that is redrawn, with lasting lines above
 * it; elsewhere only the lasting lines. For one thread.
 */
final class Progress {
  private static final int BAR = 20;
  private static final int WIDTH = 79;

  private final PrintWriter out;
  private final boolean terminal;
  private int drawn;

  Progress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Redraws the line. */
  void update(String phase, double done, long transfers, long perSecond) {
    if (!terminal) {
      return;
    }
    String line = line(phase, done, transfers, perSecond);
    PlainOutput.control(out, "\r");
    out.print(line + " ".repeat(Math.max(0, drawn - line.length())));
    out.flush();
    drawn = line.length();
  }

  static String line(String phase, double done, long transfers, long perSecond) {
    double part = Math.clamp(done, 0.0, 1.0);
    int full = (int) (part * BAR);
    String line =
        String.format(
            Locale.ROOT,
            "[%s%s] %3d%%  %s  %,d transfers  %,d/s",
            "#".repeat(full),
            "-".repeat(BAR - full),
            (int) (part * 100),
            phase,
            transfers,
            perSecond);
    return line.length() <= WIDTH ? line : line.substring(0, WIDTH);
  }

  /** Prints a line that stays. */
  void print(String format, Object... arguments) {
    clear();
    out.println(String.format(Locale.ROOT, format, arguments));
    out.flush();
  }

  /** Erases the drawn line. */
  void clear() {
    if (drawn > 0) {
      PlainOutput.control(out, '\r' + " ".repeat(drawn) + '\r');
      out.flush();
      drawn = 0;
    }
  }
}
