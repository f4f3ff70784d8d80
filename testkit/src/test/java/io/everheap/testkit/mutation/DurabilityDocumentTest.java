package io.everheap.testkit.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares docs/durability.md with what there is. */
class DurabilityDocumentTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "durability.md");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)\\)");

  @Test
  void everyDeliberateMistakeIsListedBesideItsRule() throws IOException {
    String text = Files.readString(DOCUMENT);
    for (Mutant mutant : Mutants.all()) {
      assertThat(text.lines())
          .as(mutant.name())
          .anyMatch(
              line -> line.startsWith("| " + mutant.rule() + " |") && line.contains(mutant.name()));
    }
  }

  @Test
  void everyLinkLeadsToAFile() throws IOException {
    assertThat(
            LINK.matcher(Files.readString(DOCUMENT))
                .results()
                .map((MatchResult link) -> DOCUMENT.resolveSibling(link.group(1))))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(file).exists());
  }
}
