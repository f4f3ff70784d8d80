package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void versionNamesTheBuildAndTheJavaItRunsOn() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString())
        .containsPattern("^everheap \\d+\\.\\d+")
        .contains("java " + System.getProperty("java.runtime.version"));
  }

  @Test
  void helpGoesToStandardOutput() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: everheap");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void noCommandIsWrongUsage() {
    assertThat(run()).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).startsWith("Usage: everheap");
  }

  @Test
  void unknownCommandIsWrongUsage() {
    assertThat(run("no-such-command")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("no-such-command");
  }

  private int run(String... args) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }
}
