package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Crashes recoveries at every one of their moments: of processes that were killed, and of machines
 * that lost their power, at several moments of their work; then crashes the recovery from that.
 */
class RecoveryCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void onAnOrdinaryFile() {
    explore(false, true);
  }

  @Test
  void onAnOrdinaryFileWithoutWaiting() {
    explore(false, false);
  }

  @Test
  void onByteAddressableStorage() {
    explore(true, true);
  }

  /** Each process commits a little on what the one before left, and makes no checkpoint. */
  @Test
  void ofProcessesThatGoOnWithTheLogOnAnOrdinaryFile() {
    goOn(false, true);
  }

  @Test
  void ofProcessesThatGoOnWithTheLogWithoutWaiting() {
    goOn(false, false);
  }

  @Test
  void ofProcessesThatGoOnWithTheLogOnByteAddressableStorage() {
    goOn(true, true);
  }

  private static void goOn(boolean dax, boolean sync) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(
            new Explorer.Effort(1, 2 * EFFORT, 2),
            new Explorer.Effort(2, 8, 2),
            new Explorer.Effort(2, 4, 2),
            new Explorer.Effort(1, 1, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      int s = seed;
      new Explorer(seed, efforts, report)
          .explore(
              () -> new MapProcess(new HeapSetup(sync), s, 12, 5),
              () -> dax ? SimulatedMedium.dax(s) : SimulatedMedium.file(s));
    }
    CrashFigures.add(
        "recovery, going on, " + (dax ? "dax" : "file") + (sync ? "" : ", async"), report);
    assertThat(report.chains()).containsKeys("KK", "KP", "PK", "PP");
  }

  private static void explore(boolean dax, boolean sync) {
    var report = new CrashReport();
    // Recovery on DAX stores home words one by one, each of them a moment to be killed at.
    List<Explorer.Effort> efforts =
        List.of(
            new Explorer.Effort(EFFORT, dax ? 4 * EFFORT : 8 * EFFORT, 2),
            Explorer.Effort.everywhere(3, 4),
            new Explorer.Effort(1, dax ? 0 : 1, 1));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      int s = seed;
      new Explorer(seed, efforts, report)
          .explore(
              () -> new MapProcess(new HeapSetup(sync), s, 12, 0),
              () -> dax ? SimulatedMedium.dax(s) : SimulatedMedium.file(s));
    }
    CrashFigures.add("recovery, " + (dax ? "dax" : "file") + (sync ? "" : ", async"), report);
    assertThat(report.chains()).containsKeys("KK", "KP", "PK", "PP");
  }
}
