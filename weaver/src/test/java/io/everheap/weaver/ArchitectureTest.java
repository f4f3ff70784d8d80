package io.everheap.weaver;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(Weaver.class)
            .layers("io.everheap.weaver")
            .withoutLibrary()
            .knownCreator("DirectoryWeaver")); // writes class files that a compiler made
  }
}
