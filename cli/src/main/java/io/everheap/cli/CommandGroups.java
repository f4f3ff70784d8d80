package io.everheap.cli;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Shows the commands of {@code everheap --help} in groups with headings, each command with the
 * first sentence of its description.
 *
 * <p>Each command is in exactly one group. Within a group, commands are in the order in which a
 * user needs them. Commands with subcommands, such as {@code journal}, list those without groups.
 */
final class CommandGroups implements IHelpSectionRenderer {
  /** A heading and the names of the commands below it. */
  record Group(String heading, List<String> commands) {}

  /** All groups, in the order of the help. */
  static final List<Group> ALL =
      List.of(
          group("Start here", "demo", "doctor", "selftest", "create"),
          group("Look into a heap", "info", "list", "get", "dump", "schema", "console", "top"),
          group("Change data", "put", "remove", "export", "import"),
          group("Check and repair", "verify", "undecodable", "scrub", "salvage"),
          group(
              "Keep copies",
              "backup",
              "backups",
              "restore",
              "mirror",
              "replica",
              "replication",
              "promote"),
          group("Maintain a heap", "collect", "compact", "upgrade"),
          group("Encryption", "encrypt", "decrypt", "rekey", "shred"),
          group("Journals and caches", "journal", "cache"),
          group("Help and shell", "help", "generate-completion", "generate-man"));

  /** The last line of the list. */
  static final String HINT = "everheap COMMAND --help shows all about a command.";

  private static final int INDENT = 2;

  private CommandGroups() {}

  /** Makes a command line list its commands in groups; its subcommands keep their lists. */
  static void install(CommandLine commandLine) {
    Map<String, IHelpSectionRenderer> sections = commandLine.getHelpSectionMap();
    sections.remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING);
    sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new CommandGroups());
  }

  @Override
  public String render(Help help) {
    Map<String, Help> commands = help.subcommands();
    int longest = commands.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder();
    for (Group group : ALL) {
      text.append(help.createHeading("%n@|bold " + group.heading() + "|@%n"));
      TextTable table = table(help, longest + INDENT);
      for (String name : group.commands()) {
        Help command = Objects.requireNonNull(commands.get(name), name);
        table.addRowValues(
            command.commandNamesText(", "),
            help.colorScheme().text(summary(command.commandSpec())));
      }
      text.append(table);
    }
    return text.append(help.createHeading("%n" + HINT + "%n")).toString();
  }

  private static TextTable table(Help help, int firstColumn) {
    return TextTable.forColumns(
        help.colorScheme(),
        new Column(firstColumn, INDENT, Overflow.SPAN),
        new Column(help.commandSpec().usageMessage().width() - firstColumn, INDENT, Overflow.WRAP));
  }

  /** The header of a command; without a header, the first sentence of its description. */
  static String summary(CommandSpec command) {
    UsageMessageSpec usage = command.usageMessage();
    if (usage.header().length > 0) {
      return usage.header()[0];
    }
    String description = usage.description()[0];
    int end = description.indexOf(". ");
    return end < 0 ? description : description.substring(0, end + 1);
  }

  private static Group group(String heading, String... commands) {
    return new Group(heading, List.of(commands));
  }
}
