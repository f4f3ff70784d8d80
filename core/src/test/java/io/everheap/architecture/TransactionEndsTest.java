package io.everheap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What must be said by a store, since a call may fail, is said before each call that needs it. */
final class TransactionEndsTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Pattern END =
      Pattern.compile(
          "\\b(tx|transactions)\\.(end|endAsync|rollBack)\\(|^ +(end|rollBack)\\((true|t)\\);");

  private static final Pattern BEGIN = Pattern.compile("\\b(tx|transactions)\\.begin\\(\\);");

  @Test
  void eachEndOfATransactionIsAnnouncedByAStore() throws IOException {
    List<String> unannounced = new ArrayList<>();
    int ends = 0;
    for (Path file : sources()) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 1; i < lines.size(); i++) {
        if (END.matcher(lines.get(i)).find()) {
          ends++;
          if (!lines.get(i - 1).endsWith("lock.endsDue++;")) {
            unannounced.add(SOURCES.relativize(file) + ":" + (i + 1));
          }
        }
      }
    }
    assertThat(unannounced).isEmpty();
    assertThat(ends).as("ends that were found").isGreaterThan(20);
  }

  @Test
  void nothingIsCalledBetweenTheBeginOfATransactionAndItsTry() throws IOException {
    List<String> calls = new ArrayList<>();
    int begins = 0;
    for (Path file : sources()) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (BEGIN.matcher(lines.get(i)).find()) {
          begins++;
          int at = i + 1;
          while (!lines.get(at).contains("(") && !lines.get(at).strip().equals("try {")) {
            at++;
          }
          if (!lines.get(at).strip().equals("try {")) {
            calls.add(SOURCES.relativize(file) + ":" + (at + 1));
          }
        }
      }
    }
    assertThat(calls).isEmpty();
    assertThat(begins).as("begins that were found").isGreaterThan(20);
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
