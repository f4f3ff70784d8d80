package io.everheap.cassandra;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.IMutation;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.notifications.MemtableSwitchedNotification;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.service.snapshot.SnapshotManager;
import org.apache.cassandra.tcm.ClusterMetadata;
import org.apache.cassandra.tcm.ClusterMetadataService;
import org.apache.cassandra.tcm.listeners.ChangeListener;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.FBUtilities;

/** Writes that come at the moment when they could be lost. */
final class Moments {
  private static List<? extends IMutation> begun = List.of();

  private Moments() {}

  /**
   * Runs a statement within the next change of the schema: when the table has its new memtable, and
   * writes still follow the schema before.
   */
  static void within(ColumnFamilyStore table, String cql) {
    var log = ClusterMetadataService.instance().log();
    log.addListener(
        new ChangeListener() {
          @Override
          public void notifyPreCommit(ClusterMetadata prev, ClusterMetadata next, boolean all) {
            log.removeListener(this);
            table.reload(next.schema.getTableMetadata(table.metadata.id)); // if nobody did yet
            QueryProcessor.executeInternal(cql);
          }
        });
  }

  /** Begins a write, with the schema of now. */
  static void begin(String cql) {
    QueryState state = QueryState.forInternalCalls();
    ClientState client = state.getClientState();
    begun =
        ((ModificationStatement) QueryProcessor.parseStatement(cql, client))
            .getMutations(
                client,
                QueryOptions.forInternalCalls(ConsistencyLevel.ONE, List.of()),
                true,
                FBUtilities.timestampMicros(),
                FBUtilities.nowInSeconds(),
                Dispatcher.RequestTime.forImmediateExecution());
  }

  /** Ends it while a snapshot is made: behind the switch to another memtable, or before it. */
  static void endWithinSnapshot(ColumnFamilyStore table) throws InterruptedException {
    CountDownLatch switched = new CountDownLatch(1);
    table
        .getTracker()
        .subscribe(
            (notification, sender) -> {
              if (notification instanceof MemtableSwitchedNotification) {
                switched.countDown();
              }
            });
    String name = table.getKeyspaceName() + "." + table.getTableName();
    Thread snapshot = Thread.ofPlatform().daemon().start(() -> snapshot(name));
    while (switched.getCount() > 0 && !isWaitingForTheMemtable(snapshot)) {
      Thread.onSpinWait();
    }
    if (switched.getCount() == 0) {
      synchronized (table.getTracker()) { // until the switch is complete
        switched.await();
      }
    }
    begun.forEach(IMutation::apply);
  }

  private static void snapshot(String table) {
    try {
      SnapshotManager.instance.takeSnapshot("within", Map.of(), table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isWaitingForTheMemtable(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(Departure.class.getName()));
  }

  /** Segments of the commit log that are kept for a table. */
  static long segments(ColumnFamilyStore table) {
    return CommitLog.instance.segmentManager.getActiveSegments().stream()
        .filter(segment -> segment.getDirtyTableIds().contains(table.metadata.id))
        .count();
  }
}
