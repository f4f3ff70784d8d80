package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** {@code --help} and {@code -h} of every command, also of nested ones, print help and no more. */
class HelpTest {
  private static final int COLUMNS = 80;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  static List<CommandSpec> commands() {
    List<CommandSpec> all = new ArrayList<>();
    collect(Main.commandLine(), all);
    return all;
  }

  private static void collect(CommandLine command, List<CommandSpec> all) {
    all.add(command.getCommandSpec());
    command.getSubcommands().values().forEach(nested -> collect(nested, all));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpWithoutArgumentsFitsTheTerminal(CommandSpec command) {
    for (String option : List.of("--help", "-h")) {
      assertHelp(command, List.of(option));
      assertThat(out.toString().lines()).allMatch(line -> line.length() <= COLUMNS);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpIsAllThatACommandWithItsArgumentsDoes(CommandSpec command) {
    for (String option : List.of("--help", "-h")) {
      List<String> last = arguments(command);
      last.addLast(option);
      assertHelp(command, last);

      List<String> first = arguments(command);
      first.addFirst(option);
      assertHelp(command, first);
    }
  }

  private void assertHelp(CommandSpec command, List<String> arguments) {
    out.getBuffer().setLength(0);
    List<String> line = new ArrayList<>(List.of(command.qualifiedName().split(" ")));
    line.removeFirst(); // everheap
    line.addAll(arguments);

    int exitCode =
        command
            .root()
            .commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(line.toArray(String[]::new));

    assertThat(err.toString()).as(line.toString()).isEmpty();
    assertThat(exitCode).as(line.toString()).isZero();
    assertThat(out.toString().lines())
        .anyMatch(printed -> printed.startsWith("Usage: " + command.qualifiedName() + " ["));
    assertThat(directory).isEmptyDirectory();
  }

  /** All flags, required options and parameters: enough for the command to do its work. */
  private List<String> arguments(CommandSpec command) {
    List<String> all = new ArrayList<>();
    for (OptionSpec option : command.options()) {
      if (option.usageHelp() || option.versionHelp()) {
        continue;
      }
      if (option.arity().max() == 0) {
        all.add(option.longestName());
      } else if (option.required()) {
        all.add(option.longestName());
        all.add(value(option));
      }
    }
    if (command.subcommands().isEmpty()) {
      command.positionalParameters().forEach(parameter -> all.add(value(parameter)));
    }
    return all;
  }

  /** A path in the empty directory, or a number. */
  private String value(ArgSpec argument) {
    boolean text = Stream.of(Path.class, String.class).anyMatch(argument.type()::equals);
    return text ? directory.resolve(argument.paramLabel().replace(':', '-')).toString() : "1";
  }
}
