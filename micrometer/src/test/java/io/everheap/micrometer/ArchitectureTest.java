package io.everheap.micrometer;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(HeapMetrics.class)
            .layers("io.everheap.micrometer")
            .publicPackages("io.everheap.micrometer"));
  }
}
