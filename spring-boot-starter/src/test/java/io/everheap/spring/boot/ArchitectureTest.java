package io.everheap.spring.boot;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(HeapTransactionManager.class)
            .layers("io.everheap.spring.boot")
            .publicPackages("io.everheap.spring.boot"));
  }
}
