package io.everheap.benchmarks.store;

import io.everheap.benchmarks.harness.Run;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Rounds that visit each entrant once, so that a disturbance of the machine affects all of them.
 */
public final class Rounds {
  private static final double QUICK_SECONDS = 50;

  private Rounds() {}

  /** A measurement of one entrant. */
  @FunctionalInterface
  public interface Visit {
    /**
     * Measures.
     *
     * @param entrant the entrant
     * @param round the number of the round, from 1
     * @throws IOException if it fails; the entrant is not visited again
     */
    void visit(Entrant entrant, int round) throws IOException;
  }

  /**
   * Visits the entrants; results are kept after each visit.
   *
   * @param run the run
   * @param title names the cases in the line of progress
   * @param named makes the name of a case from the label of an entrant, for those not run
   * @param rounds how many
   * @param entrants the entrants
   * @param visit measures one of them
   * @throws IOException if the results cannot be kept
   */
  public static void run(
      Run run,
      String title,
      UnaryOperator<String> named,
      int rounds,
      List<Entrant> entrants,
      Visit visit)
      throws IOException {
    List<Entrant> left = new ArrayList<>(entrants);
    for (int round = 1; round <= rounds; round++) {
      if (run.settings().quick() && round > 1 && run.progress().seconds() > QUICK_SECONDS) {
        run.samples().notRun("more rounds", "a quick run would take longer than two minutes");
        return;
      }
      for (Entrant entrant : List.copyOf(left)) {
        String name = named.apply(entrant.label());
        if (!run.hasTimeFor(name + ", round " + round)) {
          run.progress().skip(1);
          continue;
        }
        run.progress().step(title + ": round " + round + ", " + entrant.label());
        try {
          visit.visit(entrant, round);
        } catch (IOException e) {
          run.samples().notRun(name, String.valueOf(e.getMessage()));
          left.remove(entrant);
        }
        run.keep();
      }
    }
  }
}
