package io.everheap.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.List;

/** Arrows point down only: a layer uses the layers below it, never those above. */
@AnalyzeClasses(packages = "io.everheap", importOptions = DoNotIncludeTests.class)
class LayersTest {
  /** From the top to the bottom. Layers that have no class yet are allowed. */
  private static final List<String> LAYERS =
      List.of(
          "io.everheap",
          "io.everheap.heap..",
          "io.everheap.check..",
          "io.everheap.gc..",
          "io.everheap.structure..",
          "io.everheap.collection..",
          "io.everheap.object..",
          "io.everheap.block..",
          "io.everheap.journal..",
          "io.everheap.codec..",
          "io.everheap.engine..",
          "io.everheap.backup..",
          "io.everheap.log..",
          "io.everheap.memory..",
          "io.everheap.encryption..",
          "io.everheap.report..",
          "io.everheap.error..");

  @ArchTest
  static void everyPackageBelongsToALayer(JavaClasses library) {
    classes().should().resideInAnyPackage(LAYERS.toArray(String[]::new)).check(library);
  }

  @ArchTest
  static void noLayerUsesALayerAboveIt(JavaClasses library) {
    for (int i = 1; i < LAYERS.size(); i++) {
      String[] above = LAYERS.subList(0, i).toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(LAYERS.get(i))
          .should()
          .dependOnClassesThat(resideInAnyPackage(above))
          .allowEmptyShould(true)
          .check(library);
    }
  }

  @ArchTest
  static void theJournalStandsOnMemoryAlone(JavaClasses library) {
    noClasses()
        .that()
        .resideInAPackage("io.everheap.journal..")
        .should()
        .dependOnClassesThat(resideInAPackage("io.everheap.engine.."))
        .allowEmptyShould(true)
        .check(library);
  }

  @ArchTest
  static void packagesHaveNoCycles(JavaClasses library) {
    slices().matching("io.(**)").should().beFreeOfCycles().check(library);
  }

  @ArchTest
  static void onlyMemoryTouchesFileChannels(JavaClasses library) {
    noClasses()
        .that(not(resideInAPackage("io.everheap.memory..")))
        .should()
        .dependOnClassesThat(JavaClass.Predicates.assignableTo("java.nio.channels.FileChannel"))
        .check(library);
  }

  @ArchTest
  static void nothingUsesUnsafe(JavaClasses library) {
    noClasses()
        .should()
        .dependOnClassesThat(resideInAnyPackage("sun.misc..", "jdk.internal.."))
        .check(library);
  }
}
