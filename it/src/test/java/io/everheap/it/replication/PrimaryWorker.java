package io.everheap.it.replication;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.collection.DurableMap;
import io.everheap.error.DiskFullException;
import io.everheap.replication.Primary;
import io.everheap.replication.ReplicationStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * A primary whose threads count: each stores its number, and an entry for each number, in one
 * transaction, and tells of it when the commit returns.
 */
public final class PrimaryWorker {
  static final int THREADS = 4;

  private PrimaryWorker() {}

  /**
   * Works until it is killed; arguments: the heap, the directory of archives, or an empty one for
   * none, copies, and the directory of a mirror, if there is one.
   */
  public static void main(String[] arguments) {
    System.setOut(System.err); // nothing but frames may go to descriptor 1
    try {
      HeapBuilder builder = Heap.builder(Path.of(arguments[0]));
      if (!arguments[1].isEmpty()) {
        builder.archive(Path.of(arguments[1]));
      }
      Heap heap = builder.open();
      DurableMap<Integer, Long> last = heap.map("last", Integer.class, Long.class);
      DurableMap<Long, Integer> all = heap.map("all", Long.class, Integer.class);
      long sum = last.values().stream().mapToLong(n -> n).sum();
      if (all.size() != sum || !heap.verify().problems().isEmpty()) {
        throw new AssertionError(
            all.size() + " entries instead of " + sum + ": " + heap.verify().problems());
      }
      Primary primary =
          Primary.of(heap).listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      if (arguments.length > 3) {
        primary.mirror(Path.of(arguments[3]));
      }
      primary.copies(Integer.parseInt(arguments[2]));
      for (int i = 0; i < THREADS; i++) {
        Told.tell(Told.FOUND, i, last.getOrDefault(i, 0L));
      }
      Told.tell(Told.READY, 0, primary.address().getPort());
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        Thread.ofPlatform().start(() -> count(heap, primary, last, all, thread));
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void count(
      Heap heap,
      Primary primary,
      DurableMap<Integer, Long> last,
      DurableMap<Long, Integer> all,
      int thread) {
    try {
      long waiting = 0; // a number of which it is not known yet that a replica has it
      long end = 0; // at most from this LSN on
      for (long n = last.getOrDefault(thread, 0L) + 1; true; n++) {
        long number = n;
        commit(
            heap,
            () -> {
              last.put(thread, number);
              all.put(number * THREADS + thread, thread);
            });
        Told.tell(Told.COMMITTED, thread, n);
        if (waiting == 0) {
          waiting = n;
          end = heap.stats().durableLsn();
        } else if (copied(primary) >= end) {
          Told.tell(Told.COPIED, thread, waiting);
          waiting = 0;
        }
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  /** Commits; as long as the disk is full, again and again. */
  private static void commit(Heap heap, Runnable transaction) {
    while (true) {
      try {
        heap.transact(transaction::run);
        return;
      } catch (DiskFullException e) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /** The LSN up to which a replica has everything, as the status says. */
  private static long copied(Primary primary) {
    return primary.status().replicas().stream()
        .mapToLong(ReplicationStatus.Copy::acknowledged)
        .max()
        .orElse(Long.MIN_VALUE);
  }
}
