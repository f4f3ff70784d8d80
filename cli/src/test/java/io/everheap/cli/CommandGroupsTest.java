package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cli.CommandGroups.Group;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The groups of commands in {@code everheap --help}. */
class CommandGroupsTest extends CommandFixture {
  @Test
  void everyCommandIsInOneGroupAndMainHasTheSameOrder() {
    assertThat(CommandGroups.ALL.stream().flatMap(group -> group.commands().stream()))
        .containsExactlyElementsOf(Main.commandLine().getSubcommands().keySet());
  }

  @Test
  void helpListsTheCommandsOfEachGroupBelowItsHeading() {
    List<String> expected = new ArrayList<>();
    for (Group group : CommandGroups.ALL) {
      expected.add(group.heading());
      expected.addAll(group.commands());
    }
    expected.add(CommandGroups.HINT);

    assertThat(run("--help")).isZero();

    assertThat(headingsAndCommands()).containsExactlyElementsOf(expected);
  }

  @Test
  void theHelpCommandPrintsTheSame() {
    assertThat(run("--help")).isZero();
    String help = out.toString();

    assertThat(run("help")).isZero();

    assertThat(out).hasToString(help);
  }

  @Test
  void aCommandTakesAtMostTwoLines() {
    assertThat(run("--help")).isZero();

    // Lines with a large indentation continue a description.
    assertThat(out.toString())
        .doesNotContainPattern("(?m)(^ {10,}\\S.*\\R){2}")
        .doesNotContain("%");
  }

  @Test
  void nestedCommandsAreListedWithoutGroups() {
    for (String parent : List.of("journal", "cache", "schema")) {
      CommandLine command = Main.commandLine().getSubcommands().get(parent);

      assertThat(run(parent, "--help")).isZero();

      assertThat(out.toString().lines().dropWhile(line -> !line.equals("Commands:")).skip(1))
          .filteredOn(line -> line.matches(" {2}\\S.*"))
          .extracting(CommandGroupsTest::firstWord)
          .containsExactlyElementsOf(command.getSubcommands().keySet());
    }
  }

  /** The headings and the names of the commands in the printed help, from the first heading on. */
  private List<String> headingsAndCommands() {
    return out.toString()
        .lines()
        .dropWhile(line -> !line.isEmpty())
        .filter(line -> line.matches("( {2})?\\S.*"))
        .map(line -> line.startsWith(" ") ? firstWord(line) : line)
        .toList();
  }

  private static String firstWord(String line) {
    return line.replaceFirst(" *(\\S+).*", "$1");
  }
}
