package io.everheap.cassandra;

import java.util.concurrent.CountDownLatch;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.notifications.MemtableSwitchedNotification;

/** Keeps the next flush of a table from beginning, so that a kill comes before its end. */
final class Holds {
  private static final CountDownLatch SWITCHED = new CountDownLatch(1);
  private static volatile ColumnFamilyStore held;

  private Holds() {}

  /** A flush waits for writes that began before the switch: so there is one that never ends. */
  static void hold(ColumnFamilyStore table) {
    held = table;
    table
        .getTracker()
        .subscribe(
            (notification, sender) -> {
              if (notification instanceof MemtableSwitchedNotification && SWITCHED.getCount() > 0) {
                Keyspace.writeOrder.start();
                SWITCHED.countDown();
              }
            });
  }

  /** Waits until the memtable is switched out. */
  static void await() throws InterruptedException {
    SWITCHED.await();
    synchronized (held.getTracker()) { // until the switch is complete
      SWITCHED.await();
    }
  }
}
