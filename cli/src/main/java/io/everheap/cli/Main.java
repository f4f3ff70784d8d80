package io.everheap.cli;

import io.everheap.cli.console.ConsoleCommand;
import io.everheap.cli.demo.DemoCommand;
import java.io.PrintWriter;
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
    subcommands = {
      DemoCommand.class,
      CreateCommand.class,
      InfoCommand.class,
      VerifyCommand.class,
      ScrubCommand.class,
      DumpCommand.class,
      SchemaCommand.class,
      ListCommand.class,
      GetCommand.class,
      PutCommand.class,
      RemoveCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      CollectCommand.class,
      CompactCommand.class,
      UpgradeCommand.class,
      EncryptCommand.class,
      DecryptCommand.class,
      RekeyCommand.class,
      ShredCommand.class,
      SalvageCommand.class,
      BackupCommand.class,
      BackupsCommand.class,
      ReplicaCommand.class,
      MirrorCommand.class,
      PromoteCommand.class,
      ReplicationCommand.class,
      RestoreCommand.class,
      TopCommand.class,
      ConsoleCommand.class,
      DoctorCommand.class,
      SelftestCommand.class,
      JournalCommand.class,
      CacheCommand.class,
      AutoComplete.GenerateCompletion.class,
      ManCommand.class,
      HelpCommand.class
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
    // Not the default writer of the command line, which does not report a closed output.
    System.exit(
        commandLine()
            .setOut(new PrintWriter(System.out, true, System.out.charset()))
            .execute(args));
  }

  static CommandLine commandLine() {
    var main = new Main();
    return new CommandLine(main).setExecutionExceptionHandler(new Failures(() -> main.stacktrace));
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
