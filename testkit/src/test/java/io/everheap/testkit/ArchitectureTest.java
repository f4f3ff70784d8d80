package io.everheap.testkit;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;
import io.everheap.testkit.machine.SimulatedMedium;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(SimulatedMedium.class)
            .layers("io.everheap.testkit", "io.everheap.testkit.machine")
            .knownClassCycle(
                "CrashImage",
                "Faults",
                "FileContent",
                "FileImage",
                "PrivateRegion",
                "SharedRegion",
                "SimulatedFile",
                "SimulatedMedium",
                "SimulatedRegion",
                "Undurable"));
  }
}
