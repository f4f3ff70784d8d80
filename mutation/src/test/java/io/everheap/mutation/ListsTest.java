package io.everheap.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lists in .ci/mutation name classes, modules and source lines that exist. */
class ListsTest {
  private static final Path ROOT = root();
  private static final Path LISTS = ROOT.resolve(".ci/mutation");

  private final List<Scope> scopes = Mutants.scopes(LISTS.resolve("scopes"));
  private final Equivalents equivalents = Equivalents.read(LISTS.resolve("equivalents"));

  ListsTest() throws IOException {}

  @Test
  void everyScopeHasClassesAndTests() {
    assertThat(scopes).extracting(Scope::name).doesNotHaveDuplicates();
    List<String> wrong = new ArrayList<>();
    for (Scope scope : scopes) {
      List<String> classes = classes(scope.module(), "main");
      for (String glob : scope.classes()) {
        if (classes.stream().noneMatch(name -> Scope.includes(List.of(glob), name))) {
          wrong.add(scope.name() + ": no class is " + glob);
        }
      }
      List<String> tests =
          scope.testModules().stream().flatMap(module -> classes(module, "test").stream()).toList();
      for (String glob : scope.tests()) {
        if (tests.stream().noneMatch(name -> Scope.includes(List.of(glob), name))) {
          wrong.add(scope.name() + ": no test is " + glob);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void theSourceLineOfEveryEquivalentExists() {
    Set<String> all =
        scopes.stream()
            .map(Scope::module)
            .distinct()
            .flatMap(module -> files(module, "main").stream())
            .flatMap(ListsTest::lines)
            .collect(Collectors.toSet());
    List<String> dead = new ArrayList<>();
    for (Equivalents.Entry entry : equivalents.entries()) {
      boolean alive =
          entry.member().equals("*")
              ? all.contains(entry.source())
              : sources(entry.member()).anyMatch(entry.source()::equals);
      if (!alive) {
        dead.add("line " + entry.line() + ": " + entry.member() + " | " + entry.source());
      }
    }
    assertThat(dead)
        .as("entries of .ci/mutation/equivalents whose source line is not there")
        .isEmpty();
  }

  @Test
  void everyClassWhoseMutantsWereKilledExists() throws IOException {
    assertThat(KilledMutants.read(LISTS.resolve("killed")).classes())
        .allMatch(name -> sources(name + ".").findAny().isPresent());
  }

  /** The lines of the file of a member's class. */
  private Stream<String> sources(String member) {
    String name = member.substring(0, member.lastIndexOf('.'));
    int inner = name.indexOf('$');
    String file = (inner < 0 ? name : name.substring(0, inner)).replace('.', '/') + ".java";
    return scopes.stream()
        .map(scope -> ROOT.resolve(scope.module()).resolve("src/main/java").resolve(file))
        .distinct()
        .filter(Files::exists)
        .flatMap(ListsTest::lines);
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream().map(String::strip);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> classes(String module, String kind) {
    Path sources = sources(module, kind);
    return files(module, kind).stream()
        .map(file -> sources.relativize(file).toString())
        .map(name -> name.substring(0, name.length() - ".java".length()).replace('/', '.'))
        .toList();
  }

  private static List<Path> files(String module, String kind) {
    try (Stream<Path> files = Files.walk(sources(module, kind))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path sources(String module, String kind) {
    return ROOT.resolve(module).resolve("src").resolve(kind).resolve("java");
  }

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve(".ci/mutation"))) {
      directory = directory.getParent();
    }
    return directory;
  }
}
