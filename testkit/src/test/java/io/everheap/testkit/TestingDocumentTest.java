package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/testing-under-crashes.md quotes is code that is compiled and run. */
class TestingDocumentTest {
  private static final Pattern QUOTE = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern PART = Pattern.compile("(?s)  // An? \\w+ \\[\n(.*?)  // \\]");

  @Test
  void theDocumentQuotesTheTutorial() throws IOException {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/testing-under-crashes.md"))) {
      at = at.getParent(); // the module's directory, or the project's
    }
    String document = Files.readString(at.resolve("docs/testing-under-crashes.md"));
    String code =
        Files.readString(
            at.resolve("testkit/src/test/java/io/everheap/testkit/TestYourOwnInvariantTest.java"));

    assertThat(parts(QUOTE, document)).isEqualTo(parts(PART, code)).isNotEmpty();
  }

  private static List<String> parts(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1).stripTrailing().stripIndent())
        .toList();
  }
}
