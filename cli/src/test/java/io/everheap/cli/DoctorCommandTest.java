package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.cli.doctor.Finding;
import io.everheap.cli.doctor.Finding.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code doctor}. */
class DoctorCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path temporary;

  @Test
  void itPrintsEachFindingAndTheWorstDecidesTheExitCode() throws IOException {
    int code = run("doctor", "--json", temporary.toString());
    JsonNode found = new ObjectMapper().readTree(out.toString());
    assertThat(code).isEqualTo(found.get("verdict").textValue().equals("problem") ? 1 : 0);
    assertThat(found.get("findings")).hasSizeGreaterThan(4);
    assertThat(temporary).isEmptyDirectory();
    assertThat(run("doctor", temporary.toString())).isEqualTo(code);
    assertThat(out.toString()).contains("Subject", "Verdict", "durable write");
  }

  @Test
  void aDirectoryThatIsNotThereIsNotExamined() {
    assertThat(run("doctor", temporary.resolve("no").toString())).isEqualTo(2);
    assertThat(err.toString().lines()).singleElement().asString().contains("is not a directory");
  }

  @Test
  void adviceStandsBelowItsFinding() {
    var finding = new Finding("disk", Verdict.PROBLEM, "it lies", "replace it");
    DoctorCommand.print(new PrintWriter(out), List.of(finding));
    assertThat(out.toString()).containsSubsequence("it lies", "-> replace it", "cannot keep");
    assertThat(DoctorCommand.worst(List.of(finding))).isEqualTo(Verdict.PROBLEM);
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
