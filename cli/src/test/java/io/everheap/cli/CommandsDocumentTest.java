package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code docs/commands.md} has a row with the arguments of every command, and no other rows. */
class CommandsDocumentTest {
  /** Every command has these. */
  private static final List<String> COMMON = List.of("--help", "--version", "--stacktrace");

  @Test
  void everyCommandHasItsRow() throws IOException {
    List<String> rows = new ArrayList<>();
    collect(Main.commandLine(), "", rows);
    List<String> documented =
        Files.readAllLines(document()).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(0, line.lastIndexOf(" | ") + 2))
            .toList();

    assertThat(documented).containsExactlyElementsOf(rows);
  }

  private static void collect(CommandLine parent, String prefix, List<String> rows) {
    parent
        .getSubcommands()
        .forEach(
            (name, command) -> {
              if (!name.equals("help")) {
                rows.add("| `%s%s` | %s |".formatted(prefix, name, arguments(command)));
                collect(command, prefix + name + " ", rows);
              }
            });
  }

  private static String arguments(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    List<String> all = new ArrayList<>();
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      all.add(shown(parameter, parameter.paramLabel()));
    }
    for (OptionSpec option : spec.options()) {
      if (!option.hidden() && !COMMON.contains(option.longestName())) {
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        all.add(shown(option, option.longestName() + value));
      }
    }
    return "`" + String.join(" ", all).replace("|", "\\|") + "`";
  }

  private static String shown(ArgSpec argument, String text) {
    boolean optional = argument.isOption() ? !argument.required() : argument.arity().min() == 0;
    return optional ? "[" + text + "]" : text;
  }

  private static Path document() {
    Path here = Path.of("docs/commands.md");
    return Files.exists(here) ? here : Path.of("../docs/commands.md");
  }
}
