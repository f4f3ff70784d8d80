package io.everheap.benchmarks.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupSubjectTest {
  @TempDir private Path directory;

  private static Map<String, Double> ask(BackupSubject subject, String request) throws Exception {
    return subject.measure(request.split(" ", -1));
  }

  @Test
  void aHeapIsBackedUpVerifiedAndRestored() throws Exception {
    try (BackupSubject subject = new BackupSubject()) {
      subject.open(Map.of("directory", directory.toString(), "records", "3000"));
      ask(subject, "load");

      Map<String, Double> full = ask(subject, "take FULL");
      assertThat(full.get("home")).isGreaterThan(3000.0 * Records.BYTES);
      assertThat(ask(subject, "verify").get("seconds")).isPositive();
      assertThat(ask(subject, "restore").get("seconds")).isPositive();

      ask(subject, "touch");
      Map<String, Double> changed = ask(subject, "take INCREMENTAL");
      assertThat(changed.get("pages")).isBetween(1.0, 0.1 * full.getOrDefault("pages", 0.0));
      assertThat(ask(subject, "take-while-writing 0").get("ops")).isPositive();
    }
    try (BackupSubject subject = new BackupSubject()) {
      subject.open(Map.of("directory", directory.toString()));
      assertThat(ask(subject, "read").get("seconds")).isPositive();
      assertThat(ask(subject, "copy").get("seconds")).isPositive();
    }
  }

  @Test
  void aHeapIsWrittenWhileItsLogIsArchived() throws Exception {
    try (BackupSubject subject = new BackupSubject()) {
      subject.open(Map.of("directory", directory.toString(), "records", "100", "archive", "true"));
      ask(subject, "load");

      assertThat(ask(subject, "write 50").get("ops")).isPositive();
    }
    assertThat(directory.resolve("backups")).isDirectoryRecursivelyContaining("glob:**");
  }
}
