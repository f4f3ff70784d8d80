package io.everheap.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The classes that {@code .ci/fast} names are in the fast tier. */
class FastTierTest {
  private static final Path ROOT = root();

  @Test
  void everyClassOfTheListExistsAndHasNoOtherTier() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (String name : names()) {
      List<Path> sources = sources(name + ".java");
      if (sources.isEmpty()) {
        wrong.add(name + " does not exist");
      }
      for (Path source : sources) {
        if (Files.readString(source).contains("import io.everheap.support.tier.")) {
          wrong.add(ROOT.relativize(source) + " is in another tier");
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static List<String> names() throws IOException {
    return Files.readAllLines(ROOT.resolve(".ci/fast")).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.substring(0, line.indexOf(' ')))
        .toList();
  }

  private static List<Path> sources(String file) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.map(m -> m.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(module)) {
          try (Stream<Path> files = Files.walk(module)) {
            files.filter(path -> path.endsWith(file)).forEach(found::add);
          }
        }
      }
    }
    return found;
  }

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve(".ci/fast"))) {
      directory = directory.getParent();
    }
    return directory;
  }
}
