package io.everheap.salvage;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(Architecture.of(Salvage.class).layers("io.everheap.salvage"));
  }
}
