package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/migrating.md quotes is code that is compiled and run, and its classes exist. */
class MigratingDocumentTest {
  private static final Pattern QUOTE = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern PART = Pattern.compile("(?s)  // An? \\w+ \\[\n(.*?)  // \\]");
  private static final Pattern CLASS = Pattern.compile("`(Durable[A-Z]\\w+)");

  @Test
  void theDocumentQuotesTheExamples() throws IOException {
    String code =
        Files.readString(project("core/src/test/java/io/everheap/MigratingExamplesTest.java"));

    assertThat(parts(QUOTE, document()))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(parts(PART, code));
  }

  @Test
  void theClassesThatItNamesExist() throws IOException {
    Set<String> named = new TreeSet<>();
    CLASS.matcher(document()).results().forEach(found -> named.add(found.group(1)));
    try (Stream<Path> files = Files.list(project("core/src/main/java/io/everheap/collection"))) {
      List<String> there =
          files.map(file -> file.getFileName().toString().replace(".java", "")).toList();
      assertThat(named).isNotEmpty().isSubsetOf(there);
    }
  }

  private static String document() throws IOException {
    return Files.readString(project("docs/migrating.md"));
  }

  private static Path project(String file) {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve(file))) {
      at = at.getParent(); // the module's directory, or the project's
    }
    return at.resolve(file);
  }

  private static List<String> parts(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1).stripTrailing().stripIndent())
        .toList();
  }
}
