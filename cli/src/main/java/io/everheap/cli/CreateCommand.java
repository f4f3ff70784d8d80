package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.HeapStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code everheap create DIR}: makes an empty heap. */
@Command(
    name = "create",
    description = {
      "Makes an empty heap, durably. DIR must not exist, or be an empty directory: nothing is"
          + " overwritten.",
      "Durability, the maximum size, and the sizes of log and memory are settings of each opening,"
          + " not of the heap."
    })
final class CreateCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Option(names = "--encrypt", description = "Encrypt the heap; a key option must be given.")
  private boolean encrypt;

  @Override
  public Integer call() throws IOException {
    refuseWhatIsThere();
    if (encrypt && arguments.key() == null) {
      throw new RefusedException(
          "an encrypted heap needs a key: --key SOURCE; openssl rand -hex 32 prints one");
    }
    if (!encrypt && arguments.key() != null) {
      throw new RefusedException("a key was given without --encrypt; nothing was created");
    }
    HeapStats stats;
    try (Heap heap = arguments.builder().open()) {
      stats = heap.stats();
    }
    if (arguments.json()) {
      Json.document(
          spec.commandLine().getOut(),
          json -> {
            json.writeStartObject();
            json.writeStringField("location", stats.location());
            json.writeStringField("id", stats.id().toString());
            json.writeStringField("medium", stats.medium());
            json.writeEndObject();
          });
    } else {
      spec.commandLine()
          .getOut()
          .println(
              String.format(
                  Locale.ROOT, "Created the heap %s in %s.", stats.id(), stats.location()));
    }
    return ExitCode.OK;
  }

  private void refuseWhatIsThere() throws IOException {
    if (!Files.exists(arguments.directory(), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (Files.isDirectory(arguments.directory())) {
      try (Stream<Path> files = Files.list(arguments.directory())) {
        if (files.allMatch(file -> file.endsWith("lost+found"))) { // that of a new volume
          return;
        }
      }
    }
    throw new RefusedException(
        arguments.directory() + " exists and is not an empty directory; nothing was changed");
  }
}
