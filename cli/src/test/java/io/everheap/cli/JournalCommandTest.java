package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.journal.Journal;
import io.everheap.support.tier.Campaign;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code journal} as a user sees it. */
@Campaign
class JournalCommandTest {
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  @TempDir private Path temporary;
  private String journal;

  @BeforeEach
  void aFileOfLines() throws Exception {
    journal = temporary.resolve("j").toString();
    Files.writeString(temporary.resolve("lines"), "one\ntwo\n\nfour without end");
  }

  private int run(String... arguments) {
    out = new StringWriter();
    err = new StringWriter();
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private void append(String... options) {
    List<String> arguments = new ArrayList<>(List.of("journal", "append", journal));
    arguments.addAll(
        List.of("--segment-mib", "1", "--file", temporary.resolve("lines").toString()));
    arguments.addAll(List.of(options));
    assertThat(run(arguments.toArray(String[]::new))).as(err.toString()).isZero();
  }

  @Test
  void aJournalIsEncryptedWithAKey() throws Exception {
    Path file = Files.writeString(temporary.resolve("key"), "0f".repeat(32));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    String key = "file:" + file;
    String backups = temporary.resolve("backups").toString();
    append("--key", key);
    assertThat(run("journal", "tail", "-n", "1", journal)).isNotZero();
    assertThat(err.toString()).contains("--key");
    assertThat(run("journal", "tail", "-n", "1", "--key", key, journal)).isZero();
    assertThat(out.toString().strip()).isEqualTo("four without end");
    assertThat(run("journal", "info", "--key", key, journal)).isZero();
    assertThat(run("journal", "verify", "--key", key, journal)).isZero();
    String saved = temporary.resolve("saved").toString();
    assertThat(run("journal", "salvage", "--key", key, "--to", saved, journal)).isZero();
    assertThat(run("journal", "verify", "--key", key, saved)).isZero();
    assertThat(run("backup", journal, backups)).isNotZero();
    assertThat(run("backup", "--key", key, journal, backups)).isZero();
    assertThat(run("backups", "--verify", "--key", key, backups)).isZero();
    String restored = temporary.resolve("restored").toString();
    assertThat(run("restore", "--key", key, backups, restored)).isZero();
    assertThat(run("journal", "verify", "--key", key, restored)).isZero();
    String other = "file:" + temporary.resolve("other");
    Files.copy(file, temporary.resolve("other"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(temporary.resolve("other"), "a0".repeat(32));
    assertThat(run("rekey", "--key", key, "--new-key", other, journal)).isZero();
    assertThat(run("journal", "info", "--key", key, journal)).isNotZero();
    assertThat(run("journal", "info", "--key", other, journal)).isZero();
    assertThat(run("shred", "--yes", journal)).isZero();
    assertThat(run("journal", "info", "--key", other, journal)).isNotZero();
  }

  @Test
  void linesOfAFileBecomeRecords() {
    append();
    assertThat(out.toString()).contains("4 records appended", "sequences 0 to 3");
    append("--async", "5", "--timestamps");
    assertThat(out.toString()).contains("sequences 4 to 7");
    assertThat(run("journal", "tail", "-n", "5", journal)).isZero();
    assertThat(out.toString().lines())
        .containsExactly("four without end", "one", "two", "", "four without end");
    assertThat(run("journal", "tail", "--from", "4", "--count", "1", "-s", journal)).isZero();
    assertThat(out.toString()).matches("(?s)4\t20.*Z\tone\\R");
    assertThat(run("journal", "tail", "--since", "2020-01-01T00:00:00Z", "--count", "1", journal))
        .isZero();
    assertThat(out.toString().strip()).isEqualTo("one");
  }

  @Test
  void linesOfTheStandardInputBecomeRecords() {
    InputStream in = System.in;
    System.setIn(new ByteArrayInputStream("piped\nlog\n".getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(run("journal", "append", "--segment-mib", "1", journal)).isZero();
    } finally {
      System.setIn(in);
    }
    assertThat(run("journal", "tail", journal)).isZero();
    assertThat(out.toString().lines()).containsExactly("piped", "log");
    assertThat(run("journal", "tail", "--json", journal)).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "{\"sequence\":0,\"text\":\"piped\"}", "{\"sequence\":1,\"text\":\"log\"}");
  }

  @Test
  void whatAnAppendDidIsToldAsJson() throws Exception {
    Path file = Files.write(temporary.resolve("file"), new byte[] {-1, '\n', 'a', '\n'});
    assertThat(run("journal", "append", "--json", journal, "--file", file.toString())).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).get("records").intValue()).isEqualTo(2);
    assertThat(run("journal", "tail", "--json", journal)).isZero();
    assertThat(out.toString().lines()).first().isEqualTo("{\"sequence\":0,\"bytes\":\"/w==\"}");
  }

  @Test
  void tailFollowsWhatIsAppendedMeanwhile() throws Exception {
    append();
    int[] exit = {-1};
    Thread follower =
        Thread.ofPlatform()
            .start(
                () ->
                    exit[0] = run("journal", "tail", "-f", "--from", "3", "--count", "2", journal));
    try (Journal open = Journal.open(Path.of(journal))) {
      open.append("later".getBytes(StandardCharsets.UTF_8));
      follower.join();
    }
    assertThat(exit[0]).isZero();
    assertThat(out.toString().lines()).containsExactly("four without end", "later");
  }

  @Test
  void infoTellsHowMuchThereIs() throws Exception {
    append();
    assertThat(run("journal", "info", journal)).isZero();
    assertThat(out.toString()).contains("Records   4, 0 to 3");
    assertThat(run("journal", "info", "--json", journal)).isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("nextSequence").longValue()).isEqualTo(4);
  }

