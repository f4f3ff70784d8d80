package io.everheap.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.result.Measurement;
import java.util.List;
import org.junit.jupiter.api.Test;

class PivotTest {
  private static Measurement row(String experiment, String peer, Level level, double value) {
    return new Measurement(
        experiment,
        "hit/read-100",
        peer,
        level,
        level == Level.P ? "file" : "java-heap",
        2,
        Case.NS_PER_OP,
        value,
        new Measurement.Spread(value, value),
        null);
  }

  @Test
  void rowsOfDifferentLevelsAreInDifferentTables() {
    assertThat(
            Pivot.of(
                List.of(row("ycsb", "everheap", Level.P, 3), row("ycsb", "caffeine", Level.V, 2))))
        .extracting(Pivot::title)
        .containsExactly("ns_per_op, level P, file", "ns_per_op, level V, java-heap");
  }

  @Test
  void cachesAreInOneTableWhoseColumnsNameTheLevel() {
    Pivot pivot =
        Pivot.of(
                List.of(row("cache", "everheap", Level.P, 3), row("cache", "caffeine", Level.V, 2)))
            .getFirst();

    assertThat(pivot.title()).isEqualTo("hit, ns_per_op");
    assertThat(pivot.peers()).containsExactly("everheap (P)", "caffeine (V)");
    assertThat(pivot.lead(pivot.lines().getFirst())).isEqualTo(1.5);
  }
}
