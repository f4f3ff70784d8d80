package io.everheap.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The options of the demo; the demo itself runs in the module of process tests. */
class DemoCommandTest {
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "--scale, 0",
    "--scale, 1001",
    "--seconds, 0",
    "--threads, 0",
    "--threads, 257",
    "--kills, 0",
    "--kills, many",
    "--durability, sometimes",
    "--durability, async:0ms",
    "--seed, x"
  })
  void aWrongValueIsWrongUsageAndNamesTheOption(String option, String value) {
    assertThat(run(option, value)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains(option).contains("Usage: demo");
  }

  @Test
  void aDirectoryThatIsNotEmptyIsRefusedAndNotTouched(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("thesis.txt"), "years of work");

    assertThat(run("--dir", directory.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("is not empty");
    assertThat(file).hasContent("years of work");
  }

  @Test
  void aFileInsteadOfADirectoryIsRefused(@TempDir Path directory) throws Exception {
    Path file = Files.createFile(directory.resolve("file"));

    assertThat(run("--dir", file.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("is not a directory");
  }

  private int run(String... arguments) {
    return new CommandLine(new DemoCommand()).setErr(new PrintWriter(err, true)).execute(arguments);
  }
}
