package io.everheap.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter out = new StringWriter();

  @Test
  void theLineTellsPhasePartTransfersAndRate() {
    assertThat(Progress.line("run 2", 0.5, 1_234_567, 8_900))
        .isEqualTo("[##########----------]  50%  run 2  1,234,567 transfers  8,900/s");
  }

  @Test
  void thePartStaysWithinTheBarAndTheLineWithinTheTerminal() {
    assertThat(Progress.line("a", 1.7, 0, 0)).startsWith("[####################] 100%");
    assertThat(Progress.line("a", -1, 0, 0)).startsWith("[--------------------]   0%");
    assertThat(Progress.line("long ".repeat(30), 0, 0, 0)).hasSize(79);
  }

  @Test
  void onATerminalTheLineIsRedrawnAndClearedBeforeLinesThatStay() {
    var progress = new Progress(new PrintWriter(out), true);
    progress.update("first phase", 0, 1, 1);
    progress.update("b", 0, 1, 1);
    progress.print("killed %,d times", 1_000);

    String[] drawn = out.toString().split("\r", -1);
    assertThat(drawn[1]).contains("first phase");
    assertThat(drawn[2]).contains("  b  ").hasSameSizeAs(drawn[1]);
    assertThat(out.toString()).endsWith("\rkilled 1,000 times" + System.lineSeparator());
  }

  @Test
  void elsewhereOnlyLinesThatStayArePrinted() {
    var progress = new Progress(new PrintWriter(out), false);
    progress.update("phase", 0, 1, 1);
    progress.print("killed");
    progress.clear();

    assertThat(out).hasToString("killed" + System.lineSeparator());
  }
}
