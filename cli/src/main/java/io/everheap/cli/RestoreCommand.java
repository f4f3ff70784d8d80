package io.everheap.cli;

import io.everheap.Backups;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalBackups;
import io.everheap.journal.JournalPoint;
import io.everheap.journal.JournalRestoreReport;
import io.everheap.report.Backup;
import io.everheap.report.RestorePoint;
import io.everheap.report.RestoreReport;
import io.everheap.store.StoreBackups;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap restore FROM DIR}: makes a heap or a journal from backups. */
@Command(
    name = "restore",
    description = {
      "Makes a heap, a store of shards, or a journal in a new or empty directory from the backups in"
          + " another one.",
      "Exit code 0: it can be opened; 1: a backup or the archive is damaged or missing."
    })
final class RestoreCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private KeyOptions keys;

  @Parameters(index = "0", paramLabel = "FROM", description = "The directory of backups.")
  private Path from;

  @Parameters(index = "1", paramLabel = "DIR", description = "The directory for it.")
  private Path directory;

  @Option(
      names = "--backup",
      paramLabel = "NAME",
      description = "The backup to begin with; the newest one that fits by default.")
  private @Nullable String name;

  @Option(
      names = "--until",
      paramLabel = "POINT",
      description =
          "Up to here: a time such as 2026-01-31T12:00:00Z, 'newest', or for a heap an LSN, for a"
              + " journal the sequence of a record. A heap needs the archive of its log. Without"
              + " this option, the moment of the backup.")
  private @Nullable String until;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (StoreBackups.exists(from)) {
      return restoreStore(out);
    }
    Backups backups = keys.backups(from);
    List<Backup> heaps = backups.list().stream().filter(b -> isWanted(b.name())).toList();
    List<JournalBackup> journals =
        keys.journalBackups(from).list().stream().filter(b -> isWanted(b.name())).toList();
    if (name != null && heaps.isEmpty() && journals.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "there is no backup " + name + " in " + from);
    }
    if (!heaps.isEmpty() && !journals.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "there are backups of a heap and of a journal in " + from + ": choose one by --backup");
    }
    if (!journals.isEmpty()) {
      restoreJournal(out, name == null ? null : journals.getFirst());
      return ExitCode.OK;
    }
    RestorePoint point = point();
    Backup backup = name == null ? backups.before(point) : heaps.getFirst();
    Bar bar = new Bar(out, !json && Bar.onTerminal());
    RestoreReport report;
    try {
      report = backups.restore(backup, point, directory, bar::update);
    } finally {
      bar.clear();
    }
    if (json) {
      Json.document(
          out,
          document -> {
            document.writeStartObject();
            document.writeStringField("directory", directory.toString());
            document.writeStringField("backup", backup.name());
            document.writeNumberField("lsn", report.lsn());
            if (report.archived() != null) {
              document.writeStringField("archived", report.archived().toString());
            }
            document.writeEndObject();
          });
    } else {
      out.println(
          "Restored "
              + directory
              + " from "
              + backup.name()
              + ", up to LSN "
              + report.lsn()
              + (report.archived() == null ? "" : ", which was archived at " + report.archived())
              + ".");
      out.flush();
    }
    return ExitCode.OK;
  }

  private boolean isWanted(String backup) {
    return name == null || backup.equals(name);
  }

  private void restoreJournal(PrintWriter out, @Nullable JournalBackup chosen) throws IOException {
    JournalBackups backups = keys.journalBackups(from);
    JournalPoint point =
        switch (point()) {
          case RestorePoint.OfBackup _, RestorePoint.Newest _ -> new JournalPoint.OfBackup();
          case RestorePoint.Lsn p -> new JournalPoint.Sequence(p.lsn());
          case RestorePoint.Time p -> new JournalPoint.Time(p.time());
        };
    Bar bar = new Bar(out, !json && Bar.onTerminal());
    JournalRestoreReport report;
    try {
      JournalBackup backup = chosen == null ? backups.reaching(point) : chosen;
      report = backups.restore(backup, point, directory, bar::update);
    } finally {
      bar.clear();
    }
    if (json) {
      Json.document(out, document -> JournalBackupText.write(document, directory, report));
    } else {
      out.println(JournalBackupText.line(directory, report));
      out.flush();
    }
  }

  private int restoreStore(PrintWriter out) throws IOException {
    if (until != null) {
      throw new ParameterException(
          spec.commandLine(), "a store is restored as of its backups: leave --until out");
    }
    if (!new StoredBackups(keys.storeBackups(from), json, out).restore(name, directory)) {
      throw new ParameterException(
          spec.commandLine(), "there is no backup " + name + " in " + from);
    }
    return ExitCode.OK;
  }

  private RestorePoint point() {
    String text = until;
    if (text == null) {
      return new RestorePoint.OfBackup();
    }
    if (text.equals("newest")) {
      return new RestorePoint.Newest();
    }
    try {
      return text.matches("[0-9]+")
          ? new RestorePoint.Lsn(Long.parseLong(text))
          : new RestorePoint.Time(Instant.parse(text));
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new ParameterException(
          spec.commandLine(), "not a number, a time in UTC, or 'newest': " + text);
    }
  }
}
