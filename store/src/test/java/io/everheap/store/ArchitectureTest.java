package io.everheap.store;

import io.everheap.support.architecture.Architecture;
import io.everheap.support.architecture.ArchitectureContract;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(
        Architecture.of(ShardedStore.class)
            .layers("io.everheap.store")
            .knownClassCycle(
                "BackupCut",
                "Batches",
                "Catalog",
                "Changes",
                "MapView",
                "Moves",
                "NavigableKeys",
                "NavigableView",
                "Opening",
                "Resharding",
                "ShardedMap",
                "ShardedSortedMap",
                "ShardedStore",
                "ShardedStoreBuilder",
                "StoreBackups",
                "StoreBatch",
                "StoreVerification"));
  }
}
