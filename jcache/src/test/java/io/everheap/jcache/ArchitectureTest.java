package io.everheap.jcache;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;
import org.junit.jupiter.api.Test;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(EverheapCache.class)
            .layers("io.everheap.jcache", "io.everheap.jcache.[event|statistics|store]")
            .publicPackages("io.everheap.jcache")
            .knownClassCycle(
                "EverheapCache", "EverheapCacheManager", "EverheapCachingProvider", "Opening"));
  }

  @Test
  void partsDoNotUseOneAnother() {
    slices().matching("io.everheap.jcache.(*)").should().notDependOnEachOther().check(classes());
  }

  @Test
  void theEngineIsUsedThroughTheCacheOnly() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.everheap.memory..", "io.everheap.engine..", "io.everheap.cache.store..")
        .check(classes());
  }
}
