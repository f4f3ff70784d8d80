package io.everheap.cli;

import io.everheap.Heap;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code everheap upgrade DIR}: brings a heap to the newest format. */
@Command(
    name = "upgrade",
    description = {
      "Brings a heap to the format that this version writes. There is one format so far, so nothing"
          + " is changed: the command tells the format, or fails with EH-FORMAT if a later version of"
          + " Everheap wrote it."
    })
final class UpgradeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Override
  public Integer call() throws IOException {
    int version;
    try (Heap heap = arguments.open()) {
      version = heap.stats().formatVersion();
    }
    if (arguments.json()) {
      Json.document(
          spec.commandLine().getOut(),
          json -> {
            json.writeStartObject();
            json.writeNumberField("formatVersion", version);
            json.writeBooleanField("changed", false);
            json.writeEndObject();
          });
    } else {
      spec.commandLine()
          .getOut()
          .println(
              String.format(
                  Locale.ROOT,
                  "The heap has format version %d, the newest: nothing to do.",
                  version));
    }
    return ExitCode.OK;
  }
}
