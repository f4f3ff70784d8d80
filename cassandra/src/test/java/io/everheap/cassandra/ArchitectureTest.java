package io.everheap.cassandra;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(EverheapMemtable.class)
            .layers("io.everheap.cassandra", "org.apache.cassandra.security")
            .publicPackages("io.everheap.cassandra")
            .knownClassCycle(
                "EverheapMemtable",
                "FlushSet",
                "LeftTable",
                "Leftovers",
                "MemtableFactory",
                "NodeStore"));
  }
}
