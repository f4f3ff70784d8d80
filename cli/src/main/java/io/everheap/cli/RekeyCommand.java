package io.everheap.cli;

import io.everheap.HeapKeys;
import io.everheap.encryption.KeyProvider;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap rekey DIR}: wraps the key of an encrypted heap with another one. */
@Command(
    name = "rekey",
    description = {
      "Replaces the key of an encrypted heap or journal, which must not be open. Its data key is"
          + " wrapped anew, so this takes no time, and the old key opens nothing any more except"
          + " older copies of the file \"keys\"."
    })
final class RekeyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "The directory of the heap or journal.")
  private Path directory;

  @Mixin private KeyOptions old;

  @Option(
      names = "--new-key",
      required = true,
      paramLabel = "SOURCE",
      description = "Where the new key comes from; like --key.")
  private String fresh;

  @Override
  public Integer call() {
    KeyProvider present = old.provider();
    if (present == null) {
      throw new RefusedException("give the present key: --key");
    }
    HeapKeys.rekey(directory, present, KeyOptions.provider(fresh));
    spec.commandLine().getOut().println("The key of " + directory + " is now that of " + fresh);
    return ExitCode.OK;
  }
}
