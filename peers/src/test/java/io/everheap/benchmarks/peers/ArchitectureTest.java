package io.everheap.benchmarks.peers;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(InfinispanStores.class)
            .unpublished()
            .layers("io.everheap.benchmarks.peers")
            .publicPackages());
  }
}
