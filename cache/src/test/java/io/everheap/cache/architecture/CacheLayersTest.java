package io.everheap.cache.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;

/** Arrows point down only: a layer uses the layers below it, never those above. */
@AnalyzeClasses(packages = "io.everheap.cache", importOptions = DoNotIncludeTests.class)
class CacheLayersTest {
  /** From the top to the bottom. */
  private static final List<String> LAYERS =
      List.of(
          "io.everheap.cache",
          "io.everheap.cache.codec",
          "io.everheap.cache.store",
          "io.everheap.cache.event",
          "io.everheap.cache.policy",
          "io.everheap.cache.table",
          "io.everheap.cache.format");

  @ArchTest
  static void noLayerUsesALayerAboveIt(JavaClasses cache) {
    for (int i = 1; i < LAYERS.size(); i++) {
      noClasses()
          .that()
          .resideInAPackage(LAYERS.get(i))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(LAYERS.subList(0, i).toArray(String[]::new))
          .check(cache);
    }
  }

  @ArchTest
  static void packagesHaveNoCycles(JavaClasses cache) {
    slices().matching("io.everheap.(**)").should().beFreeOfCycles().check(cache);
  }

  @ArchTest
  static void classesOfTheStoreHaveNoCycles(JavaClasses cache) {
    slices()
        .assignedFrom(new ByFile("io.everheap.cache.store"))
        .should()
        .beFreeOfCycles()
        .check(cache);
  }

  /** A slice for each file of a package. */
  private record ByFile(String name) implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      if (!type.getPackageName().equals(name)) {
        return SliceIdentifier.ignore();
      }
      String simple = type.getName().substring(name.length() + 1);
      int inner = simple.indexOf('$');
      return SliceIdentifier.of(inner < 0 ? simple : simple.substring(0, inner));
    }

    @Override
    public String getDescription() {
      return "files of " + name;
    }
  }

  @ArchTest
  static void filesAreTouchedThroughTheMediumOnly(JavaClasses cache) {
    noClasses()
        .should()
        .dependOnClassesThat(assignableTo("java.nio.channels.FileChannel"))
        .orShould()
        .dependOnClassesThat(resideInAPackage("sun.misc.."))
        .check(cache);
  }
}
