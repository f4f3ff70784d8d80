package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Crashes a cache: puts, replacements, removals, evictions, pins, recovery. */
@Campaign
class CacheCrashTest {
  private static final int EFFORT = Integer.getInteger("everheap.crash.effort", 1);
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @Test
  void aCrashAtAnyMomentOfTheFirstStartIsSurvived() {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(20, 60, 4), new Explorer.Effort(2, 4, 2));
    for (boolean dax : new boolean[] {false, true}) {
      new Explorer(FIRST, efforts, report)
          .explore(
              () -> new CacheProcess(CacheProcess.Mode.INTERVAL, dax, FIRST, 3),
              medium(dax, FIRST));
    }
    CrashFigures.add("cache, first start", report);
    assertThat(report.states()).isPositive();
  }

  @Test
  void onAnOrdinaryFile() {
    explore(false, CacheProcess.Mode.INTERVAL);
  }

  @Test
  void onAnOrdinaryFileInStrictMode() {
    explore(false, CacheProcess.Mode.STRICT);
  }

  @Test
  void inTwoDirectoriesOfOrdinaryFiles() {
    explore(false, CacheProcess.Mode.TWO);
  }

  @Test
  void inTwoDirectoriesOfOrdinaryFilesInStrictMode() {
    explore(false, CacheProcess.Mode.STRICT_TWO);
  }

  @Test
  void inTwoDirectoriesOfByteAddressableStorage() {
    explore(true, CacheProcess.Mode.TWO);
  }

  @Test
  void onByteAddressableStorage() {
    explore(true, CacheProcess.Mode.INTERVAL);
  }

  private static Supplier<SimulatedMedium> medium(boolean dax, long seed) {
    return () -> dax ? SimulatedMedium.dax(seed) : SimulatedMedium.file(seed);
  }

  private static void explore(boolean dax, CacheProcess.Mode mode) {
    var report = new CrashReport();
    List<Explorer.Effort> efforts =
        List.of(new Explorer.Effort(10, 100, 6), new Explorer.Effort(2, 6, 4));
    for (int seed = FIRST; seed < FIRST + EFFORT; seed++) {
      int s = seed;
      new Explorer(seed, efforts, report)
          .explore(() -> new CacheProcess(mode, dax, s, 60), medium(dax, s));
    }
    CrashFigures.add(
        "cache, " + (dax ? "dax" : "file") + ", " + mode.name().toLowerCase(Locale.ROOT), report);
    assertThat(report.states()).isPositive();
  }
}
