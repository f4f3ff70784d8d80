package io.everheap.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private final StringWriter out = new StringWriter();
  private final Summary summary = new Summary(new PrintWriter(out));
  private final DemoResult result = new DemoResult();

  @Test
  void theOpeningTellsWhatIsGoingToHappen() {
    summary.opening(plan("sync"), "ext4");

    assertThat(out.toString())
        .contains("2 branches, 20 tellers, 200,000 accounts")
        .contains("in 4 threads")
        .contains("killed with SIGKILL twice")
        .contains("on ext4, durability sync, seed 7");
  }

  @Test
  void aPassedDemoSaysWhatSurvived() {
    kill(1, 1_000, 2_000_000, sound());
    kill(2, 3_000, 4_000_000, sound());
    kill(3, 6_000, 9_000_000, sound());
    summary.closing(plan("sync"), result, false);

    assertThat(result.passed()).isTrue();
    assertThat(out.toString())
        .contains("PASSED")
        .containsPattern("kills +3\\R")
        .containsPattern("transfers acknowledged +6,000 +\\(2,000 per second\\)")
        .containsPattern("transfers lost +0\\R")
        .containsPattern("money created or destroyed +0\\R")
        .containsPattern("recovery time \\(median\\) +4 ms +\\(longest 9 ms\\)")
        .contains("--keep");
  }

  @Test
  void aKeptHeapIsPointedOut() {
    kill(1, 1_000, 2_000_000, sound());
    summary.closing(plan("async"), result, true);

    assertThat(out.toString())
        .contains("./everheap info bank")
        .contains("async loses nothing in a kill");
  }

  @Test
  void aFailedDemoSaysWhatIsWrong() {
    kill(1, 1_000, 2_000_000, new CheckResult(999, 1, 0, -50, List.of("a transfer is missing")));
    summary.closing(plan("sync"), result, true);

    assertThat(result.passed()).isFalse();
    assertThat(out.toString())
        .contains("FAILED")
        .contains("- a transfer is missing")
        .containsPattern("transfers lost +1\\R")
        .containsPattern("money created or destroyed +-50\\R")
        .doesNotContain("PASSED");
  }

  @Test
  void aDemoWithoutAnyKillHasNotPassed() {
    assertThat(result.passed()).isFalse();
    assertThat(result.rate()).isZero();
    assertThat(result.medianRecoveryMillis()).isZero();
  }

  @Test
  void theMedianOfTwoIsBetweenThem() {
    kill(1, 1, 2_000_000, sound());
    kill(2, 2, 4_000_000, sound());

    assertThat(result.medianRecoveryMillis()).isEqualTo(3.0);
  }

  private void kill(int number, long acknowledged, long recoveryNanos, CheckResult check) {
    result.add(new DemoResult.Kill(number, 1_000_000_000, acknowledged, recoveryNanos, 10, check));
  }

  private static CheckResult sound() {
    return new CheckResult(1_000, 0, 0, 0, List.of());
  }

  private static DemoPlan plan(String durability) {
    return new DemoPlan(
        Path.of("bank"),
        new Layout(2),
        Duration.ofSeconds(1),
        4,
        DurabilityOption.parse(durability),
        2,
        7,
        false);
  }
}
