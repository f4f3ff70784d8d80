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

/** {@code everheap compact DIR}: gives free space back to the file system. */
@Command(
    name = "compact",
    description = {
      "Gives the free space at the end of a heap's image back to the file system, in place and crash"
          + " safe. Blocks are not moved: after an export and an import into a new heap nothing is"
          + " free. collect first frees what no root leads to. No process may have the heap open."
    })
final class CompactCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Override
  public Integer call() throws IOException {
    long given;
    long capacity;
    try (Heap heap = arguments.builder().mustExist().open()) {
      given = heap.shrink();
      capacity = heap.stats().capacity();
    }
    if (arguments.json()) {
      Json.document(
          spec.commandLine().getOut(),
          json -> {
            json.writeStartObject();
            json.writeNumberField("givenBack", given);
            json.writeNumberField("capacity", capacity);
            json.writeEndObject();
          });
    } else {
      spec.commandLine()
          .getOut()
          .println(
              String.format(
                  Locale.ROOT,
                  "Gave back %s; the image has %s.",
                  Text.bytes(given),
                  Text.bytes(capacity)));
    }
    return ExitCode.OK;
  }
}
