package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.Backups;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalBackups;
import io.everheap.report.Backup;
import io.everheap.store.StoreBackups;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap backups DIR}: lists, checks and thins the backups in a directory. */
@Command(
    name = "backups",
    description = {
      "Lists the backups of heaps or of a store in a directory; checks them, or deletes old ones.",
      "Exit code 0: all that were read are sound; 1: one is damaged or missing."
    })
final class BackupsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private KeyOptions keys;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of backups.")
  private Path directory;

  @Option(names = "--verify", description = "Compare everything with its checksums.")
  private boolean verify;

  @Option(
      names = "--keep",
      paramLabel = "N",
      description =
          "Delete all but the newest N full backups of each heap and journal, and the incremental"
              + " ones that continue them.")
  private @Nullable Integer keep;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (StoreBackups.exists(directory)) {
      new StoredBackups(keys.storeBackups(directory), json, out).list(keep, verify);
      return ExitCode.OK;
    }
    Backups backups = keys.backups(directory);
    JournalBackups journals = keys.journalBackups(directory);
    List<String> deleted = new ArrayList<>();
    if (keep != null) {
      backups.keep(keep).forEach(backup -> deleted.add(backup.name()));
      journals.keep(keep).forEach(backup -> deleted.add(backup.name()));
    }
    List<Backup> all = backups.list();
    List<JournalBackup> ofJournals = journals.list();
    if (verify) {
      Bar bar = new Bar(out, !json && Bar.onTerminal());
      try {
        all.forEach(backup -> backups.verify(backup, bar::update));
        ofJournals.forEach(backup -> journals.verify(backup, bar::update));
      } finally {
        bar.clear();
      }
    }
    if (json) {
      Json.document(
          out,
          generator -> {
            generator.writeStartArray();
            for (Backup backup : all) {
              write(generator, backup);
            }
            for (JournalBackup backup : ofJournals) {
              JournalBackupText.write(generator, backup);
            }
            generator.writeEndArray();
          });
    } else {
      print(out, all, ofJournals, deleted);
    }
    return ExitCode.OK;
  }

  private void print(
      PrintWriter out, List<Backup> all, List<JournalBackup> ofJournals, List<String> deleted) {
    deleted.forEach(name -> out.println("deleted " + name));
    if (!all.isEmpty() || ofJournals.isEmpty()) {
      print(out, all);
    }
    if (!ofJournals.isEmpty()) {
      printJournals(out, ofJournals);
    }
    int count = all.size() + ofJournals.size();
    out.println(Text.count(count) + (verify ? " backups, all sound" : " backups") + ".");
    out.flush();
  }

  private static void printJournals(PrintWriter out, List<JournalBackup> all) {
    Table table = new Table("backup", "kind", "size", "from record", "next record");
    table.right(2);
    table.right(3);
    table.right(4);
    for (JournalBackup backup : all) {
      table.row(
          backup.name(),
          backup.kind().name().toLowerCase(Locale.ROOT),
          Text.bytes(backup.bytes()),
          String.valueOf(backup.firstSequence()),
          String.valueOf(backup.nextSequence()));
    }
    table.print(out);
  }

  private static void print(PrintWriter out, List<Backup> all) {
    Table table = new Table("backup", "kind", "size", "heap", "up to LSN");
    table.right(2);
    table.right(3);
    table.right(4);
    for (Backup backup : all) {
      table.row(
          backup.name(),
          backup.kind().name().toLowerCase(Locale.ROOT),
          Text.bytes(backup.bytes()),
          Text.bytes(backup.heapBytes()),
          String.valueOf(backup.endLsn()));
    }
    table.print(out);
  }

  static void write(JsonGenerator json, Backup backup) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", backup.name());
    json.writeStringField("kind", backup.kind().name());
    json.writeStringField("id", backup.id().toString());
    if (backup.base() != null) {
      json.writeStringField("base", backup.base().toString());
    }
    json.writeStringField("heap", backup.heap().toString());
    json.writeStringField("created", backup.created().toString());
    json.writeNumberField("startLsn", backup.startLsn());
    json.writeNumberField("endLsn", backup.endLsn());
    json.writeNumberField("pages", backup.pages());
    json.writeNumberField("heapBytes", backup.heapBytes());
    json.writeNumberField("bytes", backup.bytes());
    json.writeEndObject();
  }
}
