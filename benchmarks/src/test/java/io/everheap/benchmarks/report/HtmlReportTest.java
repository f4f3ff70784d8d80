package io.everheap.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.ResultFiles;
import io.everheap.benchmarks.result.Samples;
import io.everheap.benchmarks.result.Series;
import io.everheap.benchmarks.result.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of made-up results. */
class HtmlReportTest {
  @TempDir Path directory;

  private static final Target FIRST = Target.firstAtItsLevel(Case.OPS_PER_S, true);

  private static void add(Samples samples, String name, String peer, Level level, double value) {
    samples.add(new Case(name, peer, level, "file", 2, Case.OPS_PER_S, null), value);
  }

  private static List<Measurement> rows() {
    Samples samples = new Samples();
    add(samples, "A-10k-10x100", "everheap", Level.P, 900_000);
    add(samples, "A-10k-10x100", "everheap", Level.S, 40_000);
    add(samples, "A-10k-10x100", "rocksdb", Level.P, 130_000);
    add(samples, "A-10k-10x100", "rocksdb", Level.S, 50_000);
    add(samples, "C-10k-10x100", "everheap", Level.P, 1_000_000);
    add(samples, "C-10k-10x100", "rocksdb", Level.P, 330_000);
    return samples.measurements("ycsb");
  }

  @Test
  void onlyRowsOfOneLevelAreComparedWithEachOther() {
    List<Pivot> pivots = Pivot.of(rows());

    assertThat(pivots).hasSize(2);
    assertThat(pivots.get(0).title()).contains("level P");
    assertThat(pivots.get(0).lines())
        .extracting(Pivot.Line::name)
        .containsExactly("A-10k-10x100", "C-10k-10x100");
    assertThat(best(pivots.get(0))).isEqualTo("everheap");
    assertThat(best(pivots.get(1))).isEqualTo("rocksdb");
  }

  private static String best(Pivot pivot) {
    return pivot.best(pivot.lines().getFirst());
  }

  @Test
  void aTargetToBeFirstLooksAtItsOwnLevelOnly() {
    List<Measurement> rows = rows();

    assertThat(FIRST.verdict(rows.get(0), rows)).contains("yes (6.92)");
    assertThat(FIRST.verdict(rows.get(1), rows)).contains("NO (0.8)");
    assertThat(FIRST.concerns(rows.get(2))).isFalse();
  }

  @Test
  void thePageHoldsTablesPicturesAndTheMachine() throws Exception {
    Series curve =
        new Series(
            "ycsb",
            "after-the-kill",
            "everheap",
            Level.P,
            "file",
            "seconds",
            "transactions per second",
            List.of(List.of(0.0, 0.0), List.of(0.1, 1000.0)));
    Series.write(directory, List.of(curve));
    HtmlReport report = new HtmlReport(name -> List.of(FIRST));
    report.add(new ResultFiles(Map.of("cpu", "fast <and> new"), rows()), Series.read(directory));

    assertThat(report.html())
        .startsWith("<!DOCTYPE html>")
        .endsWith("</html>\n")
        .contains("<td class=\"n best\">900,000")
        .contains("<svg")
        .contains("after-the-kill")
        .contains("fast &lt;and&gt; new")
        .contains("NO (0.8)")
        .doesNotContain("<?xml")
        .doesNotContain("<!DOCTYPE svg");
  }

  @Test
  void markdownMarksTheBestOfALineAndTellsWhereAnotherStoreIsAhead() {
    assertThat(PivotMarkdown.of(rows()))
        .contains("| A-10k-10x100 | 2 | **900,000** | 130,000 | 6.92 |")
        .contains("| A-10k-10x100 | 2 | 40,000 | **50,000** | 0.80 behind |");
  }
}
