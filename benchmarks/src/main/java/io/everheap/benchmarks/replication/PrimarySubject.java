package io.everheap.benchmarks.replication;

import io.everheap.Heap;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.Threads;
import io.everheap.replication.Primary;
import io.everheap.replication.ReplicationStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A heap of records, with replicas or without.
 *
 * <p>Requests: {@code listen} begins to serve replicas and answers with the port; {@code copies N}
 * makes commits wait for so many; {@code run KIND THREADS MILLIS} updates with {@code platform} or
 * {@code virtual} threads; {@code lag MILLIS} does so with one thread and tells how far the replica
 * is behind in each tenth of a second; {@code burst MILLIS} updates while no replica follows and
 * tells how much log that makes; {@code settle} waits until the replica has everything.
 */
public final class PrimarySubject implements Subject {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final long TENTH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private @Nullable Heap heap;
  private @Nullable Records records;
  private @Nullable Primary primary;

  /** Makes a subject that is not open. */
  public PrimarySubject() {}

  @Override
  public void open(Map<String, String> parameters) {
    var builder =
        Records.builder(
            Path.of(parameters.getOrDefault("directory", "")),
            Boolean.parseBoolean(parameters.get("sync")),
            log(parameters));
    String archive = parameters.get("archive");
    if (archive != null) {
      builder.archive(Path.of(archive));
    }
    Heap opened = builder.open();
    heap = opened;
    Records loaded =
        new Records(opened, Long.parseLong(parameters.getOrDefault("records", "1000")));
    records = loaded;
    loaded.load();
    opened.checkpoint();
  }

  static long log(Map<String, String> parameters) {
    return Long.parseLong(parameters.getOrDefault("log", Long.toString(Records.LARGE_LOG)));
  }

  private Heap heap() {
    return require(heap);
  }

  private Primary primary() {
    return require(primary);
  }

  private static <T> T require(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("not open");
    }
    return part;
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    return switch (request[0]) {
      case "listen" -> {
        Primary listening =
            Primary.of(heap()).listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        primary = listening;
        yield Map.of("port", (double) listening.address().getPort());
      }
      case "copies" -> {
        primary().copies(Integer.parseInt(request[1]));
        yield Map.of();
      }
      case "run" -> run(request[1], Integer.parseInt(request[2]), Long.parseLong(request[3]));
      case "lag" -> lag(Long.parseLong(request[1]));
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
    Records updated = require(records);
    Threads.Done done = Threads.run(factory, threads, millis, i -> updated.updates(seed + i));
    return Map.of("ops", done.operations() / done.seconds());
  }

  private Map<String, Double> burst(long millis) throws InterruptedException {
    long before = heap().stats().appendedLsn();
    Map<String, Double> values = new HashMap<>(run("platform", 1, millis));
    heap().sync();
    values.put("log", (double) heap().stats().appendedLsn() - before);
    values.put("lsn", (double) heap().stats().durableLsn());
    values.put("transactions", values.getOrDefault("ops", 0.0) * millis / 1e3);
    return values;
  }

  /** Tenths of seconds have a lag in bytes, the last of them when the writer is done. */
  private Map<String, Double> lag(long millis) throws InterruptedException {
    Map<String, Double> values = new HashMap<>();
    LongSupplier updates = require(records).updates(System.nanoTime());
    long start = System.nanoTime();
    long logBefore = heap().stats().appendedLsn();
    long done = 0;
    int tenth = 0;
    long now;
    do {
      done += updates.getAsLong();
      now = System.nanoTime();
      if (now - start >= (tenth + 1) * TENTH_NANOS) {
        values.put("lag" + tenth++, (double) behind());
      }
    } while (now - start < TimeUnit.MILLISECONDS.toNanos(millis));
    values.put("ops", done * 1e9 / (now - start));
    values.put(
        "rate", (heap().stats().appendedLsn() - logBefore) * 1e9 / (now - start)); // bytes a second
    values.putAll(settle());
    return values;
  }

  /** The bytes of log that are appended and that the replica has not acknowledged. */
  private long behind() {
    ReplicationStatus status = primary().status();
    long acknowledged =
        status.replicas().stream()
            .mapToLong(ReplicationStatus.Copy::acknowledged)
            .max()
            .orElseThrow(() -> new IllegalStateException("the replica has been given up"));
    return heap().stats().appendedLsn() - acknowledged;
  }

  /** Waits until the only replica has everything. */
  private Map<String, Double> settle() {
    heap().sync();
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
    if (heap != null) {
      heap.close();
    }
  }
}
