package io.everheap.cache;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;
import org.junit.jupiter.api.Test;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(BlockCache.class)
            .layers(
                "io.everheap.cache",
                "io.everheap.cache.codec",
                "io.everheap.cache.store",
                "io.everheap.cache.event",
                "io.everheap.cache.policy",
                "io.everheap.cache.table",
                "io.everheap.cache.format")
            .knownClassCycle("BlockCache", "BlockCacheBuilder", "BlockHandle", "BlockInsert"));
  }

  @Test
  void classesOfTheStoreHaveNoCycles() {
    assertThat(classCycles())
        .flatExtracting(cycle -> cycle)
        .noneMatch(name -> name.startsWith("io.everheap.cache.store."));
  }

  @Test
  void filesAreTouchedThroughTheMediumOnly() {
    noClasses()
        .should()
        .dependOnClassesThat(assignableTo("java.nio.channels.FileChannel"))
        .orShould()
        .dependOnClassesThat(resideInAPackage("sun.misc.."))
        .check(classes());
  }
}
