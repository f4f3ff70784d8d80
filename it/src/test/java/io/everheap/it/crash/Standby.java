package io.everheap.it.crash;

import io.everheap.Heap;
import io.everheap.error.ReplicationException;
import io.everheap.replication.Replica;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A replica outside of the virtual machine, of a heap in it whose power is cut. The heap's commits
 * wait for it, so it must have each one that was called durable.
 */
final class Standby implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int MORE = 100;

  private final Path directory;
  private final int port;
  private final Order order;
  private final Thread opener;
  private volatile Replica replica;
  private volatile boolean closed;
  private long durable; // the last commit that was called durable

  /**
   * Creates it; it begins to follow as soon as the primary answers.
   *
   * @param port of the loopback interface that leads to the primary
   * @param order of the primary
   */
  Standby(Path directory, int port, Order order) {
    this.directory = directory;
    this.port = port;
    this.order = order;
    this.opener = Thread.ofPlatform().daemon().name("standby").start(this::open);
  }

  private void open() {
    while (!closed && replica == null) {
      try {
        replica =
            Replica.of(directory)
                .primary(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .insecure() // the virtual machine has another disk
                .anew()
                .open();
      } catch (ReplicationException e) { // it does not listen yet
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** The primary acknowledged a commit. */
  void acknowledged(Ack ack) {
    if (ack.kind() == Ack.Kind.DURABLE) {
      durable = Math.max(durable, ack.commit());
    }
  }

  /**
   * Checks, after a cut, that it has what was acknowledged, whole.
   *
   * @return the number of its last commit; -1 if it has never followed
   */
  long check() {
    Replica standby = replica;
    if (standby == null) {
      require(durable == 0, "commit " + durable + " was acknowledged without a replica");
      return -1;
    }
    while (standby.status().primary() != null) { // it applies what had arrived
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    require(standby.status().failure() == null, "it follows no more: " + standby.status());
    return check(standby.heap());
  }

  private long check(Heap heap) {
    long found = Ledger.of(heap, order.seed()).check();
    require(found >= durable, "it has " + found + " commits, and " + durable + " are durable");
    return found;
  }

  /** Takes over, and goes on with the commits. */
  void takeOver() {
    require(replica != null, "it has never followed");
    Heap heap = replica.promote();
    long found = check(heap);
    Ledger ledger = Ledger.of(heap, order.seed());
    for (int i = 1; i <= MORE; i++) {
      long n = ledger.commit();
      require(n == found + i, "commit " + n + " follows " + (found + i - 1));
    }
    ledger.check();
  }

  private void require(boolean condition, String problem) {
    if (!condition) {
      throw new AssertionError("the replica outside of the machine: " + problem + "; " + order);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      opener.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (replica != null) {
      replica.close();
    }
  }
}
