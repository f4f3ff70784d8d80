package io.everheap.cassandra;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.everheap.cassandra.Generations.Generation;
import io.everheap.stability.Evolving;
import io.everheap.store.ShardedSortedMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.AbstractMemtableWithCommitlog;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Bounds;
import org.apache.cassandra.dht.IncludingExcludingBounds;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.notifications.INotification;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.MemtableDiscardedNotification;
import org.apache.cassandra.schema.IndexMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.jspecify.annotations.Nullable;

/**
 * A memtable that is the storage of its table: it is durable without the commit log, keeps what it
 * has over restarts and kills, and is flushed to SSTables only where Cassandra needs those: for a
 * snapshot, a truncation, the build of an index or a view, or another memtable.
 *
 * <p>In {@code cassandra.yaml}:
 *
 * <pre>{@code
 * memtable:
 *   configurations:
 *     everheap:
 *       class_name: io.everheap.cassandra.EverheapMemtable
 *       parameters:
 *         durability: sync
 * }</pre>
 *
 * <p>A partition is one value of the store: a write reads, merges and writes the whole partition.
 * Readers get copies.
 *
 * @since 0.9
 */
@Evolving
public final class EverheapMemtable extends AbstractMemtableWithCommitlog {
  private static final int LOCKS = 1024; // a power of two

  private final MemtableFactory factory;
  private final Owner owner;
  private final Generations generations;
  private final Generation generation;
  private final ShardedSortedMap<byte[], byte[]> partitions;
  private final Object[] locks = new Object[LOCKS];
  private final LongAdder liveBytes = new LongAdder();

  /** Under way if the table is to get another memtable. */
  private final Departure departure = new Departure();

  /** Whether Cassandra asked for SSTables of all that this has. */
  private volatile boolean flushes;

  /** Whether it asked in order to delete them, without a snapshot of them. */
  private volatile boolean deletes;

  private volatile boolean switchedOut;

  private final ScheduledFuture<?> purges;
  private final INotificationConsumer flushed = this::forgetFlushed;

