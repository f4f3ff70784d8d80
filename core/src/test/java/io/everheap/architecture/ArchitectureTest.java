package io.everheap.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.everheap.Heap;
import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;
import org.junit.jupiter.api.Test;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(Heap.class)
            .layers(
                "io.everheap",
                "io.everheap.heap..",
                "io.everheap.check..",
                "io.everheap.gc..",
                "io.everheap.structure..",
                "io.everheap.collection..",
                "io.everheap.durable..",
                "io.everheap.block..",
                "io.everheap.journal..",
                "io.everheap.codec..",
                "io.everheap.engine..",
                "io.everheap.backup..",
                "io.everheap.log..",
                "io.everheap.memory..",
                "io.everheap.encryption..",
                "io.everheap.report..",
                "io.everheap.files..",
                "io.everheap.error..",
                "io.everheap.stability..")
            .knownClassCycle("FileCheck", "HeapFiles", "Recovery", "Spill", "SuperblockStore")
            .knownLeak(
                "io.everheap.durable.runtime.DurableObject names io.everheap.durable.handle.ObjectHandle"));
  }

  @Test
  void theJournalStandsOnMemoryAlone() {
    noClasses()
        .that()
        .resideInAPackage("io.everheap.journal..")
        .should()
        .dependOnClassesThat(resideInAPackage("io.everheap.engine.."))
        .check(classes());
  }

  @Test
  void onlyMemoryTouchesFileChannels() {
    noClasses()
        .that(not(resideInAPackage("io.everheap.memory..")))
        .should()
        .dependOnClassesThat(assignableTo("java.nio.channels.FileChannel"))
        .check(classes());
  }

  @Test
  void nothingUsesUnsafe() {
    noClasses()
        .should()
        .dependOnClassesThat(resideInAnyPackage("sun.misc..", "jdk.internal.."))
        .check(classes());
  }
}
