package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.HeapKeys;
import io.everheap.store.ShardedStore;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code everheap upgrade DIR}: brings a heap or a store to the newest format. */
@Command(
    name = "upgrade",
    description = {
      "Brings a heap or a store, which must not be open, to the format that this version writes. The"
          + " files of encrypted heaps and the file of a store have two versions: in version 1,"
          + " somebody who can change the files can put pages, or one shard of a store, back to an"
          + " earlier state. Encrypted files are encrypted again beside the old ones with a new data"
          + " key, which needs as much space again, and exchanged for them.",
      "If it is interrupted, repeat it: a heap is as it was, or the next command or program that opens"
          + " it for writing completes it. Incremental backups continue the last one. If a later"
          + " version of Everheap wrote the files, the command fails with EH-FORMAT."
    })
final class UpgradeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Override
  public Integer call() throws IOException {
    boolean isStore = ShardedStore.exists(arguments.directory());
    boolean[] changed = new boolean[1];
    if (isStore || isOldHeap()) {
      Bar.during(spec, bar -> changed[0] = isStore ? upgradeStore(bar) : upgradeHeap(bar));
    }
    int version = isStore ? storeVersion() : heapVersion();
    if (arguments.json()) {
      Json.document(
          spec.commandLine().getOut(),
          json -> {
            json.writeStartObject();
            json.writeNumberField("formatVersion", version);
            json.writeBooleanField("changed", changed[0]);
            json.writeEndObject();
          });
    } else {
      String kind = isStore ? "store" : "heap";
      spec.commandLine()
          .getOut()
          .println(
              changed[0]
                  ? "The files of the " + kind + " have the newest version now."
                  : "The "
                      + kind
                      + " has format version "
                      + version
                      + ", the newest: nothing to do.");
    }
    return ExitCode.OK;
  }

  private boolean isOldHeap() {
    try (Heap heap = arguments.open()) {
      return heap.stats().encryptionVersion() == 1;
    }
  }

  private boolean upgradeHeap(Bar bar) {
    var key = Objects.requireNonNull(arguments.key(), "an encrypted heap was opened");
    return HeapKeys.upgrade(arguments.directory(), key, bar::update);
  }

  private boolean upgradeStore(Bar bar) {
    return arguments.store().upgrade(bar::update);
  }

  private int heapVersion() {
    try (Heap heap = arguments.open()) {
      return heap.stats().formatVersion();
    }
  }

  private int storeVersion() {
    try (ShardedStore store = arguments.store().readOnly().open()) {
      return store.stats().formatVersion();
    }
  }
}
