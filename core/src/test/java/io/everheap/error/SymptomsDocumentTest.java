package io.everheap.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of symptoms lists every code of an error, and no other one. */
class SymptomsDocumentTest {
  @Test
  void everyCodeIsListed() throws IOException {
    Set<String> codes = new TreeSet<>();
    Pattern declared = Pattern.compile("CODE = \"(EH-[A-Z-]+)\"");
    try (Stream<Path> sources = Files.list(Path.of("src/main/java/io/everheap/error"))) {
      for (Path source : sources.toList()) {
        declared.matcher(Files.readString(source)).results().forEach(r -> codes.add(r.group(1)));
      }
    }
    assertThat(codes).hasSizeGreaterThan(30);
    String page = Files.readString(Path.of("../docs/symptoms.md"));
    Set<String> listed =
        Pattern.compile("`(EH-[A-Z-]+)`")
            .matcher(page.substring(page.indexOf("## Codes"), page.indexOf("## Directories")))
            .results()
            .map(r -> r.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(listed).isEqualTo(codes);
  }
}
