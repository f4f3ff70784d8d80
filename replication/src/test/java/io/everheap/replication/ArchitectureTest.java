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
                "Session")
            .knownLeak(
                "io.everheap.replication.PeerBuilder.anew() names io.everheap.replication.PeerBuilder")
            .knownLeak(
                "io.everheap.replication.PeerBuilder.encrypt(io.everheap.encryption.KeyProvider) names io.everheap.replication.PeerBuilder")
            .knownLeak(
                "io.everheap.replication.PeerBuilder.name(java.lang.String) names io.everheap.replication.PeerBuilder")
            .knownLeak(
                "io.everheap.replication.PeerBuilder.primary([Ljava.net.InetSocketAddress;) names io.everheap.replication.PeerBuilder"));
  }
}
