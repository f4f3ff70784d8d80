package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * {@code docs/commands.md} has a heading for every group of commands, below it a row with the
 * arguments of every command of the group, and no other rows.
 */
class CommandsDocumentTest {
  /** Every command has these. */
  private static final List<String> COMMON = List.of("--help", "--version", "--stacktrace");

  @Test
  void everyCommandHasItsRowInItsGroup() throws IOException {
    List<String> expected = new ArrayList<>();
    Map<String, CommandLine> commands = Main.commandLine().getSubcommands();
    for (CommandGroups.Group group : CommandGroups.ALL) {
      expected.add("### " + group.heading());
      group.commands().forEach(name -> collect("", name, commands.get(name), expected));
    }
    List<String> documented =
        Files.readAllLines(document()).stream()
            .filter(line -> line.startsWith("| `") || line.startsWith("### "))
            .map(
                line ->
                    line.startsWith("#") ? line : line.substring(0, line.lastIndexOf(" | ") + 2))
            .toList();

    assertThat(documented).containsExactlyElementsOf(expected);
  }

  private static void collect(String prefix, String name, CommandLine command, List<String> rows) {
    if (!name.equals("help")) {
      rows.add(String.format(Locale.ROOT, "| `%s%s` | %s |", prefix, name, arguments(command)));
      command
          .getSubcommands()
          .forEach((sub, nested) -> collect(prefix + name + " ", sub, nested, rows));
    }
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
    return all.isEmpty() ? "" : "`" + String.join(" ", all).replace("|", "\\|") + "`";
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