  EverheapMemtable(
      MemtableFactory factory,
      Generations generations,
      AtomicReference<CommitLogPosition> lowerBound,
      TableMetadataRef metadata,
      Owner owner) {
    super(metadata, lowerBound);
    this.factory = factory;
    this.owner = owner;
    this.generations = generations;
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new Object();
    }
    TableMetadata table = metadata.get();
    List<Generation> all = generations.begin(generationsOf(table), isStartedAnew(table));
    keepConfiguration();
    this.generation = all.getFirst();
    this.partitions = generation.partitions();
    all.stream().skip(1).forEach(this::takeOver);
    if (!partitions.isEmpty()) {
      restoreBounds();
    }
    if (owner instanceof ColumnFamilyStore store) {
      factory.giveToIndexes(store);
    }
    long period = factory.options().purgePeriod().toMillis();
    purges =
        ScheduledExecutors.optionalTasks.scheduleWithFixedDelay(
            this::purge, period, period, MILLISECONDS);
  }

  private void keepConfiguration() {
    generations.configured(generationsOf(metadata()), factory.configuration(metadata()));
  }

  /** What the generations of a table, or of an index, are listed under. */
  private static String generationsOf(TableMetadata table) {
    return table.id + "/" + table.name;
  }

  /** Whether this is of an index that is built from its table: another one had its name. */
  private static boolean isStartedAnew(TableMetadata table) {
    return table
        .indexName()
        .map(name -> !SystemKeyspace.isIndexBuilt(table.keyspace, name))
        .orElse(false);
  }

  /** Called by Cassandra with the parameters of a memtable configuration. */
  public static Memtable.Factory factory(Map<String, String> parameters) {
    return new MemtableFactory(MemtableOptions.take(parameters));
  }

  /**
   * Merges the partitions of an earlier generation, which was being flushed or truncated when the
   * process ended. What had reached SSTables as well is the same there.
   */
  private void takeOver(Generation earlier) {
    Iterator<Map.Entry<byte[], byte[]>> entries = earlier.partitions().entries();
    while (entries.hasNext()) {
      Map.Entry<byte[], byte[]> entry = entries.next();
      StoredPartition partition = StoredPartition.decode(metadata(), entry.getValue());
      try (OpOrder.Group group = new OpOrder().start();
          UnfilteredRowIterator rows = partition.unfilteredIterator()) {
        PartitionUpdate update = PartitionUpdate.fromIterator(rows, ColumnFilter.all(metadata()));
        merge(entry.getKey(), update, UpdateTransaction.NO_OP, group);
      }
    }
    generations.absorbed(earlier);
  }

  /** Nothing is known of what an earlier process wrote, so the bounds are those of all. */
  private void restoreBounds() {
    minTimestamp.set(Long.MIN_VALUE);
    minLocalDeletionTime.set(Long.MIN_VALUE);
    columnsCollector.update(metadata().regularAndStaticColumns());
  }

  @Override
  public long put(
      PartitionUpdate update,
      UpdateTransaction indexer,
      OpOrder.Group group,
      boolean assumeMissing) {
    if (StorageService.instance.isDaemonSetupCompleted()) {
      refuseAttachedIndexes(); // not what is replayed: the node would never start again
    }
    // First: a compaction that finds the partition drops what is older than the least timestamp.
    updateMin(minTimestamp, update.stats().minTimestamp);
    updateMin(minLocalDeletionTime, update.stats().minLocalDeletionTime);
    long delta = merge(PartitionKeys.encode(update.partitionKey()), update, indexer, group);
    columnsCollector.update(update.columns());
    statsCollector.update(update.stats());
    currentOperations.addAndGet(update.operationCount());
    return delta;
  }

  private long merge(
      byte[] key, PartitionUpdate update, UpdateTransaction indexer, OpOrder.Group group) {
    synchronized (lock(update.partitionKey())) {
      byte[] before = partitions.get(key);
      Merger merger = new Merger(group, indexer);
      byte[] after =
          merger
              .merge(before == null ? null : StoredPartition.decode(metadata(), before), update)
              .encode();
      partitions.set(key, after);
      liveBytes.add(after.length - (before == null ? 0 : before.length));
      return merger.colUpdateTimeDelta;
    }
  }

  private Object lock(DecoratedKey key) {
    return locks[key.hashCode() & (LOCKS - 1)];
  }

  /** Indexes that are attached to memtables and SSTables would be empty after a restart. */
  private void refuseAttachedIndexes() {
    for (IndexMetadata index : metadata().indexes) {
      if (index.isCustom()) {
        throw new InvalidRequestException(
            "the table "
                + metadata()
                + " has the index "
                + index.name
                + ", which does not know what a durable memtable has after a restart: drop it, or"
                + " give the table another memtable");
      }
    }
  }

  @Override
  public @Nullable UnfilteredRowIterator rowIterator(
      DecoratedKey key,
      Slices slices,
      ColumnFilter columns,
      boolean reversed,
      SSTableReadsListener listener) {
    StoredPartition found = find(key);
    return found == null ? null : found.unfilteredIterator(columns, slices, reversed);
  }

  @Override
  public @Nullable UnfilteredRowIterator rowIterator(DecoratedKey key) {
    StoredPartition found = find(key);
    return found == null ? null : found.unfilteredIterator();
  }

  private @Nullable StoredPartition find(DecoratedKey key) {
    byte[] bytes = partitions.get(PartitionKeys.encode(key));
    return bytes == null ? null : StoredPartition.decode(metadata(), bytes);
  }

  @Override
  public UnfilteredPartitionIterator partitionIterator(
      ColumnFilter columns, DataRange range, SSTableReadsListener listener) {
    AbstractBounds<PartitionPosition> keys = range.keyRange();
    boolean includesLeft = keys instanceof Bounds || keys instanceof IncludingExcludingBounds;
    boolean includesRight = keys instanceof Bounds || keys instanceof Range;
    return new StoredPartitions(
        metadata(), columns, range, scan(keys.left, includesLeft, keys.right, includesRight));
  }

  Iterator<Map.Entry<byte[], byte[]>> scan(
      @Nullable PartitionPosition from,
      boolean fromInclusive,
      @Nullable PartitionPosition to,
      boolean toInclusive) {
    return partitions.scan(bound(from), fromInclusive, bound(to), toInclusive, false);
  }

  private static byte @Nullable [] bound(@Nullable PartitionPosition position) {
    return position == null || position.isMinimum() ? null : PartitionKeys.encode(position);
  }

  @Override
  public FlushablePartitionSet<?> getFlushSet(PartitionPosition from, PartitionPosition to) {
    return new FlushSet(this, from, to, switchedOut);
  }

  @Override
  public boolean shouldSwitch(FlushReason reason, TableMetadata latest) {
    boolean needsTables =
        switch (reason) {
          case SNAPSHOT,
              TRUNCATE,
              DROP,
              INDEX_REMOVED,
              ANTICOMPACTION,
              STREAMING,
              VALIDATION,
              INDEX_BUILD_STARTED,
              VIEW_BUILD_STARTED,
              UNIT_TESTS ->
              true;
          case USER_FORCED, DRAIN -> departure.isUnderWay();
          default -> false;
        };
    if (reason == FlushReason.SCHEMA_CHANGE && !metadata().isIndex()) {
      leaveIfReplaced(latest);
    }
    if (needsTables) {
      if (reason != FlushReason.DROP) {
        departure.await(); // else writes that began before it would be in no commit log
      }
      deletes = isDeletion(reason); // not that of an earlier attempt, which failed
      flushes = true;
    } else if (reason == FlushReason.USER_FORCED
        || reason == FlushReason.DRAIN
        || reason == FlushReason.STARTUP) {
      generations.sync(); // what was written, or replayed, survives power loss from now on
    }
    return needsTables;
  }

  /**
   * Cassandra asks before it publishes a change of the schema. Until that, and as long as a write
   * may take that began before, writes to a table that gets a stock memtable are not in the commit
   * log. So they come here, and the memtable is switched later.
   */
  private void leaveIfReplaced(TableMetadata latest) {
    if (latest.params.memtable.factory().equals(factory)) {
      departure.cancel();
    } else {
      departure.begin(this::leave);
    }
  }

  private void leave() {
    if (departure.isUnderWay() && !switchedOut) {
      deletes = false;
      flushes = true;
      var _ = owner.signalFlushRequired(this, FlushReason.SCHEMA_CHANGE);
    }
  }

  private boolean isDeletion(FlushReason reason) {
    return (reason == FlushReason.TRUNCATE || reason == FlushReason.DROP)
        && !(owner instanceof ColumnFamilyStore table && table.isAutoSnapshotEnabled());
  }

  /**
   * If Cassandra is to delete what this has, that must not come back after it said so; it discards
   * this later. An index is switched with its table, without being asked; what comes back of it is
   * compared with the table when it is read.
   */
  @Override
  public void switchOut(OpOrder.Barrier barrier, AtomicReference<CommitLogPosition> upperBound) {
    super.switchOut(barrier, upperBound);
    switchedOut = true;
    purges.cancel(false);
    if (!metadata().isIndex() && (deletes || !flushes)) {
      generations.forget(generation);
    } else if (owner instanceof ColumnFamilyStore table) {
      table.getTracker().subscribe(flushed);
    }
  }

  /**
   * Forgets what is in SSTables now, before Cassandra says that it is: the next that it does may be
   * to delete them. Until then it is nowhere else.
   */
  @SuppressWarnings("ReferenceEquality") // a memtable is equal to nothing but itself
  private void forgetFlushed(INotification notification, Object sender) {
    if (notification instanceof MemtableDiscardedNotification discarded
        && discarded.memtable == this) {
      generations.forget(generation);
    }
  }

  @Override
  public void discard() {
    super.discard();
    if (owner instanceof ColumnFamilyStore table) {
      table.getTracker().unsubscribe(flushed);
    }
    generations.clear(generation);
  }

  /**
   * Lets the commit log forget what it has of this, which is in the store. Until a schema is
   * published by which a table has this memtable, writes go to both; Cassandra would keep its log
   * until this is flushed.
   */
  private void coverCommitLog() {
    if (!(owner instanceof ColumnFamilyStore table) || metadata().isIndex() || switchedOut) {
      return;
    }
    CommitLogPosition from;
    synchronized (table.getTracker()) { // it is final when the switch to this is complete
      from = getCommitLogLowerBound();
    }
    CommitLogPosition to = CommitLog.instance.getCurrentPosition();
    Keyspace.writeOrder.awaitNewBarrier(); // what has an earlier position is here then
    generations.sync();
    CommitLog.instance.discardCompletedSegments(metadata().id, from, to);
  }

  /**
   * Drops what compactions would drop from SSTables, unless some of the table's data is in SSTables
   * or in another memtable; returns the number of partitions that changed.
   */
  long purge() {
    long changed = 0;
    if (owner instanceof ColumnFamilyStore table && !table.isValid()) {
      purges.cancel(false); // the last one of a table that was dropped
      generations.clear(generation);
      return changed;
    }
    long now = FBUtilities.nowInSeconds();
    coverCommitLog(); // else what a tombstone of now or before deletes could be replayed later
    Iterator<Map.Entry<byte[], byte[]>> all = partitions.entries();
    while (all.hasNext()) {
      byte[] key = all.next().getKey();
      try (OpOrder.Group _ = Keyspace.writeOrder.start()) { // a switch waits for it
        if (switchedOut || !(owner instanceof ColumnFamilyStore table) || !hasAllOf(table)) {
          return changed;
        }
        changed += purge(key, new Purge(metadata(), now, table.getDefaultGcBefore(now)));
      }
    }
    return changed;
  }

  private boolean hasAllOf(ColumnFamilyStore table) {
    View view = table.getTracker().getView();
    return table.getLiveSSTables().isEmpty()
        && view.flushingMemtables.isEmpty()
        && view.liveMemtables.size() == 1
        && !table.getCompactionStrategyManager().onlyPurgeRepairedTombstones();
  }

  private int purge(byte[] key, Purge purge) {
    byte[] found = partitions.get(key);
    if (found == null) {
      return 0;
    }
    synchronized (lock(StoredPartition.decode(metadata(), found).partitionKey())) {
      byte[] before = partitions.get(key);
      if (before == null) {
        return 0;
      }
      StoredPartition left = purge.apply(StoredPartition.decode(metadata(), before));
      byte[] after = left == null ? new byte[0] : left.encode();
      if (left == null) {
        partitions.remove(key);
      } else if (after.length < before.length) {
        partitions.set(key, after);
      } else {
        return 0;
      }
      liveBytes.add(after.length - before.length);
      return 1;
    }
  }

  /** Also once it is to be deleted: that needs no SSTables. */
  @Override
  public boolean isClean() {
    return (switchedOut && deletes) || partitions.isEmpty();
  }

  @Override
  public long partitionCount() {
    return partitions.sizeLong();
  }

  @Override
  public long getLiveDataSize() {
    return Math.max(0, liveBytes.sum());
  }

  /** Nothing: what it has is in mapped files. */
  @Override
  public void addMemoryUsageTo(MemoryUsage usage) {}

  @Override
  public void markExtraOnHeapUsed(long additional, OpOrder.Group group) {}

  @Override
  public void markExtraOffHeapUsed(long additional, OpOrder.Group group) {}

  @Override
  public void metadataUpdated() {
    keepConfiguration();
  }

  @Override
  public void localRangesUpdated() {
    // Shards do not follow ranges.
  }

  @Override
  public void performSnapshot(String name) {
    throw new IllegalStateException("a snapshot is made of SSTables");
  }
}
