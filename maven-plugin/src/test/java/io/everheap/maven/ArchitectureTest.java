package io.everheap.maven;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(WeaveMojo.class)
            .layers("io.everheap.maven")
            .withoutLibrary()
            .publicPackages("io.everheap.maven"));
  }
}
