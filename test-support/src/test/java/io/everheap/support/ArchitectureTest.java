package io.everheap.support;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(Limit.class)
            .unpublished()
            .layers(
                "io.everheap.support.report",
                "io.everheap.support.architecture",
                "io.everheap.support.release",
                "io.everheap.support.fuzz",
                "io.everheap.support",
                "io.everheap.support.tier")
            .publicPackages(
                "io.everheap.support",
                "io.everheap.support.architecture",
                "io.everheap.support.fuzz",
                "io.everheap.support.release",
                "io.everheap.support.report",
                "io.everheap.support.tier"));
  }
}
