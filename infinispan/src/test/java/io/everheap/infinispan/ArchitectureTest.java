package io.everheap.infinispan;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;
import org.junit.jupiter.api.Test;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(EverheapStore.class)
            .layers("io.everheap.infinispan..")
            .publicPackages("io.everheap.infinispan", "io.everheap.infinispan.configuration")
            .knownPackageCycle("io.everheap.infinispan", "io.everheap.infinispan.configuration")
            .knownClassCycle(
                "CacheInHeap",
                "EverheapStore",
                "Locations",
                "SharedHeap",
                "EverheapStoreConfiguration",
                "EverheapStoreConfigurationBuilder",
                "EverheapStoreConfigurationParser",
                "EverheapStoreSerializer"));
  }

  /** A program could have written it. */
  @Test
  void theStoreUsesThePublicInterfaceOfTheLibrary() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.everheap.engine..",
            "io.everheap.heap..",
            "io.everheap.structure..",
            "io.everheap.memory..",
            "io.everheap.log..")
        .check(classes());
  }

  /** Infinispan asks a configuration for the class of its store. */
  @Test
  void aConfigurationUsesOfTheStoreOnlyItsName() {
    noClasses()
        .that()
        .resideInAPackage("io.everheap.infinispan.configuration")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.everheap.infinispan").and(not(equivalentTo(EverheapStore.class))))
        .check(classes());
  }
}
