package io.everheap.cli;

import io.everheap.EncryptedDirectory;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap shred DIR}: destroys the key of an encrypted heap, then its files. */
@Command(
    name = "shred",
    description = {
      "Destroys the key of an encrypted heap, journal, cache or directory of backups, then deletes"
          + " its files. It must not be open. Copies of the file \"keys\" can still be read with the"
          + " wrapping key: destroy that as well."
    })
final class ShredCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "The directory of the heap, journal, cache or backups.")
  private Path directory;

  @Option(names = "--yes", description = "Really destroy the heap.")
  private boolean yes;

  @Override
  public Integer call() {
    if (!yes) {
      throw new RefusedException(
          "this destroys the heap at " + directory + " for ever; say --yes to do it");
    }
    EncryptedDirectory.shred(directory);
    spec.commandLine().getOut().println("The key and the files of " + directory + " are gone.");
    return ExitCode.OK;
  }
}
