package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code generate-man}. */
class ManCommandTest {
  @TempDir private Path directory;

  @Test
  void eachCommandHasAPageWithItsOptions() throws IOException {
    StringWriter out = new StringWriter();
    assertThat(
            Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute("generate-man", directory.toString()))
        .isZero();
    check(Main.commandLine());
    assertThat(directory.resolve("everheap-journal-tail.1")).exists();
  }

  private void check(CommandLine command) throws IOException {
    String name = command.getCommandSpec().qualifiedName("-");
    String page = Files.readString(directory.resolve(name + ".1"));
    assertThat(page).startsWith(".TH \"").contains(".SH NAME", ".SH SYNOPSIS", ".SH EXIT STATUS");
    assertThat(page.lines())
        .allMatch(
            line ->
                !line.startsWith("'")
                    && (!line.startsWith(".") || line.matches("\\.(TH|SH|PP|TP|B).*")));
    command.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> assertThat(page).contains(option.longestName().replace("-", "\\-")));
    for (var sub : command.getSubcommands().entrySet()) {
      if (!sub.getKey().equals("help")) {
        assertThat(page).contains(".B " + sub.getKey().replace("-", "\\-"));
        check(sub.getValue());
      }
    }
  }
}
