package io.everheap.cli;

import io.everheap.HeapKeys;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap encrypt DIR}: encrypts a heap where it is. */
@Command(
    name = "encrypt",
    description = {
      "Encrypts a heap that is not encrypted and not open. All files are written anew beside the old"
          + " ones, which needs as much space again and an eighth more, compared with them, and"
          + " exchanged for them.",
      "If it is interrupted, the heap is as it was, or the next command or program that opens it for"
          + " writing completes it. The old files are deleted: file systems that copy on write,"
          + " snapshots, backups and flash may keep what was in them."
    })
final class EncryptCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the heap.")
  private Path directory;

  @Mixin private KeyOptions keys;

  @Override
  public Integer call() {
    Bar.during(spec, bar -> HeapKeys.encrypt(directory, keys.required(), bar::update));
    spec.commandLine().getOut().println("The heap " + directory + " is encrypted.");
    return ExitCode.OK;
  }
}
