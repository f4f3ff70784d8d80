package io.everheap.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/guide.md quotes is code that is compiled and run. */
class GuideDocumentTest {
  private static final Pattern QUOTE = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern PART = Pattern.compile("(?s)  // An? \\w+ \\[\n(.*?)  // \\]");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)");

  @Test
  void theGuideQuotesTheTutorials() throws IOException {
    String code =
        Files.readString(root().resolve("core/src/test/java/io/everheap/guide/GuideTest.java"));

    assertThat(parts(QUOTE, guide())).isEqualTo(parts(PART, code)).isNotEmpty();
  }

  @Test
  void itsLinksLeadSomewhere() throws IOException {
    for (String link : parts(LINK, guide())) {
      assertThat(root().resolve("docs").resolve(link)).exists();
    }
  }

  private static String guide() throws IOException {
    return Files.readString(root().resolve("docs/guide.md"));
  }

  private static Path root() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/guide.md"))) {
      at = at.getParent(); // the module's directory, or the project's
    }
    return at;
  }

  private static List<String> parts(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1).stripTrailing().stripIndent())
        .toList();
  }
}
