package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.HeapKeys;
import io.everheap.encryption.KeyProvider;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
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
      "Brings a heap, which must not be open, to the format that this version writes. So far only the"
          + " files of encrypted heaps have two versions: in those of version 1, somebody who can change"
          + " the files can put pages back to an earlier state. They are encrypted anew beside the"
          + " old ones with a new data key, which needs as much space again, and exchanged for them.",
      "If it is interrupted, the heap is as it was, or the next command or program that opens it for"
          + " writing completes it. Incremental backups continue the last one. If a later version of"
          + " Everheap wrote the heap, the command fails with EH-FORMAT."
    })
final class UpgradeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Override
  public Integer call() throws IOException {
    int version;
    int encryption;
    try (Heap heap = arguments.open()) {
      version = heap.stats().formatVersion();
      encryption = heap.stats().encryptionVersion();
    }
    boolean isOld = encryption == 1;
    if (isOld) {
      KeyProvider key = Objects.requireNonNull(arguments.key(), "an encrypted heap was opened");
      Bar.during(spec, bar -> HeapKeys.upgrade(arguments.directory(), key, bar::update));
    }
    if (arguments.json()) {
      Json.document(
          spec.commandLine().getOut(),
          json -> {
            json.writeStartObject();
            json.writeNumberField("formatVersion", version);
            json.writeBooleanField("changed", isOld);
            json.writeEndObject();
          });
    } else {
      spec.commandLine()
          .getOut()
          .println(
              isOld
                  ? "The encrypted files of the heap have version 2 now, the newest."
                  : String.format(
                      Locale.ROOT,
                      "The heap has format version %d, the newest: nothing to do.",
                      version));
    }
    return ExitCode.OK;
  }
}
