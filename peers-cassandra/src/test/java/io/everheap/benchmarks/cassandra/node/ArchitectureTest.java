package io.everheap.benchmarks.cassandra.node;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(Instructions.class)
            .unpublished()
            .layers("io.everheap.benchmarks.cassandra.node")
            .publicPackages());
  }
}
