package io.everheap.benchmarks.harness;

import java.io.PrintStream;

/** One line on a terminal that tells what is being measured and how much is left. */
public final class Progress {
  private static final int WIDTH = 78;

  private final PrintStream out;
  private final boolean terminal;
  private final int steps;
  private final long start = System.nanoTime();
  private int done;

  /**
   * Makes the line.
   *
   * @param out where to
   * @param terminal whether the line can be written over; else every tenth step is a line
   * @param steps how many there will be
   */
  public Progress(PrintStream out, boolean terminal, int steps) {
    this.out = out;
    this.terminal = terminal;
    this.steps = steps;
  }

  /**
   * Starts a step.
   *
   * @param what it does
   */
  public void step(String what) {
    done = Math.min(done + 1, steps);
    String line = "[%d/%d, %.0f s] %s".formatted(done, steps, seconds(), what);
    String cut = line.length() > WIDTH ? line.substring(0, WIDTH) : line;
    if (terminal) {
      out.print("\r\033[K" + cut);
      out.flush();
    } else if (done % 10 == 1) {
      out.println(cut);
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
