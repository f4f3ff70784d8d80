package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalBuilder;
import io.everheap.report.Backup;
import io.everheap.store.ShardedStore;
import io.everheap.store.ShardedStoreBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap backup DIR TO}: backs up a heap or a journal that no process has open. */
@Command(
    name = "backup",
    description = {
      "Backs up a heap, a store of shards, or a journal that no process has open. A program that has"
          + " it open makes backups itself, with Backups.take, StoreBackups.take or Journal.backup.",
      "A heap that cannot be written, as on a read-only mount, is only read. Its backup is a full one.",
      "Exit code 0: the backup is complete and durable; 1: it failed."
    })
final class BackupCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Parameters(index = "1", paramLabel = "TO", description = "The directory of backups.")
  private Path to;

  @Option(names = "--incremental", description = "Only what was written since the last backup.")
  private boolean incremental;

  @Option(
      names = "--rate",
      paramLabel = "MIB",
      description = "Write at most so many MiB a second.",
      defaultValue = "0")
  private long rate;

  @Option(
      names = "--encrypt",
      description =
          "Encrypt the backup of a heap, store or journal that is not encrypted, with the key. Those of an"
              + " encrypted one always are.")
  private boolean encrypt;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Backup.Kind kind = incremental ? Backup.Kind.INCREMENTAL : Backup.Kind.FULL;
    if (encrypt && arguments.key() == null) {
      throw new ParameterException(spec.commandLine(), "--encrypt needs a --key");
    }
    if (ShardedStore.exists(arguments.directory())) {
      ShardedStoreBuilder store =
          encrypt ? ShardedStore.builder(arguments.directory()) : arguments.store();
      new StoredBackups(arguments.storeBackups(to), arguments.json(), out)
          .take(store, kind, rate << 20);
      return ExitCode.OK;
    }
    Bar bar = new Bar(out, !arguments.json() && Bar.onTerminal());
    if (JournalBackupText.isJournal(arguments.directory())) {
      JournalBackup backup = journal(kind, bar);
      if (arguments.json()) {
        Json.document(out, json -> JournalBackupText.write(json, backup));
      } else {
        out.println(JournalBackupText.line(backup));
        out.flush();
      }
      return ExitCode.OK;
    }
    Backup backup;
    HeapBuilder heap = encrypt ? Heap.builder(arguments.directory()) : arguments.builder();
    try (Heap open = open(heap.mustExist())) {
      backup = arguments.backups(to).take(open, kind, rate << 20, bar::update);
    } finally {
      bar.clear();
    }
    if (arguments.json()) {
      Json.document(out, json -> BackupsCommand.write(json, backup));
    } else {
      out.println(
          String.format(
              Locale.ROOT,
              "%s: %s of a heap of %s, up to LSN %d.",
              backup.name(),
              Text.bytes(backup.bytes()),
              Text.bytes(backup.heapBytes()),
              backup.endLsn()));
      out.flush();
    }
    return ExitCode.OK;
  }

  /** Opens the heap, for reading only if its directory cannot be written. */
  private Heap open(HeapBuilder heap) {
    Path directory = arguments.directory();
    boolean onlyRead = Files.isDirectory(directory) && !Files.isWritable(directory);
    return onlyRead ? heap.readOnly().open() : heap.open();
  }

  private JournalBackup journal(Backup.Kind kind, Bar bar) {
    JournalBuilder builder = encrypt ? Journal.builder(arguments.directory()) : arguments.journal();
    try (Journal journal = builder.mustExist().open()) {
      return arguments.journalBackups(to).take(journal, kind, rate << 20, bar::update);
    } finally {
      bar.clear();
    }
  }
}
