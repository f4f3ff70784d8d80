package io.everheap.mutation;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(Mutants.class)
            .unpublished()
            .layers("io.everheap.mutation")
            .publicPackages("io.everheap.mutation"));
  }
}
