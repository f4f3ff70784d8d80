package io.everheap.cli;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(Main.class)
            .layers(
                "io.everheap.[cli|cli.console]",
                "io.everheap.cli.demo",
                "io.everheap.cli.doctor",
                "io.everheap.cli.terminal")
            .knownPackageCycle("io.everheap.cli", "io.everheap.cli.console")
            .knownCreator("ManCommand")); // manual pages are for everybody
  }
}
