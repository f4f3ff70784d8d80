package io.everheap.support.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Finds public types that do not say since when they exist, by {@code @since}, or how they may
 * change, by an annotation of {@code io.everheap.stability}. Nested types have what their top-level
 * type says.
 */
final class Stability {
  private static final String PACKAGE = "io.everheap.stability.";

  private Stability() {}

  static Set<String> missing(Architecture module) {
    var users = new Users(module);
    Set<String> found = new TreeSet<>();
    if (!module.isPublished()) {
      return found;
    }
    for (JavaClass type : module.classes()) {
      if (type.isTopLevelClass() && users.canName(type)) {
        if (!source(type).contains("\n * @since ")) {
          found.add(type.getName() + " has no @since");
        }
        if (module.hasLibrary() && !isAnnotated(type)) {
          found.add(type.getName() + " is neither @Stable nor @Evolving");
        }
      }
    }
    return found;
  }

  private static boolean isAnnotated(JavaClass type) {
    return type.isAnnotatedWith(PACKAGE + "Stable") || type.isAnnotatedWith(PACKAGE + "Evolving");
  }

  private static String source(JavaClass type) {
    String file = type.getName().replace('.', '/') + ".java";
    Path source =
        Stream.of("src/main/java", "src/test/java")
            .map(root -> Path.of(root, file))
            .filter(Files::exists)
            .findFirst()
            .orElseThrow();
    try {
      return Files.readString(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