  @Test
  void verifyNamesDamageAndSalvageSavesTheRest() throws Exception {
    append();
    assertThat(run("journal", "verify", journal)).isZero();
    assertThat(out.toString()).contains("OK: 4 sound records, 0 to 3");
    Path segment;
    try (Stream<Path> files = Files.list(Path.of(journal))) {
      segment =
          files
              .filter(f -> f.getFileName().toString().length() == 16)
              .sorted()
              .findFirst()
              .orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(segment);
    bytes[4096 + 24 + 18] ^= 1; // in the second record
    Files.write(segment, bytes);
    assertThat(run("journal", "verify", journal)).isEqualTo(1);
    assertThat(out.toString()).contains("PROBLEM").contains("record 1");
    assertThat(run("journal", "verify", "--json", journal)).isEqualTo(1);
    assertThat(new ObjectMapper().readTree(out.toString()).get("ok").booleanValue()).isFalse();
    String saved = temporary.resolve("saved").toString();
    assertThat(run("journal", "salvage", journal, "--to", saved)).isEqualTo(1);
    assertThat(out.toString()).contains("LOST records 1 to 1", "3 records saved");
    assertThat(out.toString()).contains("Records 0 to 0 are what is left of a batch");
    assertThat(run("journal", "tail", saved)).isZero();
    assertThat(out.toString().lines()).containsExactly("one", "", "four without end");
    assertThat(run("journal", "salvage", "--json", journal, "--to", saved + "2")).isEqualTo(1);
    assertThat(new ObjectMapper().readTree(out.toString()).get("lost")).hasSize(1);
  }

  @Test
  void tailPrintsWhatIsBeforeDamageAndNamesIt() throws Exception {
    try (Journal open = Journal.builder(Path.of(journal)).segmentSize(1 << 20).open()) {
      for (String line : List.of("one", "two", "three")) {
        open.append(line.getBytes(StandardCharsets.UTF_8));
      }
    }
    Path segment = Path.of(journal).resolve("0000000000000001");
    byte[] bytes = Files.readAllBytes(segment);
    bytes[4096 + 24 + 25] ^= 1; // in the second record
    Files.write(segment, bytes);
    StringWriter unflushed = new StringWriter();
    StringWriter errors = new StringWriter();
    int exit =
        Main.commandLine()
            .setOut(new PrintWriter(new BufferedWriter(unflushed), false))
            .setErr(new PrintWriter(errors, true))
            .execute("journal", "tail", journal);
    assertThat(exit).isEqualTo(1);
    assertThat(unflushed.toString().lines()).containsExactly("one");
    assertThat(errors.toString()).contains("EH-CORRUPT-JOURNAL", segment.toString());
    assertThat(run("journal", "info", journal)).isEqualTo(1);
    assertThat(err.toString()).contains("EH-CORRUPT-JOURNAL");
  }

  @Test
  void whatCannotBeDoneHasAnExitCode() {
    assertThat(run("journal")).isEqualTo(2);
    assertThat(run("journal", "tail", temporary.resolve("none").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("EH-JOURNAL-MISSING");
    assertThat(run("journal", "verify", temporary.resolve("none").toString())).isEqualTo(2);
    assertThat(run("journal", "append", journal, "--async", "0")).isEqualTo(2);
    append();
    assertThat(run("journal", "tail", "--since", "yesterday", journal)).isEqualTo(2);
    try (Journal open = Journal.open(Path.of(journal))) {
      assertThat(open.nextSequence()).isEqualTo(4);
      assertThat(run("journal", "append", journal, "--file", temporary.resolve("lines").toString()))
          .isEqualTo(1);
      assertThat(err.toString()).contains("EH-JOURNAL-LOCKED");
    }
  }
}
