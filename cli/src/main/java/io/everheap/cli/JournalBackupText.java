package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalRestoreReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What the commands of backups print of journals. */
final class JournalBackupText {
  private JournalBackupText() {}

  /** Whether a directory holds a journal, rather than a heap or nothing. */
  static boolean isJournal(Path directory) {
    return Files.exists(directory.resolve("journal"));
  }

  static String line(JournalBackup backup) {
    return String.format(
        Locale.ROOT,
        "%s: %s, records up to %s.",
        backup.name(),
        Text.bytes(backup.bytes()),
        end(backup.nextSequence()));
  }

  static String line(Path directory, JournalRestoreReport report) {
    return String.format(
        Locale.ROOT,
        "Restored %s from %s, records %d up to %s.",
        directory,
        report.backup().name(),
        report.firstSequence(),
        end(report.nextSequence()));
  }

  private static String end(long next) {
    return next == 0 ? "none" : String.valueOf(next - 1);
  }

  static void write(JsonGenerator json, JournalBackup backup) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", backup.name());
    json.writeStringField("kind", backup.kind().name());
    json.writeStringField("id", backup.id().toString());
    if (backup.base() != null) {
      json.writeStringField("base", backup.base().toString());
    }
    json.writeStringField("journal", backup.journal().toString());
    json.writeStringField("created", backup.created().toString());
    json.writeNumberField("firstSequence", backup.firstSequence());
    json.writeNumberField("nextSequence", backup.nextSequence());
    json.writeNumberField("bytes", backup.bytes());
    json.writeEndObject();
  }

  static void write(JsonGenerator json, Path directory, JournalRestoreReport report)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("directory", directory.toString());
    json.writeStringField("backup", report.backup().name());
    json.writeNumberField("firstSequence", report.firstSequence());
    json.writeNumberField("nextSequence", report.nextSequence());
    json.writeEndObject();
  }
}
