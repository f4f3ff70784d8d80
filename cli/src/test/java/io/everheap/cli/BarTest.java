package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class BarTest {
  @Test
  void aLineShowsThePartAndWhatIsDone() {
    assertThat(Bar.line("names", 0.5)).isEqualTo("[##########----------]  50%  names");
    assertThat(Bar.line("names", 7)).startsWith("[####################] 100%");
    assertThat(Bar.line("x".repeat(200), -1)).hasSize(79).startsWith("[--------------------]   0%");
  }

  @Test
  void nothingIsDrawnWhereNobodyWatches() {
    var out = new StringWriter();
    Bar bar = new Bar(new PrintWriter(out, true), false);
    bar.update("names", 0.5);
    bar.clear();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void theLineIsTakenAwayAtTheEnd() {
    var out = new StringWriter();
    Bar bar = new Bar(new PrintWriter(out, true), true);
    bar.update("names", 0.5);
    bar.clear();
    assertThat(out.toString()).startsWith("\r[").endsWith("\r");
  }
}
