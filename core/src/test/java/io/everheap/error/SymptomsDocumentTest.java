package io.everheap.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of symptoms lists every code of an error with its exception, and no other one. */
class SymptomsDocumentTest {
  private static final Pattern DECLARED = Pattern.compile("CODE = \"(EH-[A-Z-]+)\"");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (`EH-[^|]*) \\| (`[^|]*) \\| [^|]+ \\| [^|]+ \\|$");
  private static final Pattern NAME = Pattern.compile("`([\\w-]+)`");

  @Test
  void everyCodeIsListedWithItsException() throws IOException {
    assertThat(listed()).isEqualTo(declared()).hasSizeGreaterThan(30);
  }

  private static Map<String, String> declared() throws IOException {
    Map<String, String> codes = new TreeMap<>();
    try (Stream<Path> sources = Files.list(Path.of("src/main/java/io/everheap/error"))) {
      for (Path source : sources.toList()) {
        String name = source.getFileName().toString().replace(".java", "");
        DECLARED
            .matcher(Files.readString(source))
            .results()
            .forEach(code -> assertThat(codes.put(code.group(1), name)).isNull());
      }
    }
    return codes;
  }

  /** Codes of one row have one exception, or as many as there are codes, in their order. */
  private static Map<String, String> listed() throws IOException {
    String page = Files.readString(Path.of("../docs/symptoms.md"));
    Matcher rows =
        ROW.matcher(page.substring(page.indexOf("## Codes"), page.indexOf("## Directories")));
    Map<String, String> codes = new TreeMap<>();
    for (MatchResult row : rows.results().toList()) {
      var names = NAME.matcher(row.group(2)).results().map(r -> r.group(1)).toList();
      var listed = NAME.matcher(row.group(1)).results().map(r -> r.group(1)).toList();
      for (int i = 0; i < listed.size(); i++) {
        codes.put(listed.get(i), names.get(names.size() == 1 ? 0 : i));
      }
    }
    return codes;
  }
}
