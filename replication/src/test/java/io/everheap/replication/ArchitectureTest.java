package io.everheap.replication;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(Primary.class)
            .layers("io.everheap.replication")
            .knownClassCycle(
                "Announcement",
                "Aside",
                "Copies",
                "Following",
                "HeapFollowing",
                "HeapOrigin",
                "HeapSession",
                "JournalSession",
                "JournalSource",
                "Origin",
                "Primary",
                "Replica",
                "Session"));
  }
}
