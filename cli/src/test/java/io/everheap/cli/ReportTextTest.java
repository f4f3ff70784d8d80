package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.VerifyReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code verify} says about heaps that are hard to come by: damaged ones. */
class ReportTextTest {
  private static final VerifyReport.Problem LEAK =
      new VerifyReport.Problem("leak", "", "block 0x40", "nothing refers to it");
  private static final VerifyReport.Problem CHAIN =
      new VerifyReport.Problem("chain", "accounts", "node 0x80", "leads back to itself");

  private final StringWriter out = new StringWriter();

  @Test
  void aSoundHeapIsOk() {
    print(List.of());

    assertThat(out.toString().lines())
        .containsExactly("OK: 2 roots, 3,000 entries, 4 blocks, 5.0 KiB checked in 7 ms.");
  }

  @Test
  void everyProblemIsALineOfItsOwnAndTheyAreCounted() {
    print(List.of(LEAK, CHAIN));

    assertThat(out.toString().lines())
        .startsWith(
            "PROBLEM leak at block 0x40: nothing refers to it",
            "PROBLEM chain at node 0x80 of root accounts: leads back to itself")
        .last()
        .asString()
        .startsWith("DAMAGED, 2 problems: 2 roots");
  }

  @Test
  void aSingleProblemIsNotMany() {
    print(List.of(LEAK));

    assertThat(out.toString()).contains("DAMAGED, 1 problem: ");
  }

  @Test
  void theJsonReportHoldsEveryProblem() throws IOException {
    Json.document(
        new PrintWriter(out), json -> VerifyCommand.write(json, report(List.of(LEAK, CHAIN)), 7));

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("ok").booleanValue()).isFalse();
    assertThat(json.get("entries").longValue()).isEqualTo(3_000);
    assertThat(json.at("/problems/1/kind").textValue()).isEqualTo("chain");
    assertThat(json.at("/problems/1/root").textValue()).isEqualTo("accounts");
    assertThat(json.at("/problems/1/where").textValue()).isEqualTo("node 0x80");
    assertThat(json.at("/problems/1/message").textValue()).isEqualTo("leads back to itself");
  }

  private void print(List<VerifyReport.Problem> problems) {
    VerifyCommand.print(new PrintWriter(out), report(problems), 7_000_000);
  }

  private static VerifyReport report(List<VerifyReport.Problem> problems) {
    return new VerifyReport(problems, 2, 3_000, 4, 5_120);
  }
}
