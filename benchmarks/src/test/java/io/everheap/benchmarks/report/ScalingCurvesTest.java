package io.everheap.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Series;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScalingCurvesTest {
  private static Measurement row(String name, int threads, String metric, double value) {
    return new Measurement(
        "scaling",
        name,
        "everheap",
        Level.P,
        "file",
        threads,
        metric,
        value,
        new Measurement.Spread(value, value),
        null);
  }

  @Test
  void theRowsOfAPartBecomeACurveOverWhatItVaries() {
    List<Series> curves =
        ScalingCurves.of(
            List.of(
                row("records/A-1m-1x100", 1, Case.OPS_PER_S, 7),
                row("records/A-10k-1x100", 1, Case.OPS_PER_S, 9),
                row("records/open-10k-1x100", 1, Case.SECONDS, 0.1),
                row("records/open-1m-1x100", 1, Case.SECONDS, 0.2),
                row("values/C-500-1x1000000", 1, Case.OPS_PER_S, 3),
                row("values/C-500k-1x1000", 1, Case.OPS_PER_S, 4),
                row("threads/A-200k-10x100", 1, Case.OPS_PER_S, 5),
                row("threads/A-200k-10x100", 16, Case.OPS_PER_S, 6),
                row("transactions/records-1", 1, Case.OPS_PER_S, 1),
                row("transactions/records-100", 1, Case.OPS_PER_S, 2)));

    assertThat(curves)
        .extracting(Series::name)
        .containsExactly(
            "records/A", "records/open", "values/C", "threads/A", "transactions/records");
    assertThat(curves.get(0).points()).containsExactly(List.of(1e4, 9.0), List.of(1e6, 7.0));
    assertThat(curves.get(1).y()).isEqualTo("seconds");
    assertThat(curves.get(2).points()).containsExactly(List.of(1e3, 4.0), List.of(1e6, 3.0));
    assertThat(curves.get(3).points()).containsExactly(List.of(1.0, 5.0), List.of(16.0, 6.0));
    assertThat(curves.get(4).points()).containsExactly(List.of(1.0, 1.0), List.of(100.0, 2.0));
  }

  @Test
  void otherRowsAndSinglePointsAreNoCurves() {
    assertThat(
            ScalingCurves.of(
                List.of(
                    row("A-200k-10x100", 1, Case.OPS_PER_S, 7),
                    row("records/A-1m-1x100", 1, "read_p99_us", 7),
                    row("records/C-1m-1x100", 1, Case.OPS_PER_S, 7))))
        .isEmpty();
  }
}
