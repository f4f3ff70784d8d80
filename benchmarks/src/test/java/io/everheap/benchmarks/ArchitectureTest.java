package io.everheap.benchmarks;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(DocumentOptions.class)
            .unpublished()
            .generated("..jmh_generated..")
            .layers(
                "io.everheap.benchmarks",
                "io.everheap.benchmarks.report",
                "io.everheap.benchmarks.ycsb",
                "io.everheap.benchmarks.[bank|cache|cassandra|collections|encryption|journal|objects|replication]",
                "io.everheap.benchmarks.[store|tx]",
                "io.everheap.benchmarks.[harness|medium]",
                "io.everheap.benchmarks.result")
            .publicPackages()
            .knownClassCycle(
                "AppendSubject",
                "DaxAppendPart",
                "FileAppendPart",
                "JournalExperiment",
                "LoopPart",
                "PmemLogLoop")
            .knownClassCycle(
                "FailoverPart",
                "JournalPart",
                "KeepUpPart",
                "PostgresPart",
                "ReplicationExperiment")
            .knownHomonyms(
                "io.everheap.benchmarks.collections.DaxPart", "io.everheap.benchmarks.tx.DaxPart")
            .knownHomonyms(
                "io.everheap.benchmarks.cache.RestartPart",
                "io.everheap.benchmarks.cassandra.RestartPart"));
  }
}
