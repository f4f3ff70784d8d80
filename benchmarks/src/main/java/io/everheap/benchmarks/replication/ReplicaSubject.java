package io.everheap.benchmarks.replication;

import io.everheap.Heap;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.replication.Replica;
import io.everheap.replication.ReplicaStatus;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A replica of a heap of records.
 *
 * <p>Requests: {@code join} opens it, and times that; {@code follow LSN} opens it and waits until
 * it has the log up to there; {@code leave} closes it; {@code promote} times from the call until
 * the first commit has returned, the class of the map and the map itself included.
 */
public final class ReplicaSubject implements Subject {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(300);
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private Path directory = Path.of("");
  private int port;
  private Map<String, String> parameters = Map.of();
  private long records;
  private long log;
  private @Nullable Replica replica;

  /** Makes a subject that is not open. */
  public ReplicaSubject() {}

  @Override
  public void open(Map<String, String> given) {
    parameters = given;
    directory = Path.of(parameters.getOrDefault("directory", ""));
    port = (int) Double.parseDouble(parameters.getOrDefault("port", "0"));
    log = PrimarySubject.log(parameters);
    records = Long.parseLong(parameters.getOrDefault("records", "1000"));
  }

  @Override
  public Map<String, Double> measure(String[] request) {
    return switch (request[0]) {
      case "join" -> join();
      case "follow" -> follow((long) Double.parseDouble(request[1]));
      case "leave" -> {
        close();
        yield Map.of();
      }
      case "promote" -> promote();
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private Replica opened() {
    Replica opened =
        Access.of(parameters, Replica.of(directory))
            .primary(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .heap(builder -> builder.logSize(log))
            .open();
    replica = opened;
    return opened;
  }

  private Map<String, Double> join() {
    long start = System.nanoTime();
    Heap heap = opened().heap();
    long end = System.nanoTime();
    return Map.of("seconds", (end - start) / 1e9, "bytes", (double) heap.stats().usedBytes());
  }

  private Map<String, Double> follow(long lsn) {
    long start = System.nanoTime();
    Replica opened = opened();
    long open = System.nanoTime();
    await(opened::status, lsn);
    return Map.of("seconds", (System.nanoTime() - open) / 1e9, "open", (open - start) / 1e9);
  }

  /** Returns when a replica has everything up to an LSN. */
  static void await(Supplier<ReplicaStatus> status, long lsn) {
    long start = System.nanoTime();
    while (status.get().lsn() < lsn) {
      String failure = status.get().failure();
      if (failure != null || System.nanoTime() - start > PATIENCE_NANOS) {
        throw new IllegalStateException("the replica does not catch up: " + failure);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private Map<String, Double> promote() {
    Replica opened = replica;
    if (opened == null) {
      throw new IllegalStateException("not joined");
    }
    long start = System.nanoTime();
    Heap heap = opened.promote();
    long promoted = System.nanoTime();
    var _ = new Records(heap, records).updates(start).getAsLong();
    long end = System.nanoTime();
    return Map.of("seconds", (end - start) / 1e9, "promoted", (promoted - start) / 1e9);
  }

  @Override
  public void close() {
    if (replica != null) {
      replica.close();
      replica = null;
    }
  }
}
