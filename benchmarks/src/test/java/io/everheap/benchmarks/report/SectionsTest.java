package io.everheap.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.result.Measurement;
import io.everheap.benchmarks.result.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

class SectionsTest {
  @Test
  void aSectionIsReplacedAndWhatIsAroundItStays() {
    String document = Sections.put("# Title\n", "ycsb", "old\n") + "\nwritten by hand\n";

    assertThat(Sections.put(document, "ycsb", "new $1\n"))
        .startsWith("# Title\n")
        .contains("<!-- results: ycsb -->\n\nnew $1\n\n<!-- end of results: ycsb -->\n")
        .endsWith("\nwritten by hand\n")
        .doesNotContain("old");
  }

  @Test
  void rowsThatAreNotFirstAreListed() {
    List<Measurement> rows = List.of(row("everheap", 50), row("other", 100));

    assertThat(LostRows.of(rows, List.of(Target.firstAtItsLevel(Case.OPS_PER_S, true))))
        .contains("- A-1k, everheap, ops_per_s, 2 threads, level P, file: ")
        .contains("NO (0.5)");
    assertThat(LostRows.of(rows, List.of())).isEmpty();
  }

  private static Measurement row(String peer, double value) {
    return new Measurement(
        "ycsb",
        "A-1k",
        peer,
        Level.P,
        "file",
        2,
        Case.OPS_PER_S,
        value,
        new Measurement.Spread(value, value),
        null);
  }
}
