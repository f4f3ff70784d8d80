package io.everheap.jcache.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

/** What listeners, figures and directories are does not depend on caches, nor on one another. */
@AnalyzeClasses(packages = "io.everheap.jcache", importOptions = DoNotIncludeTests.class)
class JCacheLayersTest {
  @ArchTest
  static void partsDoNotUseTheWhole(JavaClasses jcache) {
    noClasses()
        .that()
        .resideInAPackage("io.everheap.jcache.*")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.everheap.jcache")
        .check(jcache);
  }

  @ArchTest
  static void packagesHaveNoCycles(JavaClasses jcache) {
    slices().matching("io.everheap.(**)").should().beFreeOfCycles().check(jcache);
  }

  @ArchTest
  static void theEngineIsUsedThroughTheCacheOnly(JavaClasses jcache) {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.everheap.memory..", "io.everheap.engine..", "io.everheap.cache.store..")
        .check(jcache);
  }
}
