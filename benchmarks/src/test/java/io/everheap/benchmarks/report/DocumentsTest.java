package io.everheap.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.ResultData;
import io.everheap.benchmarks.result.ResultFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data of the documentation, and what is generated from it. */
class DocumentsTest {
  @TempDir private Path directory;

  private static ResultFiles run(String date, Measurement... rows) {
    return new ResultFiles(Map.of("date", date), List.of(rows));
  }

  private static Measurement row(String name, String peer, double value, Double ratio) {
    return new Measurement(
        "tx",
        name,
        peer,
        Level.S,
        "emulated-dax",
        1,
        "ns_per_op",
        value,
        new Measurement.Spread(value, value),
        ratio);
  }

  private Documents documents() {
    return new Documents(directory, List.of("tx"), name -> List.of());
  }

  @Test
  void rowsOfANewerRunReplaceThoseOfAnOlderOneAndTheOthersStay() throws Exception {
    documents()
        .add(run("monday", row("dax/update", "llpl", 7, 4.0), row("dax/free", "us", 5, 2.0)));
    documents().add(run("tuesday", row("dax/update", "llpl", 6, 3.0)));

    ResultData data = ResultData.read(directory.resolve("data/tx.jsonl"));

    assertThat(data.runs()).extracting(run -> run.rows().size()).containsExactly(1, 1);
    assertThat(data.runs().getFirst().rows().getFirst().name()).isEqualTo("dax/free");
    assertThat(data.runs().getLast().environment()).containsEntry("date", "tuesday");
  }

  @Test
  void aRunWhoseRowsWereAllMeasuredAgainIsForgotten() throws Exception {
    documents().add(run("monday", row("dax/update", "llpl", 7, 4.0)));
    documents().add(run("tuesday", row("dax/update", "llpl", 6, 3.0)));

    assertThat(ResultData.read(directory.resolve("data/tx.jsonl")).runs()).hasSize(1);
  }

  @Test
  void thePageHasTheChartsAndTheTablesOfTheData() throws Exception {
    documents().add(run("monday", row("dax/update", "llpl", 7, 4.0)));
    Path stale = directory.resolve("charts/old.svg");
    Files.createDirectories(stale.getParent());
    Files.writeString(stale, "<svg/>");

    documents().generate();

    assertThat(directory.resolve(Documents.PAGE))
        .content()
        .contains("## tx", "![tx-floors](charts/tx-floors.svg)", "| dax/update | llpl | S |")
        .contains("- date: monday");
    assertThat(directory.resolve("charts/tx-floors.svg")).content().startsWith("<svg");
    assertThat(stale).doesNotExist();
  }
}
