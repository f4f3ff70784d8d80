package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Crashes a process that deletes a heap. */
@Campaign
class DeletionCrashTest {
  private static final int FIRST = Integer.getInteger("everheap.crash.seed", 1);

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false"})
  void theHeapIsWholeOrCanOnlyBeDeleted(boolean dax, boolean encrypted) {
    var report = new CrashReport();
    var setup = new HeapSetup(true);
    var efforts = List.of(new Explorer.Effort(40, 40, 4), new Explorer.Effort(4, 4, 2));
    new Explorer(FIRST, efforts, report)
        .explore(
            new DeletionProcess(encrypted ? setup.encrypted() : setup),
            dax ? SimulatedMedium.dax(FIRST) : SimulatedMedium.file(FIRST));
    CrashFigures.add("deleted heaps, " + (dax ? "dax" : encrypted ? "encrypted" : "file"), report);
    assertThat(report.states()).isPositive();
  }
}
