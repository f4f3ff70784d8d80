package io.everheap.benchmarks.harness;

import java.io.PrintStream;
import java.util.Locale;

/**
 * One line on a terminal that shows what is measured and how much is left; elsewhere, as in a file,
 * a line from time to time.
 */
public final class Progress {
  private static final int WIDTH = 78;
  private static final double SECONDS_OF_A_LINE = 20;

  private final PrintStream out;
  private final boolean terminal;
  private final int steps;
  private final long start = System.nanoTime();
  private long partStart = start;
  private double most = Double.POSITIVE_INFINITY;
  private int done;
  private double nextLine; // in seconds from the start

  /**
   * Makes the line.
   *
   * @param out where to
   * @param terminal whether the line can be written over
   * @param steps how many there will be
   */
  public Progress(PrintStream out, boolean terminal, int steps) {
    this.out = out;
    this.terminal = terminal;
    this.steps = steps;
  }

  /**
   * Starts a part of the run, which may not take longer than a time.
   *
   * @param seconds the time; infinite if it may take any
   */
  public void part(double seconds) {
    partStart = System.nanoTime();
    most = seconds;
  }

  /**
   * Tells how much time the part has left.
   *
   * @return seconds, not positive if it has none
   */
  public double left() {
    return most - partSeconds();
  }

  private double partSeconds() {
    return (System.nanoTime() - partStart) / 1e9;
  }

  /**
   * Starts a step.
   *
   * @param what it does
   */
  public void step(String what) {
    done = Math.min(done + 1, steps);
    String time =
        Double.isFinite(most)
            ? String.format(Locale.ROOT, "%.0f of at most %.0f s", partSeconds(), most)
            : String.format(Locale.ROOT, "%.0f s", seconds());
    String line = String.format(Locale.ROOT, "[%d/%d, %s] %s", done, steps, time, what);
    String cut = line.length() > WIDTH ? line.substring(0, WIDTH) : line;
    if (terminal) {
      out.print("\r\033[K" + cut);
      out.flush();
    } else if (seconds() >= nextLine) {
      out.println(cut);
      nextLine = seconds() + SECONDS_OF_A_LINE;
    }
  }

  /**
   * Tells how long ago this was made.
   *
   * @return seconds
   */
  public double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  /**
   * Counts steps that are left out.
   *
   * @param count how many
   */
  public void skip(int count) {
    done = Math.min(done + count, steps);
  }

  /** Clears the line. */
  public void end() {
    if (terminal) {
      out.print("\r\033[K");
      out.flush();
    }
  }
}
