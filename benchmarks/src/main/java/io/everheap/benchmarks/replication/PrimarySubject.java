package io.everheap.benchmarks.replication;

import io.everheap.Heap;
import io.everheap.replication.Primary;
import io.everheap.replication.ReplicationStatus;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A heap of records, with replicas or without.
 *
 * <p>Requests beside those of all: {@code lag MILLIS} updates with one thread and tells how far the
 * replica is behind in each tenth of a second.
 */
public final class PrimarySubject extends ServingSubject {
  private static final long TENTH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private Map<String, String> parameters = Map.of();
  private @Nullable Heap heap;
  private @Nullable Records records;

  /** Makes a subject that is not open. */
  public PrimarySubject() {}

  @Override
  public void open(Map<String, String> given) {
    parameters = given;
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

  @Override
  Primary listen(InetSocketAddress address) {
    return Access.of(parameters, Primary.of(heap())).listen(address);
  }

  @Override
  LongSupplier work(long seed) {
    return require(records).updates(seed);
  }

  @Override
  void sync() {
    heap().sync();
  }

  @Override
  long appended() {
    return heap().stats().appendedLsn();
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    return request[0].equals("lag") ? lag(Long.parseLong(request[1])) : super.measure(request);
  }

  /** Tenths of seconds have a lag in bytes, the last of them when the writer is done. */
  private Map<String, Double> lag(long millis) {
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

  @Override
  public void close() {
    super.close();
    if (heap != null) {
      heap.close();
    }
  }
}
