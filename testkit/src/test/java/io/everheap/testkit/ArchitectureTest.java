package io.everheap.testkit;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(SimulatedMedium.class)
            .layers("io.everheap.testkit")
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
                "Undurable")
            .knownLeak(
                "io.everheap.memory.Medium.create(java.lang.String) names io.everheap.memory.MediumFile")
            .knownLeak(
                "io.everheap.memory.Medium.loose(java.lang.String, java.nio.ByteBuffer) names io.everheap.memory.LooseFile")
            .knownLeak(
                "io.everheap.memory.Medium.open(java.lang.String) names io.everheap.memory.MediumFile")
            .knownLeak(
                "io.everheap.memory.Medium.openLog(java.lang.String, io.everheap.memory.DurableWrite) names io.everheap.memory.DurableWrite")
            .knownLeak(
                "io.everheap.memory.Medium.openLog(java.lang.String, io.everheap.memory.DurableWrite) names io.everheap.memory.MediumFile")
            .knownLeak(
                "io.everheap.memory.Medium.probeDurableWrite() names io.everheap.memory.DurableWrite")
            .knownLeak(
                "io.everheap.memory.Medium.watch(java.lang.Runnable, java.util.function.Consumer) names io.everheap.memory.Medium$Watch")
            .knownLeak("io.everheap.testkit.SimulatedMedium names io.everheap.memory.Medium")
            .knownLeak(
                "io.everheap.testkit.SimulatedMedium.create(java.lang.String) names io.everheap.memory.MediumFile")
            .knownLeak(
                "io.everheap.testkit.SimulatedMedium.open(java.lang.String) names io.everheap.memory.MediumFile")
            .knownLeak(
                "io.everheap.testkit.SimulatedMedium.openLog(java.lang.String, io.everheap.memory.DurableWrite) names io.everheap.memory.DurableWrite")
            .knownLeak(
                "io.everheap.testkit.SimulatedMedium.openLog(java.lang.String, io.everheap.memory.DurableWrite) names io.everheap.memory.MediumFile")
            .knownLeak(
                "io.everheap.testkit.SimulatedMedium.probeDurableWrite() names io.everheap.memory.DurableWrite"));
  }
}
