package io.everheap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A class can be understood with what it names; few classes need each other for that. */
@AnalyzeClasses(packages = "io.everheap", importOptions = DoNotIncludeTests.class)
class CyclesTest {
  /** Two types that are one idea, and one that both need. */
  private static final int MOST = 3;

  @ArchTest
  static void noCycleHasMoreThanThreeClasses(JavaClasses library) {
    List<Set<String>> large =
        ClassGraph.of(library).cycles().stream().filter(cycle -> cycle.size() > MOST).toList();
    assertThat(large).isEmpty();
  }

  @ArchTest
  static void noTwoClassesHaveOneSimpleName(JavaClasses library) {
    Map<String, Set<String>> bySimpleName = new TreeMap<>();
    for (String name : ClassGraph.of(library).classes()) {
      String simple = name.substring(name.lastIndexOf('.') + 1);
      bySimpleName.computeIfAbsent(simple, any -> new TreeSet<>()).add(name);
    }
    bySimpleName.remove("package-info");
    bySimpleName.values().removeIf(names -> names.size() == 1);
    assertThat(bySimpleName).isEmpty();
  }
}
