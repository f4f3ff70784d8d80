/**
 * Durable off-heap data: objects, collections, logs and caches that live in memory-mapped storage,
 * are used in place, and survive the end of the process and the loss of power.
 */
@SuppressWarnings("module") // the modules of the qualified exports are compiled after this one
module io.everheap {
  requires jdk.jfr;
  requires jdk.nio.mapmode;
  requires jdk.unsupported; // only ExtendedOpenOption.DIRECT, for log files
  requires static org.jspecify;

  exports io.everheap;
  exports io.everheap.block;
  exports io.everheap.codec;
  exports io.everheap.codec.derived;
  exports io.everheap.collection;
  exports io.everheap.encryption;
  exports io.everheap.error;
  exports io.everheap.durable;
  exports io.everheap.durable.runtime;
  exports io.everheap.journal;
  exports io.everheap.report;
  exports io.everheap.stability;
  exports io.everheap.backup to
      io.everheap.replication,
      io.everheap.store,
      io.everheap.testkit;
  exports io.everheap.block.store to
      io.everheap.salvage;
  exports io.everheap.check to
      io.everheap.salvage;
  exports io.everheap.codec.composite to
      io.everheap.cli;
  exports io.everheap.codec.contract to
      io.everheap.cache,
      io.everheap.infinispan;
  exports io.everheap.codec.described to
      io.everheap.cli,
      io.everheap.salvage;
  exports io.everheap.engine to
      io.everheap.cli,
      io.everheap.replication,
      io.everheap.salvage,
      io.everheap.store,
      io.everheap.testkit;
  exports io.everheap.engine.alloc to
      io.everheap.cli,
      io.everheap.salvage,
      io.everheap.testkit;
  exports io.everheap.engine.backup to
      io.everheap.replication,
      io.everheap.store,
      io.everheap.testkit;
  exports io.everheap.engine.counters to
      io.everheap.cli;
  exports io.everheap.engine.home to
      io.everheap.replication,
      io.everheap.salvage,
      io.everheap.testkit;
  exports io.everheap.engine.log to
      io.everheap.replication,
      io.everheap.testkit;
  exports io.everheap.engine.tx to
      io.everheap.replication,
      io.everheap.salvage,
      io.everheap.testkit;
  exports io.everheap.files to
      io.everheap.replication;
  exports io.everheap.heap to
      io.everheap.cli,
      io.everheap.replication,
      io.everheap.salvage,
      io.everheap.store,
      io.everheap.testkit;
  exports io.everheap.journal.replica to
      io.everheap.replication,
      io.everheap.testkit;
  exports io.everheap.log to
      io.everheap.replication,
      io.everheap.testkit;
  exports io.everheap.codec.ordered to
      io.everheap.store;
  exports io.everheap.memory to
      io.everheap.cache,
      io.everheap.cli,
      io.everheap.replication,
      io.everheap.salvage,
      io.everheap.store,
      io.everheap.testkit;
  exports io.everheap.memory.crypt to
      io.everheap.cache,
      io.everheap.replication,
      io.everheap.salvage,
      io.everheap.store,
      io.everheap.testkit;
  exports io.everheap.durable.type to
      io.everheap.salvage;
  exports io.everheap.structure to
      io.everheap.salvage;
  exports io.everheap.structure.cell to
      io.everheap.salvage;
  exports io.everheap.structure.common to
      io.everheap.salvage;
  exports io.everheap.structure.map to
      io.everheap.salvage;
  exports io.everheap.structure.names to
      io.everheap.salvage;
  exports io.everheap.structure.object to
      io.everheap.salvage;
  exports io.everheap.structure.sorted to
      io.everheap.salvage;
}
