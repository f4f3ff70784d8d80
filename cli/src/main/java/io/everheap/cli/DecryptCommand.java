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

/** {@code everheap decrypt DIR}: decrypts a heap where it is. */
@Command(
    name = "decrypt",
    description = {
      "Decrypts an encrypted heap that is not open. All files are written anew beside the old ones,"
          + " which needs nearly as much space again, compared with them, and exchanged for them.",
      "If it is interrupted, the heap is as it was, or the next command or program that opens it for"
          + " writing completes it."
    })
final class DecryptCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the heap.")
  private Path directory;

  @Mixin private KeyOptions keys;

  @Override
  public Integer call() {
    Bar.during(spec, bar -> HeapKeys.decrypt(directory, keys.required(), bar::update));
    spec.commandLine().getOut().println("The heap " + directory + " is not encrypted any more.");
    return ExitCode.OK;
  }
}
