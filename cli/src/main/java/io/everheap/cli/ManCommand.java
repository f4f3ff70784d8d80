package io.everheap.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap generate-man DIR}: writes a man page for each command. */
@Command(
    name = "generate-man",
    description =
        "Writes a man page for each command into DIR. The pages have the descriptions of --help, and"
            + " are named everheap.1, everheap-info.1 and so on. 'man -l DIR/everheap.1' shows one.")
final class ManCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory; made if missing.")
  private Path directory;

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(directory);
    List<CommandLine> commands = new ArrayList<>();
    collect(spec.root().commandLine(), commands);
    for (CommandLine command : commands) {
      CommandSpec of = command.getCommandSpec();
      Files.writeString(directory.resolve(of.qualifiedName("-") + ".1"), ManPage.of(of), UTF_8);
    }
    spec.commandLine()
        .getOut()
        .println(
            String.format(Locale.ROOT, "Wrote %d man pages to %s.", commands.size(), directory));
    return ExitCode.OK;
  }

  private static void collect(CommandLine command, List<CommandLine> all) {
    all.add(command);
    command
        .getCommandSpec()
        .subcommands()
        .forEach(
            (name, sub) -> {
              if (!name.equals("help")) {
                collect(sub, all);
              }
            });
  }
}
