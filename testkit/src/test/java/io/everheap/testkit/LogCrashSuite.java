package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The crashes that both logs survive, the redo log and the journal: at each moment of the first
 * start, and at moments of a longer program of appends, new segments and releases, each followed by
 * crashes of the recovery. The process of each log checks that all acknowledged records are there
 * and nothing follows the last whole one; a torn tail that is taken for damage fails the opening.
 */
abstract class LogCrashSuite {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);
  private static final int WORK = 60;

  private final String name;
  private final int seeds;
  private final List<Explorer.Effort> efforts;

  /**
   * @param name of the log in the figures
   * @param seeds how many programs to try
   * @param efforts what to try in each
   */
  LogCrashSuite(String name, int seeds, List<Explorer.Effort> efforts) {
    this.name = name;
    this.seeds = seeds;
    this.efforts = efforts;
  }

  /** A process on an empty medium that takes so many steps and waits until they are durable. */
  abstract SimulatedProcess process(long seed, int work);

  @Test
  void aCrashAtAnyMomentOfTheFirstStartIsSurvived() {
    var report = new CrashReport();
    List<Explorer.Effort> everywhere =
        List.of(new Explorer.Effort(40, 100, 4), new Explorer.Effort(2, 4, 2));
    for (boolean dax : new boolean[] {false, true}) {
      new Explorer(FIRST, everywhere, report)
          .explore(() -> process(FIRST, 3), () -> medium(dax, FIRST));
    }
    add("first start", report);
  }

  @Test
  void aCrashOnAnOrdinaryFileIsSurvived() {
    explore("file", false, this::process);
  }

  @Test
  @Campaign
  void aCrashOnByteAddressableStorageIsSurvived() {
    explore("dax", true, this::process);
  }

  /** Makes a process on an empty medium. */
  interface Start {
    SimulatedProcess process(long seed, int work);
  }

  /** Crashes processes of all seeds. */
  final void explore(String figures, boolean dax, Start start) {
    var report = new CrashReport();
    for (int i = 0; i < seeds * EFFORT; i++) {
      int seed = FIRST + i;
      Supplier<SimulatedMedium> medium = () -> medium(dax, seed);
      new Explorer(seed, efforts, report).explore(() -> start.process(seed, WORK), medium);
    }
    add(figures, report);
  }

  private void add(String figures, CrashReport report) {
    CrashFigures.add(name + ", " + figures, report);
    assertThat(report.states()).isPositive();
  }

  private static SimulatedMedium medium(boolean dax, long seed) {
    return dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
  }
}
