package io.everheap.cassandra;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.MemtableParams;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;

/** Makes the memtables of one configuration; equal to one of another name with the same options. */
record MemtableFactory(MemtableOptions options) implements Memtable.Factory {
  @Override
  public Memtable create(
      AtomicReference<CommitLogPosition> lowerBound, TableMetadataRef table, Memtable.Owner owner) {
    if (SchemaConstants.isSystemKeyspace(table.keyspace)) {
      throw new ConfigurationException(
          "Everheap cannot be the memtable of " + table + ": do not make it the default");
    }
    return new EverheapMemtable(
        this, NodeStore.of(options).generations(), lowerBound, table, owner);
  }

  @Override
  public boolean writesShouldSkipCommitLog() {
    return true;
  }

  /**
   * False, although they are: else Cassandra would not replay what a table wrote to the commit log
   * before it got this memtable, nor keep that until it is in SSTables.
   */
  @Override
  public boolean writesAreDurable() {
    return false;
  }

  /** What a node gets from others is written to the memtable like any other write. */
  @Override
  public boolean streamToMemtable() {
    return true;
  }

  /** The name of the configuration: that of the table, if it has one that is equal to this. */
  String configuration(TableMetadata table) {
    MemtableParams params = table.params.memtable;
    return equals(params.factory()) ? params.configurationKey() : params().configurationKey();
  }

  /** One of the configurations that are equal to this. */
  private MemtableParams params() {
    return MemtableParams.knownDefinitions().stream()
        .map(MemtableParams::get)
        .filter(params -> equals(params.factory()))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Lets the indexes of a table that gets this memtable have it too. Cassandra leaves them the one
   * before until it starts again, whose writes are in the commit log if those of the table are.
   */
  void giveToIndexes(ColumnFamilyStore table) {
    if (table.indexManager == null) {
      return; // they are created after their table, with its memtable
    }
    for (ColumnFamilyStore index : table.indexManager.getAllIndexColumnFamilyStores()) {
      TableMetadata known = index.metadata();
      if (!equals(known.params.memtable.factory())) {
        index.reload(
            known.unbuild().params(known.params.unbuild().memtable(params()).build()).build());
      }
    }
  }
}
