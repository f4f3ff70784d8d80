package io.everheap.infinispan;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the module may use. */
@AnalyzeClasses(packages = "io.everheap.infinispan", importOptions = DoNotIncludeTests.class)
class DependenciesTest {
  /** A program could have written it. */
  @ArchTest
  static final ArchRule THE_STORE_USES_THE_PUBLIC_INTERFACE_OF_THE_LIBRARY =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.everheap.engine..",
              "io.everheap.heap..",
              "io.everheap.structure..",
              "io.everheap.memory..",
              "io.everheap.log..");

  /** Infinispan asks a configuration for the class of its store. */
  @ArchTest
  static final ArchRule A_CONFIGURATION_USES_NOTHING_OF_THE_STORE_BUT_ITS_NAME =
      noClasses()
          .that()
          .resideInAPackage("io.everheap.infinispan.configuration")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.everheap.infinispan")
                  .and(not(equivalentTo(EverheapStore.class))));
}
