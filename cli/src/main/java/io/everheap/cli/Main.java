package io.everheap.cli;

import io.everheap.cli.console.ConsoleCommand;
import io.everheap.cli.demo.DemoCommand;
import io.everheap.cli.terminal.PlainOutput;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The {@code everheap} command, which does its work in subcommands.
 *
 * <p>Exit codes: 0 success, 1 failure, 2 wrong usage; of commands that look for damage, 1 if they
 * found some and 2 if they could not look.
 */
@Command(
    name = "everheap",
    description = "Show, inspect, verify, back up and salvage durable heaps.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    // The commands in the order of CommandGroups, which is also that of the man page.
    subcommands = {
      DemoCommand.class,
      DoctorCommand.class,
      SelftestCommand.class,
      CreateCommand.class,
      InfoCommand.class,
      ListCommand.class,
      GetCommand.class,
      DumpCommand.class,
      SchemaCommand.class,
      ConsoleCommand.class,
      TopCommand.class,
      PutCommand.class,
      RemoveCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      VerifyCommand.class,
      UndecodableCommand.class,
      ScrubCommand.class,
      SalvageCommand.class,
      BackupCommand.class,
      BackupsCommand.class,
      RestoreCommand.class,
      MirrorCommand.class,
      ReplicaCommand.class,
      ReplicationCommand.class,
      PromoteCommand.class,
      CollectCommand.class,
      CompactCommand.class,
      UpgradeCommand.class,
      EncryptCommand.class,
      DecryptCommand.class,
      RekeyCommand.class,
      ShredCommand.class,
      JournalCommand.class,
      CacheCommand.class,
      HelpCommand.class,
      AutoComplete.GenerateCompletion.class,
      ManCommand.class
    })
public final class Main implements Callable<Integer> {
  /** Kept in a field, because the logging system forgets the level of an unreferenced logger. */
  private static final Logger LIBRARY = Logger.getLogger("io.everheap");

  @Spec private CommandSpec spec;

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of an error.")
  private boolean stacktrace;

  private Main() {}

  /**
   * Runs the command and ends the process with its exit code.
   *
   * @param args the subcommand and its arguments
   */
  public static void main(String[] args) {
    // The commands report a recovery themselves.
    LIBRARY.setLevel(Level.WARNING);
    Charsets.useForOutput();
    String unreadable = Charsets.refusal(args, System.getProperty("sun.jnu.encoding"));
    if (unreadable != null) {
      System.err.println(unreadable);
      System.exit(ExitCode.USAGE);
    }
    // Not the default writer of the command line, which does not report a closed output.
    System.exit(
        commandLine()
            .setOut(PlainOutput.of(System.out))
            .setErr(new PlainOutput(System.err))
            .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
            .execute(args));
  }

  static CommandLine commandLine() {
    var main = new Main();
    var commandLine =
        new CommandLine(main).setExecutionExceptionHandler(new Failures(() -> main.stacktrace));
    CommandGroups.install(commandLine);
    return commandLine;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
