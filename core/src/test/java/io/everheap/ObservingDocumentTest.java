package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Name;
import org.junit.jupiter.api.Test;

/** docs/observing.md lists all events with their fields, and all messages of loggers. */
class ObservingDocumentTest {
  private static final Pattern EVENT =
      Pattern.compile("(?m)^\\| `(io\\.everheap\\.\\w+)` \\| (on|off) \\| [^|]+ \\| ([^|]+) \\|$");
  private static final Pattern MESSAGE =
      Pattern.compile("(?m)^\\| `(io\\.everheap[\\w.]*)` \\| ([A-Z]+) \\| ([^|]+) \\| [^|]+ \\|$");
  private static final Pattern WORD = Pattern.compile("`(\\w+)`");
  private static final Pattern LOGGER =
      Pattern.compile(
          "EngineLogger\\.(get)\\(\\)|System\\.getLogger\\(\\s*(?:\"([\\w.]+)\"|(\\w+)\\.class\\.getName\\(\\))");
  private static final Pattern CALL =
      Pattern.compile("\\.log\\(\\s*(?:System\\.Logger\\.)?Level\\.([A-Z]+),\\s*\"([^\"]*)\"");

  /** What the document says of an event or a message, or the code. */
  private record Row(String name, String state, List<String> words) {}

  @Test
  void allEventsAreListedWithTheirFieldsAndDefaults() throws Exception {
    List<Row> documented = new ArrayList<>();
    for (Matcher row = EVENT.matcher(document()); row.find(); ) {
      List<String> fields = WORD.matcher(row.group(3)).results().map(m -> m.group(1)).toList();
      documented.add(new Row(row.group(1), row.group(2), fields));
    }
    List<Row> present = new ArrayList<>();
    for (Class<?> type : classes()) {
      if (Event.class.isAssignableFrom(type)) {
        present.add(
            new Row(
                type.getAnnotation(Name.class).value(),
                type.getAnnotation(Enabled.class).value() ? "on" : "off",
                fields(type)));
      }
    }
    assertThat(present).hasSizeGreaterThan(4);
    assertThat(documented).containsExactlyInAnyOrderElementsOf(present);
  }

  private static List<String> fields(Class<?> event) {
    return Arrays.stream(event.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
        .map(Field::getName)
        .toList();
  }

  /** The compiled classes of the library. */
  private static List<Class<?>> classes() throws Exception {
    URI main = Heap.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    Path root = Path.of(main);
    List<Class<?>> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith("Event.class")).toList()) {
        String name = root.relativize(file).toString().replace(".class", "");
        all.add(Class.forName(name.replace(file.getFileSystem().getSeparator(), ".")));
      }
    }
    return all;
  }

  @Test
  void allMessagesOfLoggersAreListed() throws IOException {
    Set<String> documented = new TreeSet<>();
    for (Matcher row = MESSAGE.matcher(document()); row.find(); ) {
      documented.add(row.group(1) + " " + row.group(2) + ": " + row.group(3));
    }
    Set<String> present = new TreeSet<>();
    int calls = 0;
    for (Path source : sources()) {
      String text = Files.readString(source);
      Matcher logger = LOGGER.matcher(text);
      if (logger.find()) {
        String name = name(logger, source);
        for (Matcher call = CALL.matcher(text); call.find(); calls++) {
          present.add(name + " " + call.group(1) + ": " + begin(call.group(2)));
        }
      }
    }
    assertThat(calls).isGreaterThan(10);
    assertThat(documented).isEqualTo(present);
  }

  private static String name(Matcher logger, Path source) {
    if (logger.group(1) != null) {
      return "io.everheap";
    }
    if (logger.group(2) != null) {
      return logger.group(2);
    }
    String path = source.toString().replace(source.getFileSystem().getSeparator(), ".");
    return path.substring(path.indexOf("io.everheap"), path.length() - ".java".length());
  }

  /** A long message is listed up to its first numbers. */
  private static String begin(String message) {
    int end = message.indexOf(" (");
    return (end < 0 ? message : message.substring(0, end)).strip();
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(root().resolve("core/src/main/java/io/everheap"))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static String document() throws IOException {
    return Files.readString(root().resolve("docs/observing.md"));
  }

  private static Path root() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/observing.md"))) {
      at = at.getParent(); // the module's directory, or the project's
    }
    return at;
  }
}
