package io.everheap.spring;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(EverheapCacheProperties.class)
            .layers("io.everheap.spring")
            .publicPackages("io.everheap.spring"));
  }
}
