package io.everheap.it.replication;

import io.everheap.error.DiskFullException;
import io.everheap.replication.Primary;
import io.everheap.replication.ReplicationStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads of a primary's process: each counts, stores its number, and tells of it when that is
 * durable, and later that a replica has it, as the status says.
 */
final class Counters {
  static final int THREADS = 4;
  static final String SECRET = "everheap.it.secret";

  private final Primary primary;
  private final Step step;

  /** Stores a number of a thread; it is durable on return. */
  @FunctionalInterface
  interface Step {
    void store(int thread, long number);
  }

  /** What a process does. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  private Counters(Primary primary, Step step) {
    this.primary = primary;
    this.step = step;
  }

  /** The secret of a campaign, which it names to its processes. */
  static Path secret() {
    return Path.of(System.getProperty(SECRET));
  }

  /** Any port of this machine. */
  static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** Tells what each thread has found of its numbers, and lets the threads go on from there. */
  static void start(Primary primary, long[] found, Step step) throws Exception {
    Counters counters = new Counters(primary, step);
    for (int i = 0; i < THREADS; i++) {
      Told.tell(Told.FOUND, i, found[i]);
    }
    Told.tell(Told.READY, 0, primary.address().getPort());
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      Thread.ofPlatform().start(() -> orHalt(() -> counters.count(thread, found[thread])));
    }
  }

  /** Runs a part of a process, which ends at once if that fails. */
  static void orHalt(Work work) {
    try {
      work.run();
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private void count(int thread, long found) throws Exception {
    long waiting = 0; // a number of which it is not known yet that a replica has it
    long end = 0; // at most from this LSN on
    for (long n = found + 1; true; n++) {
      store(thread, n);
      Told.tell(Told.COMMITTED, thread, n);
      if (waiting == 0) {
        waiting = n;
        end = primary.status().durable();
      } else if (copied() >= end) {
        Told.tell(Told.COPIED, thread, waiting);
        waiting = 0;
      }
    }
  }

  /** Stores; as long as the disk is full, again and again. */
  private void store(int thread, long number) {
    while (true) {
      try {
        step.store(thread, number);
        return;
      } catch (DiskFullException e) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private long copied() {
    return primary.status().replicas().stream()
        .mapToLong(ReplicationStatus.Copy::acknowledged)
        .max()
        .orElse(Long.MIN_VALUE);
  }
}
