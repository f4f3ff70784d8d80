package io.everheap.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.benchmarks.harness.Experiment;
import io.everheap.benchmarks.report.Chart;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.ResultFiles;
import io.everheap.benchmarks.result.Samples;
import io.everheap.benchmarks.result.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of measured values, shown on made-up ones. */
class ResultsTest {
  @TempDir Path directory;

  private static Case row(String name, String peer, int threads, String metric, String floor) {
    return new Case(name, peer, Level.S, "file", threads, metric, floor);
  }

  private static Samples samples(double update) {
    Samples samples = new Samples();
    Case floor = row("dax/append-line", Case.FLOOR, 1, Case.NS_PER_OP, null);
    Case mine = row("dax/update", Case.EVERHEAP, 1, Case.NS_PER_OP, "dax/append-line");
    Case theirs = row("dax/update", "llpl", 1, Case.NS_PER_OP, "dax/append-line");
    for (int i = -2; i <= 2; i++) {
      samples.add(floor, 100 + i);
      samples.add(mine, update + i);
      samples.add(theirs, 2000 + i);
    }
    return samples;
  }

  @Test
  void aValueIsTheMedianOfItsRoundsAndItsRatioThatToTheFloor() {
    Measurement mine = samples(140).measurements("tx").get(1);

    assertThat(mine.value()).isEqualTo(140);
    assertThat(mine.spread()).isEqualTo(new Measurement.Spread(138, 142));
    assertThat(mine.ratioToFloor()).isEqualTo(1.4);
  }

  @Test
  void theBestOfSeveralFloorsCounts() {
    Samples samples = new Samples();
    samples.add(row("sync/floor-dsync", Case.FLOOR, 1, Case.NS_PER_OP, null), 90_000);
    samples.add(row("sync/floor-fdatasync", Case.FLOOR, 1, Case.NS_PER_OP, null), 100_000);
    samples.add(row("sync/latency", Case.EVERHEAP, 1, Case.NS_PER_OP, "sync/floor-"), 99_000);
    samples.add(row("sync/update", Case.EVERHEAP, 16, Case.OPS_PER_S, "sync/floor-"), 100_000);

    List<Measurement> rows = samples.measurements("tx");

    assertThat(rows.get(2).ratioToFloor()).isEqualTo(1.1);
    assertThat(rows.get(3).ratioToFloor()).isEqualTo(9.0);
  }

  @Test
  void theTableTellsWhetherATargetIsMet() {
    List<Measurement> good = samples(130).measurements("tx");
    List<Measurement> bad = samples(160).measurements("tx");

    assertThat(new Table(good, Experiments.targets("tx")).text())
        .contains("<= 1.35 x floor: yes (1.3)");
    assertThat(new Table(bad, Experiments.targets("tx")).markdown())
        .contains("<= 1.35 x floor: NO (1.6)");
  }

  @Test
  void aTargetWithoutTheRowItComparesWithIsUnknown() {
    Samples samples = new Samples();
    samples.add(row("map/get-1k", Case.EVERHEAP, 1, Case.NS_PER_OP, null), 20);

    assertThat(new Table(samples.measurements("tx"), Experiments.targets("tx")).tsv())
        .contains("<= 2 x chm: unknown");
  }

  @Test
  void aLineOfResultsHasTheFieldsThatToolsExpect() throws IOException {
    write();

    List<String> lines = Files.readAllLines(directory.resolve(ResultFiles.JSON_LINES));

    assertThat(lines.get(0)).isEqualTo("{\"experiment\":\"environment\",\"cpu\":\"fast\"}");
    assertThat(lines.get(2))
        .isEqualTo(
            "{\"experiment\":\"tx\",\"case\":\"dax/update\",\"peer\":\"everheap\","
                + "\"durability\":\"S\",\"medium\":\"file\",\"threads\":1,"
                + "\"metric\":\"ns_per_op\",\"value\":140.0,"
                + "\"spread\":{\"min\":138.0,\"max\":142.0},\"ratio_to_floor\":1.4}");
    assertThat(directory.resolve(ResultFiles.TSV)).content().contains("dax/update\teverheap");
  }

  private List<Measurement> write() throws IOException {
    List<Measurement> rows = samples(140).measurements("tx");
    new ResultFiles(Map.of("cpu", "fast"), rows).write(directory, Experiments.targets("tx"));
    return rows;
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    List<Measurement> rows = write();

    ResultFiles read = ResultFiles.read(directory);

    assertThat(read.rows()).isEqualTo(rows);
    assertThat(read.environment()).containsEntry("cpu", "fast");
  }

  @Test
  void aFileThatHoldsSomethingElseIsRefusedByName() throws IOException {
    Files.writeString(directory.resolve(ResultFiles.JSON_LINES), "[1]\n");

    assertThatThrownBy(() -> ResultFiles.read(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(ResultFiles.JSON_LINES);
  }

  @Test
  void thereIsAPictureForEachMetric() throws IOException {
    List<Path> files = Chart.write(directory, "tx", samples(140).measurements("tx"));

    assertThat(files).hasSize(1);
    assertThat(files.get(0)).content().contains("<svg").contains("dax/update");
  }

  @Test
  void reportPrintsTheTableInMarkdown() throws IOException {
    write();
    StringWriter out = new StringWriter();

    int code =
        BenchMain.commandLine()
            .setOut(new PrintWriter(out))
            .execute("report", "--out", directory.toString());

    assertThat(code).isZero();
    assertThat(out.toString()).contains("| dax/update | everheap | S |").contains("- cpu: fast");
  }

  @Test
  void anUnknownExperimentIsAnsweredWithThoseThatThereAre() {
    StringWriter err = new StringWriter();

    int code = BenchMain.commandLine().setErr(new PrintWriter(err)).execute("speed");

    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("speed");
    for (Experiment experiment : Experiments.ALL) {
      assertThat(err.toString()).contains(experiment.name()).contains(experiment.description());
    }
  }

  @Test
  void theSpreadOfAnEvenNumberOfRoundsHasAMedianInTheMiddle() {
    Samples samples = new Samples();
    Case what = row("map/get-1k", "chm", 1, Case.NS_PER_OP, null);
    samples.add(what, 30);
    samples.add(what, 10);

    assertThat(samples.measurements("tx").get(0).value()).isEqualTo(20);
  }
}
