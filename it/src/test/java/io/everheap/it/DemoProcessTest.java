package io.everheap.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo as a user starts it: a process that starts, kills and restarts another one. */
@Processes
class DemoProcessTest {
  @TempDir private Path directory;

  private Path temporary;
  private int exitCode;
  private String output;

  @BeforeEach
  void aTemporaryDirectoryOfItsOwn() throws Exception {
    temporary = Files.createDirectory(directory.resolve("tmp"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sync", "async:5ms"})
  void aKilledBankLosesNothing(String durability) throws Exception {
    everheap("demo", "--seconds", "6", "--kills", "2", "--durability", durability);

    assertThat(exitCode).as(output).isZero();
    assertThat(output)
        .contains("Loaded 100,000 accounts")
        .containsPattern("Kill 1 after .* every row right")
        .containsPattern("Kill 2 after .* every row right")
        .contains("PASSED")
        .containsPattern("kills +2\\R")
        .containsPattern("transfers acknowledged +[1-9]")
        .containsPattern("transfers lost +0\\R")
        .containsPattern("money created or destroyed +0\\R");
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void aLostTransferFailsTheDemoAndTheHeapIsKept() throws Exception {
    Path heap = directory.resolve("bank");
    everheap("demo", "--seconds", "4", "--kills", "1", "--tamper", "--dir", heap.toString());

    assertThat(exitCode).as(output).isEqualTo(1);
    assertThat(output)
        .contains("CHECK FAILED")
        .contains("FAILED: the heap does not hold what was acknowledged")
        .contains("transfer 0 of thread 0 in run 0 was acknowledged and is not in the history")
        .containsPattern("transfers lost +1\\R");
    assertThat(heap).isNotEmptyDirectory();
  }

  @Test
  void aKeptBankCanBeInspectedVerifiedAndDumped() throws Exception {
    Path heap = directory.resolve("bank");
    everheap(
        "demo",
        "--seconds",
        "5",
        "--kills",
        "1",
        "--threads",
        "1",
        "--json",
        "--dir",
        heap.toString());
    assertThat(exitCode).as(output).isZero();
    assertThat(output).contains("\"passed\" : true", "\"lost\" : 0");

    everheap("info", heap.toString());
    assertThat(exitCode).as(output).isZero();
    assertThat(output).contains("accounts").contains("100,000");

    everheap("verify", heap.toString());
    assertThat(exitCode).as(output).isZero();

    everheap("dump", heap.toString(), "--root", "history", "--limit", "2");
    assertThat(exitCode).as(output).isZero();
    assertThat(output.lines()).hasSize(2).allMatch(line -> line.contains("\"delta\":"));
  }

  private void everheap(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temporary);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("io.everheap.cli.Main");
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    output = new String(process.getInputStream().readAllBytes(), UTF_8);
    exitCode = process.waitFor();
  }
}
