package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.report.VerifyReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code verify} says about heaps that are hard to come by: damaged ones. */
class ReportTextTest {
  private static final VerifyReport.Problem LEAK =
      new VerifyReport.Problem("leak", "", "heap", 64, "", "nothing refers to it");
  private static final VerifyReport.Problem NODE =
      new VerifyReport.Problem("node", "accounts", "heap", 128, "7", "the key is there twice");

  private static final VerifyReport.Problem GONE =
      new VerifyReport.Problem("dangling reference", "owners", "heap", 256, "bob", "it is gone");

  private final StringWriter out = new StringWriter();
  private List<VerifyReport.RawBlock> unreferenced = List.of();

  @Test
  void aSoundHeapIsOk() {
    print(List.of(), List.of());

    assertThat(out.toString().lines())
        .containsExactly("OK: 2 roots, 3,000 entries, 4 blocks, 5.0 KiB checked in 7 ms.");
  }

  @Test
  void everyProblemIsALineOfItsOwnAndTheyAreCounted() {
    print(List.of(LEAK, NODE), List.of());

    assertThat(out.toString().lines())
        .startsWith(
            "PROBLEM leak at heap byte 64: nothing refers to it",
            "PROBLEM node at heap byte 128, key 7 of accounts: the key is there twice")
        .last()
        .asString()
        .startsWith("DAMAGED, 2 problems: 2 roots");
  }

  @Test
  void danglingReferencesAreListedAndNoDamage() {
    print(List.of(), List.of(GONE));

    assertThat(out.toString().lines())
        .startsWith("DANGLING reference at heap byte 256, key bob of owners: it is gone")
        .last()
        .asString()
        .startsWith("OK: ");
  }

  @Test
  void unreferencedRawBlocksAreListedAndNoDamage() throws IOException {
    unreferenced = List.of(new VerifyReport.RawBlock(-123_456_789_012_345_678L, 40, 512));
    print(List.of(), List.of());

    assertThat(out.toString().lines())
        .startsWith(
            "UNREFERENCED raw block of 40 B at heap byte 512: its handle is -123456789012345678",
            "The handles of 1 raw blocks (48 B) are nowhere in the heap. They are not damage;"
                + " unless the program keeps the handles elsewhere, it can free them.")
        .last()
        .asString()
        .startsWith("OK: ");
    out.getBuffer().setLength(0);

    Json.document(
        new PrintWriter(out), json -> VerifyCommand.write(json, report(List.of(), List.of()), 7));
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("foundUnreferenced").longValue()).isEqualTo(1);
    assertThat(json.get("unreferencedBytes").longValue()).isEqualTo(48);
    assertThat(json.at("/unreferenced/0/handle").textValue()).isEqualTo("-123456789012345678");
    assertThat(json.at("/unreferenced/0/size").longValue()).isEqualTo(40);
    assertThat(json.at("/unreferenced/0/offset").longValue()).isEqualTo(512);
  }

  @Test
  void aSingleProblemIsNotMany() {
    print(List.of(LEAK), List.of());

    assertThat(out.toString()).contains("DAMAGED, 1 problem: ");
  }

  @Test
  void theJsonReportHoldsEveryProblem() throws IOException {
    Json.document(
        new PrintWriter(out),
        json -> VerifyCommand.write(json, report(List.of(LEAK, NODE), List.of(GONE)), 7));

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("ok").booleanValue()).isFalse();
    assertThat(json.get("entries").longValue()).isEqualTo(3_000);
    assertThat(json.at("/dangling/0/key").textValue()).isEqualTo("bob");
    assertThat(json.at("/foundDangling").longValue()).isEqualTo(1);
    assertThat(json.at("/problems/1/kind").textValue()).isEqualTo("node");
    assertThat(json.at("/problems/1/root").textValue()).isEqualTo("accounts");
    assertThat(json.at("/problems/1/file").textValue()).isEqualTo("heap");
    assertThat(json.at("/problems/1/offset").longValue()).isEqualTo(128);
    assertThat(json.at("/problems/1/key").textValue()).isEqualTo("7");
    assertThat(json.at("/problems/1/message").textValue()).isEqualTo("the key is there twice");
  }

  private void print(List<VerifyReport.Problem> problems, List<VerifyReport.Problem> dangling) {
    VerifyCommand.print(new PrintWriter(out), report(problems, dangling), 7_000_000);
  }

  private VerifyReport report(
      List<VerifyReport.Problem> problems, List<VerifyReport.Problem> dangling) {
    return new VerifyReport(
        problems,
        problems.size(),
        dangling,
        dangling.size(),
        List.of(),
        0,
        unreferenced,
        unreferenced.size(),
        48L * unreferenced.size(),
        List.of(),
        2,
        3_000,
        0,
        4,
        5_120,
        0,
        0,
        0);
  }
}
