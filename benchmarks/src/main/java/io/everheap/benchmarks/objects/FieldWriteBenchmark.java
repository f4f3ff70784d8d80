package io.everheap.benchmarks.objects;

import io.everheap.ThrowingRunnable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Fields of durable objects are written, and objects made, on emulated persistent memory. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class FieldWriteBenchmark {
  static final int BATCH = 100;

  /** A directory in memory. */
  @Param("/dev/shm")
  public String directory;

  /** The kind of the objects. */
  @Param("INTERFACE")
  public Kind kind;

  private Items all;
  private Item[] items;
  private Item link;
  private int next;
  private final ThrowingRunnable<RuntimeException> batch = this::writeAll;
  private final ThrowingRunnable<RuntimeException> renewal = this::renew;

  /** Makes the objects. */
  @Setup
  public void open() throws IOException {
    all = Items.open(directory, kind);
    items = all.items;
    link = items[0];
    all.heap.transact(() -> link.next(all.make(item -> {})));
  }

  /** Closes and deletes the heap. */
  @TearDown
  public void close() throws IOException {
    all.close();
  }

  private int index() {
    return next++ & (Items.COUNT - 1);
  }

  /** Sets a long; durable on return. */
  @Benchmark
  public void single() {
    int i = index();
    items[i].amount(next);
  }

  /** Sets a long of each of a hundred objects in one transaction. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void hundred() {
    all.heap.transact(batch);
  }

  private void writeAll() {
    for (int i = 0; i < BATCH; i++) {
      items[i].amount(next);
    }
    next++;
  }

  /** Adds to a long of each of a hundred objects in one transaction. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void addToHundred() {
    all.heap.transact(
        () -> {
          for (int i = 0; i < BATCH; i++) {
            items[i].add(1);
          }
        });
  }

  /** Stores a reference to another object; durable on return. */
  @Benchmark
  public void reference() {
    int i = index();
    items[i].next(items[(i + 1) & (Items.COUNT - 1)]);
  }

  /** Creates an object, links it from another one, and frees the one linked before; durable. */
  @Benchmark
  public void createAndLink() {
    all.heap.transact(renewal);
  }

  @SuppressWarnings("NullAway") // there always is one
  private void renew() {
    Item old = link.next();
    link.next(all.make(item -> item.amount(next++)));
    all.heap.free(old);
  }
}
