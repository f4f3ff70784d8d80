package io.everheap.cli.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;

/** The demo's kills for other commands: a bank in a second process, killed again and again. */
public final class KillRounds {
  private static final int SCALE = 1;

  private KillRounds() {}

  /**
   * The outcome.
   *
   * @param passed whether every acknowledged transfer survived every kill
   * @param kills how many there were
   * @param acknowledged transfers
   * @param recoveryMillis of the median opening after a kill
   * @param problem the first one found; empty if none was
   */
  public record Outcome(
      boolean passed, int kills, long acknowledged, double recoveryMillis, String problem) {}

  /**
   * Runs the kills.
   *
   * @param directory where the heap is made; empty or not there yet
   * @param length how long it takes, nearly
   * @param threads that make transfers
   * @param seed of the random choices
   * @param out where the kills are reported
   * @param terminal whether a line may be redrawn there
   * @throws IOException if the second process cannot be started or ended unexpectedly
   * @throws InterruptedException if it was ended from outside
   */
  public static Outcome run(
      Path directory,
      Duration length,
      int kills,
      int threads,
      long seed,
      PrintWriter out,
      boolean terminal)
      throws IOException, InterruptedException {
    var layout = new Layout(SCALE);
    var sync = new DurabilityConverter().convert("sync");
    var plan = new DemoPlan(directory, layout, length, threads, sync, kills, seed, false);
    DemoResult result = new Demo(plan, new Progress(out, terminal)).run();
    String problem =
        result.passed() ? "" : String.join("; ", result.kills().getLast().check().problems());
    return new Outcome(
        result.passed(),
        result.kills().size(),
        result.acknowledged(),
        result.medianRecoveryMillis(),
        problem);
  }
}
