package io.everheap.benchmarks.replication;

import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.Threads;
import io.everheap.replication.Primary;
import io.everheap.replication.ReplicationStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a primary of a heap and one of a journal have.
 *
 * <p>Requests: {@code listen} begins to serve replicas and answers with the port; {@code copies N}
 * makes commits wait for so many; {@code run KIND THREADS MILLIS} works with {@code platform} or
 * {@code virtual} threads; {@code burst MILLIS} works while no replica follows and tells how much
 * log that makes; {@code settle} waits until the replica has everything.
 */
abstract class ServingSubject implements Subject {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private @Nullable Primary primary;

  /** Begins to serve at an address. */
  abstract Primary listen(InetSocketAddress address);

  /** The work of one thread, an operation with each call. */
  abstract LongSupplier work(long seed);

  /** Makes everything durable. */
  abstract void sync();

  /** The bytes of log that were ever made, from some place on. */
  abstract long appended();

  final Primary primary() {
    return require(primary);
  }

  static <T> T require(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("not open");
    }
    return part;
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    return switch (request[0]) {
      case "listen" -> {
        Primary listening = listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        primary = listening;
        yield Map.of("port", (double) listening.address().getPort());
      }
      case "copies" -> {
        primary().copies(Integer.parseInt(request[1]));
        yield Map.of();
      }
      case "run" -> run(request[1], Integer.parseInt(request[2]), Long.parseLong(request[3]));
      case "burst" -> burst(Long.parseLong(request[1]));
      case "settle" -> settle();
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private Map<String, Double> run(String kind, int threads, long millis)
      throws InterruptedException {
    ThreadFactory factory =
        kind.equals("virtual") ? Thread.ofVirtual().factory() : Thread.ofPlatform().factory();
    long seed = System.nanoTime();
    Threads.Done done = Threads.run(factory, threads, millis, i -> work(seed + i));
    return Map.of("ops", done.operations() / done.seconds());
  }

  private Map<String, Double> burst(long millis) throws InterruptedException {
    long before = appended();
    Map<String, Double> values = new HashMap<>(run("platform", 1, millis));
    sync();
    values.put("log", (double) appended() - before);
    values.put("lsn", (double) primary().status().durable());
    values.put("transactions", values.getOrDefault("ops", 0.0) * millis / 1e3);
    return values;
  }

  /** Waits until the only replica has everything. */
  final Map<String, Double> settle() {
    sync();
    long start = System.nanoTime();
    long seen = start;
    while (true) {
      ReplicationStatus status = primary().status();
      if (!status.replicas().isEmpty()) {
        seen = System.nanoTime();
        if (status.replicas().getFirst().acknowledged() >= status.durable()) {
          return Map.of("settled", (seen - start) / 1e9);
        }
      }
      if (System.nanoTime() - seen > GONE_NANOS) {
        throw new IllegalStateException(
            "no replica is connected: the primary writes faster than it follows, and its log is"
                + " full");
      }
      if (System.nanoTime() - start > PATIENCE_NANOS) {
        throw new IllegalStateException("the replica does not catch up: " + status);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  @Override
  public void close() {
    if (primary != null) {
      primary.close();
    }
  }
}
