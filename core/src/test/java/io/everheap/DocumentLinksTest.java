package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The links of the documents lead to files, and the numbers of decisions to decisions. */
class DocumentLinksTest {
  private static final Path ROOT = root();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#: ]+)(?:#[^)]*)?\\)");
  private static final Pattern DECISION =
      Pattern.compile("(?m)<a id=\"d(\\d+)\"></a>|^(\\d+)\\. \\*\\*");
  private static final Pattern REFERENCE =
      Pattern.compile("\\(#d(\\d+)\\)|\\b[Dd]ecisions?\\s+(\\d+)");

  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|Scenarios))\\.(\\w+)`");

  @Test
  void namedTestsExist() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (Path file : files(".java")) {
      sources.merge(file.getFileName().toString(), Files.readString(file), String::concat);
    }
    List<String> missing = new ArrayList<>();
    for (Path document : files(".md")) {
      for (MatchResult name : TEST.matcher(Files.readString(document)).results().toList()) {
        String source = sources.getOrDefault(name.group(1) + ".java", "");
        if (!Pattern.compile("\\bvoid " + name.group(2) + "\\(").matcher(source).find()) {
          missing.add(ROOT.relativize(document) + ": " + name.group());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Each line of a table with a column for tests names one, or says why there is none. */
  @Test
  void linesAboutSecurityNameTheirTests() throws IOException {
    List<String> without = new ArrayList<>();
    int lines = 0;
    for (String name : List.of("docs/security.md", "docs/encryption.md")) {
      boolean tested = false;
      for (String line : Files.readAllLines(ROOT.resolve(name))) {
        String[] cells = line.split("(?<!\\\\)\\|", -1);
        String last = cells.length < 3 ? "" : cells[cells.length - 2].strip();
        tested = line.startsWith("|") && (tested || last.equals("test"));
        if (tested && !last.equals("test") && !last.equals("---")) {
          lines++;
          if (!TEST.matcher(last).find() && !last.startsWith("none")) {
            without.add(name + ": " + line);
          }
        }
      }
    }
    assertThat(without).isEmpty();
    assertThat(lines).isGreaterThan(60);
  }

  @Test
  void linksLeadToFiles() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : files(".md")) {
      for (String link : matches(LINK, document)) {
        if (!Files.exists(document.resolveSibling(link))) {
          broken.add(ROOT.relativize(document) + ": " + link);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void decisionsHaveNumbersOfTheirOwnAndReferencesLeadToThem() throws IOException {
    Path decisions = ROOT.resolve("docs/decisions.md");
    List<String> numbers = matches(DECISION, decisions);
    assertThat(numbers).hasSizeGreaterThan(100).doesNotHaveDuplicates();

    List<String> broken = new ArrayList<>();
    for (Path file : Stream.concat(files(".md").stream(), files(".java").stream()).toList()) {
      for (String number : matches(REFERENCE, file)) {
        if (!numbers.contains(number)) {
          broken.add(ROOT.relativize(file) + ": " + number);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  /** What the group of each match captured that took part in it. */
  private static List<String> matches(Pattern pattern, Path file) throws IOException {
    return pattern
        .matcher(Files.readString(file))
        .results()
        .map(m -> m.group(1) != null || m.groupCount() == 1 ? m.group(1) : m.group(2))
        .toList();
  }

  private static List<Path> files(String extension) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(extension))
          .filter(file -> !ROOT.relativize(file).toString().contains("target"))
          .filter(file -> !ROOT.relativize(file).startsWith(".git"))
          .toList();
    }
  }

  private static Path root() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/decisions.md"))) {
      at = at.getParent(); // the module's directory, or the project's
    }
    return at;
  }
}
