package io.everheap.cassandra;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.schema.SchemaConstants;
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

  @Override
  public boolean writesAreDurable() {
    return true;
  }

  /** What a node gets from others is written to the memtable like any other write. */
  @Override
  public boolean streamToMemtable() {
    return true;
  }
}
