package io.everheap.benchmarks.objects;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

/**
 * Fields of durable objects are read outside of a transaction, or the same ones of plain objects.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class FieldReadBenchmark {
  private static final Long[] KEYS = new Long[Items.COUNT];

  static {
    for (int i = 0; i < KEYS.length; i++) {
      KEYS[i] = (long) i;
    }
  }

  /** A directory in memory. */
  @Param("/dev/shm")
  public String directory;

  /** The kind of the objects. */
  @Param("INTERFACE")
  public Kind kind;

  private Items all;
  private Item[] items;
  private Map<Long, Item> map;
  private int next;

  /** Makes the objects. */
  @Setup
  public void open() throws IOException {
    all = Items.open(directory, kind);
    items = all.items;
    map = all.byNumber;
  }

  /** Closes and deletes the heap. */
  @TearDown
  public void close() throws IOException {
    all.close();
  }

  private int index() {
    return next++ & (Items.COUNT - 1);
  }

  /** A long of an object. */
  @Benchmark
  public long longField() {
    return items[index()].amount();
  }

  /** The longs of all objects, one after the other. */
  @Benchmark
  @OperationsPerInvocation(Items.COUNT)
  public long longFields() {
    long sum = 0;
    for (Item item : items) {
      sum += item.amount();
    }
    return sum;
  }

  /** An int of an object. */
  @Benchmark
  public int intField() {
    return items[index()].count();
  }

  /** A text of an object. */
  @Benchmark
  public @Nullable String stringField() {
    return items[index()].name();
  }

  /** An object that another refers to. */
  @Benchmark
  public @Nullable Item referenceField() {
    return items[index()].next();
  }

  /** A long of an object that another refers to. */
  @Benchmark
  @SuppressWarnings("NullAway") // all have a next one
  public long fieldOfReference() {
    return items[index()].next().amount();
  }

  /** A long of an object in a map. */
  @Benchmark
  @SuppressWarnings("NullAway") // the keys are there
  public long fieldOfMapValue() {
    return map.get(KEYS[index()]).amount();
  }
}
