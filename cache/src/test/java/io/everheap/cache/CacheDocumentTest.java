package io.everheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cache.event.CacheEvictionEvent;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.Enabled;
import jdk.jfr.Name;
import org.junit.jupiter.api.Test;

/** docs/cache.md lists all figures, all events with their fields, and all messages of loggers. */
class CacheDocumentTest {
  private static final Pattern WORD = Pattern.compile("`(\\w+)`");
  private static final Pattern EVENT =
      Pattern.compile("(?m)^\\| `(io\\.everheap\\.\\w+)` \\| (on|off) \\| [^|]+ \\| ([^|]+) \\|$");
  private static final Pattern MESSAGE =
      Pattern.compile("(?m)^\\| `(io\\.everheap\\.cache[\\w.]*)` \\| ([A-Z]+) \\| ([^|]+) \\| .*$");
  private static final Pattern LOGGER =
      Pattern.compile("System\\.getLogger\\((\\w+)\\.class\\.getName\\(\\)\\)");
  private static final Pattern CALL =
      Pattern.compile("\\.log\\(\\s*System\\.Logger\\.Level\\.([A-Z]+),\\s*\"([^\"]*)\"");

  private final Path root = root();
  private final Path sources = root.resolve("cache/src/main/java");

  private static Path root() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/cache.md"))) {
      at = at.getParent(); // the module's directory, or the project's
    }
    return at;
  }

  private String document() throws IOException {
    return Files.readString(root.resolve("docs/cache.md"));
  }

  @Test
  void allFiguresAreListed() throws IOException {
    String document = document();
    int begin = document.indexOf("| `stats()` |") + "| `stats()` |".length();
    String table = document.substring(begin, document.indexOf("\n\n", begin));
    assertThat(WORD.matcher(table).results().map(word -> word.group(1)))
        .containsExactlyElementsOf(
            Arrays.stream(CacheStats.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList());
  }

  @Test
  void allEventsAreListedWithTheirFieldsAndDefaults() throws Exception {
    Set<String> documented = new TreeSet<>();
    for (Matcher row = EVENT.matcher(document()); row.find(); ) {
      List<String> fields = WORD.matcher(row.group(3)).results().map(w -> w.group(1)).toList();
      documented.add(row.group(1) + " " + row.group(2) + " " + fields);
    }
    Set<String> present = new TreeSet<>();
    String directory = CacheEvictionEvent.class.getPackageName().replace('.', '/');
    for (Path source : files(sources.resolve(directory), "Event.java")) {
      String name = source.getFileName().toString().replace(".java", "");
      Class<?> type = Class.forName(CacheEvictionEvent.class.getPackageName() + "." + name);
      present.add(
          type.getAnnotation(Name.class).value()
              + (type.getAnnotation(Enabled.class).value() ? " on " : " off ")
              + Arrays.stream(type.getDeclaredFields())
                  .filter(field -> !field.isSynthetic())
                  .map(Field::getName)
                  .toList());
    }
    assertThat(documented).hasSize(3).isEqualTo(present);
  }

  @Test
  void allMessagesAreListed() throws IOException {
    Set<String> documented = new TreeSet<>();
    for (Matcher row = MESSAGE.matcher(document()); row.find(); ) {
      documented.add(row.group(1) + " " + row.group(2) + ": " + row.group(3));
    }
    Set<String> present = new TreeSet<>();
    for (Path source : files(sources, ".java")) {
      String text = Files.readString(source);
      Matcher logger = LOGGER.matcher(text);
      if (logger.find()) {
        String type = sources.relativize(source.resolveSibling(logger.group(1))).toString();
        String name = type.replace(source.getFileSystem().getSeparator(), ".");
        for (Matcher call = CALL.matcher(text); call.find(); ) {
          present.add(name + " " + call.group(1) + ": " + call.group(2));
        }
      }
    }
    assertThat(documented).hasSizeGreaterThan(4).isEqualTo(present);
  }

  private static List<Path> files(Path directory, String end) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(file -> file.toString().endsWith(end)).toList();
    }
  }
}
